"""Views that are imported with their first request.

A web process on which nobody opens the pages of agreement or pre-labels needs neither their modules nor the libraries
that these import: they are most of its memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import Any

View = Callable[..., Any]


class LazyView:
    """A view by the names of its module and its function or class; attributes are read from that view."""

    def __init__(self, module: str, name: str, make: Callable[[Any], View] = lambda view: view) -> None:
        self.__module__, self.__name__, self.__qualname__ = module, name.rpartition(".")[2], name
        self._make = make

    @cached_property
    def _view(self) -> View:
        return self._make(getattr(import_module(self.__module__), self.__name__))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._view(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        # Django asks every view for this when it first needs an address.
        if name == "view_class":
            raise AttributeError(name)
        return getattr(self._view, name)


class LazyViews:
    """The views of a module, which is imported with the first request for one.

    `LazyViews("app.views").page` is the function `page`, `LazyViews("app.api").of_class("PageView")` a class.
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> LazyView:
        return LazyView(self._module, name)

    def of_class(self, name: str, **options: Any) -> LazyView:
        """The view of a class, made with `as_view(**options)`."""
        return LazyView(self._module, name, lambda view_class: view_class.as_view(**options))
