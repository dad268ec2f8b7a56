"""What the API's document says of an operation, stated beside it.

drf-spectacular's own `extend_schema` imports the generator of the document, and with it Django's test client and
Jinja: a tenth of a web process's memory, for a page that hardly anybody opens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Handler = TypeVar("Handler", bound=Callable[..., Any])


def documented(**schema: Any) -> Callable[[Handler], Handler]:
    """Describe the method of an API view; `schema` is what `extend_schema` takes, and `example`, a request's body."""

    def keep(handler: Handler) -> Handler:
        handler.documentation = schema  # type: ignore[attr-defined]
        return handler

    return keep
