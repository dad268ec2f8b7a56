"""What all endpoints share: how requests are parsed, how lists are paged, and what refusals are documented."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.serializers import ListSerializer, Serializer

from annotation.errors import Invalid
from annotation.serializers.base import ErrorSerializer, Fields
from annotation.strict_json import display_text

REFUSALS: dict[int, Any] = {403: ErrorSerializer, 404: ErrorSerializer}
BODY_REFUSALS: dict[int, Any] = {400: ErrorSerializer, 415: ErrorSerializer, 422: ErrorSerializer}
"""For views that read a body: invalid JSON, another media type, JSON of the wrong shape."""
MAX_REASON_LENGTH = 200
"""Characters of what the framework says of a value, which it repeats whole."""
ACT_REFUSALS: dict[int, Any] = {**REFUSALS, 400: ErrorSerializer, 409: ErrorSerializer, 415: ErrorSerializer}
"""For views that need no body. If one is sent, it is read only to look for a form's token."""


def validated_body(serializer: type[Fields], request: Request, *, closed: bool = False) -> dict[str, Any]:
    """The request's body in the serializer's shape. Raises Invalid naming the first invalid field.

    `closed`: fields that the serializer, or one inside it, doesn't have are invalid too.
    """
    form = serializer(data=request.data)
    if closed:
        _check_closed(form, request.data)
    return _validated(form)


def _check_closed(form: Any, data: Any, path: str = "") -> None:
    """Raises Invalid for the first field that a serializer, or one inside it, doesn't have."""
    if isinstance(form, ListSerializer) and isinstance(data, list):
        for index, each in enumerate(data):
            _check_closed(form.child, each, f"{path}[{index}]")
    if not isinstance(form, Serializer) or not isinstance(data, Mapping):
        return
    inside = f"{path}." if path else ""
    for key in sorted(map(str, data.keys() - form.fields.keys())):
        reason = _("There is no such field. Available: %(fields)s.") % {"fields": ", ".join(form.fields)}
        raise Invalid(reason, where=f"{inside}{display_text(key)}", hint="/api/docs/")
    for name, field in form.fields.items():
        _check_closed(field, data.get(name), f"{inside}{name}")


def validated_query(serializer: type[Fields], request: Request) -> dict[str, Any]:
    """The parameters of an address in the serializer's shape. Raises Invalid naming the first invalid one."""
    return _validated(serializer(data=request.query_params))


def requested_page(rows: Any, query: Mapping[str, Any]) -> Page[Any]:
    """The page that `PageSerializer` asks for, of a query or list; the last one if there are fewer."""
    return Paginator(rows, query["size"]).get_page(query["page"])


def page_json(page: Page[Any]) -> dict[str, int]:
    """Which part of a list a page is, as `PagedSerializer` says it."""
    return {"count": page.paginator.count, "page": page.number, "pages": page.paginator.num_pages}


def _validated(form: Fields) -> dict[str, Any]:
    if form.is_valid():
        return dict(form.validated_data)
    where, reason = _first_error(form.errors)
    raise Invalid(display_text(reason, MAX_REASON_LENGTH), where=where, hint="/api/docs/")


def _first_error(errors: Any, path: str = "") -> tuple[str, str]:
    """The first of DRF's nested errors: its path, such as `words[1].start`, and its message."""
    if isinstance(errors, dict):
        key, inner = next((key, inner) for key, inner in errors.items() if inner)
        if isinstance(key, int):
            return _first_error(inner, f"{path}[{key}]")
        if path and key == "non_field_errors":  # it is the object itself
            return _first_error(inner, path)
        return _first_error(inner, f"{path}.{key}" if path else key)
    return path, str(errors[0]) if isinstance(errors, list) else str(errors)
