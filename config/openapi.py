"""Additions to the API's document for every operation: the header that names a page's user, 503, 507, JSON only."""

from __future__ import annotations

from typing import Any

from annotation.middleware import SameUserMiddleware
from config.busy import RETRY_SECONDS

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
METHODS = ("get", "put", "post", "patch", "delete")


def describe_every_operation(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A drf-spectacular hook: adds to each operation what the site's middleware and error handler do."""
    for path in result["paths"].values():
        for method in METHODS:
            if operation := path.get(method):
                operation.setdefault("parameters", []).append(SAME_USER)
                operation["responses"] |= {"406": NOT_ACCEPTABLE, "503": BUSY, "507": NOT_STORED}
    return result
