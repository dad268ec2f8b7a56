"""Fields of the scheme editor: `{% load scheme %}`."""

from __future__ import annotations

from typing import Any

from django import template

register = template.Library()


@register.inclusion_tag("annotation/_scheme_field.html", takes_context=True)
def cell(
    context: template.Context,
    name: str,
    label: str,
    wide: bool = False,
    locked: object = False,
    value: str | None = None,
) -> dict[str, Any]:
    """A field of the row that the template calls `row`, whose fields' names begin with `prefix`.

    Without a `value` it is the row's attribute of that name.
    """
    row = context["row"]
    return {
        "prefix": context["prefix"],
        "name": name,
        "label": label,
        "value": getattr(row, name) if value is None else value,
        "error": row.errors.get(name, ""),
        "wide": wide,
        "locked": bool(locked),
    }
