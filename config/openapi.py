"""Additions to the API's document for every operation: the header that names a page's user, 503, 507, JSON only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from threading import Lock
from typing import Any

from django.urls import resolve
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiExample, extend_schema

from annotation.middleware import SameUserMiddleware
from config.archive_guard import ALLOWED
from config.temporary_errors import RETRY_SECONDS

SAME_USER = {
    "name": SameUserMiddleware.HEADER,
    "in": "header",
    "required": False,
    "schema": {"type": "string"},
    "description": (
        "The id of the user for whom the request is meant. If another user is logged in, the response is 403 with "
        "the code 'other-user', and nothing is returned or saved. Without the header, any logged-in user is accepted."
    ),
}
BUSY = {
    "description": "The database is busy. Nothing was changed; send the same request again later.",
    "headers": {
        "Retry-After": {
            "description": "Seconds to wait before the request is sent again.",
            "schema": {"type": "integer", "example": RETRY_SECONDS},
        }
    },
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}
NOT_STORED = {
    "description": "The server's disk is full (`disk-full`) or protected (`disk-protected`). Nothing was changed.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}
NOT_ACCEPTABLE = {
    "description": "The request's Accept header allows no JSON.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}
UNKNOWN_TOKEN = {
    "description": "The token in the Authorization header is unknown, has expired, or was revoked.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}
TOO_MANY = {
    "description": "Too many requests by tokens. Nothing was changed; send the same request again later.",
    "headers": {
        "Retry-After": {
            "description": "Seconds to wait before the request is sent again.",
            "schema": {"type": "integer", "example": 1},
        }
    },
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}
ARCHIVED = {
    "description": "The project is archived (`archived`): it can be read, not changed.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}
METHODS = ("get", "put", "post", "patch", "delete")


class OneAtATime(SchemaGenerator):
    """Makes the document in one thread at a time.

    Where several make the first one, drf-spectacular loads its extensions twice, and fails from then on.
    """

    _making = Lock()

    def get_schema(self, *args: Any, **kwargs: Any) -> Any:
        with self._making:
            return super().get_schema(*args, **kwargs)  # type: ignore[no-untyped-call]


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the document describes `Authorization: Bearer TOKEN`."""

    target_class = "config.token_authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


def _name(address: str) -> str:
    """The name of an address by its pattern: '1' is an argument of every kind."""
    return resolve(re.sub(r"{\w+}", "1", address)).url_name or ""


def describe_documented(endpoints: list[tuple[str, str, str, Any]], **_: Any) -> list[tuple[str, str, str, Any]]:
    """A drf-spectacular hook: tells it what `annotation.api_docs.documented` noted of each operation."""
    for _path, _regex, method, callback in endpoints:
        handler: Any = getattr(callback.cls, method.lower(), None)
        schema = getattr(handler, "documentation", None)
        if schema and not hasattr(handler, "kwargs"):  # what drf-spectacular notes, once in a process
            extend_schema(**_with_example(schema))(handler)
    return endpoints


def _with_example(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What `extend_schema` takes, with the body of a request as its example."""
    options = dict(schema)
    if (body := options.pop("example", None)) is not None:
        options["examples"] = [OpenApiExample("A request", value=body, request_only=True)]
    return options


def describe_every_operation(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A drf-spectacular hook: adds to each operation what the site's middlewares and error handler do."""
    for address, path in result["paths"].items():
        for method in METHODS:
            if operation := path.get(method):
                operation.setdefault("parameters", []).append(SAME_USER)
                operation["responses"] |= {"401": UNKNOWN_TOKEN, "406": NOT_ACCEPTABLE, "503": BUSY, "507": NOT_STORED}
                operation["responses"].setdefault("429", TOO_MANY)
                if method != "get" and "{slug}" in address and _name(address) not in ALLOWED:
                    operation["responses"].setdefault("409", ARCHIVED)
    return result
