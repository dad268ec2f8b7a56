"""Replaces Django's `csrf_token` in every template: a form also says who filled it in."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

CSRF_FIELD = "csrfmiddlewaretoken"
OWNER_FIELD = "filled_in_by"
"""The field in every form for the user whom its page was made for."""
register = template.Library()


@register.simple_tag(takes_context=True)
def csrf_token(context: dict[str, Any]) -> SafeString:
    """The hidden fields of a form: the token, and the user that the page was made for, if there is one.

    A page may stay open while another person logs in with the same browser: see `config.form_owner`.
    """
    owner = getattr(context.get("user"), "pk", None)
    return sent_fields(context, str(owner or ""))


@register.simple_tag(takes_context=True)
def sent_fields(context: dict[str, Any], owner: str) -> SafeString:
    """The same for a form that is sent again: its owner is still the person who first filled it in."""
    token = format_html('<input type="hidden" name="{}" value="{}">', CSRF_FIELD, context.get("csrf_token") or "")
    if not owner:
        return token
    return token + format_html('<input type="hidden" name="{}" value="{}">', OWNER_FIELD, owner)
