"""Registries: things that describe themselves in their own modules, found by name without being listed anywhere."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, MutableMapping
from typing import Protocol, TypeVar


class NamedItem(Protocol):
    """Something that has a name."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=NamedItem)


class Registry(MutableMapping[str, T]):
    """Everything that modules of `package` register, by name, and in the order of names.

    The modules are imported when the registry is first read, so that they can import the module that defines it.
    Modules of other packages can register things too.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._own: dict[str, T] = {}
        self._complete = False

    def register(self, item: T) -> T:
        """Register `item` under its name. Raises ValueError if something else has that name."""
        if self._own.setdefault(item.name, item) is not item:
            raise ValueError(f"{self._package}: two are named '{item.name}'")
        return item

    def _all(self) -> dict[str, T]:
        if not self._complete:
            modules_import(self._package)
            self._complete = True
        return self._own

    def __getitem__(self, name: str) -> T:
        return self._all()[name]

    def __setitem__(self, name: str, item: T) -> None:
        self._all()[name] = item

    def __delitem__(self, name: str) -> None:
        del self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._all()))

    def __len__(self) -> int:
        return len(self._all())


def modules_import(package: str) -> None:
    """Import every module of a package, in the order of their names."""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        importlib.import_module(f"{package}.{module.name}")
