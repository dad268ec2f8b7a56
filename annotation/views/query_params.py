"""Numbers in query parameters and plain form fields."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.number_parsing import MAX_INTEGER, NumberError, parse_integer


def number_param(params: Mapping[str, str], name: str, default: int | None = None, *, low: int = 0) -> int | None:
    """The whole number from `low` of parameter `name`; `default` if it is missing or empty. Raises Invalid."""
    text = params.get(name, "")
    if not text:
        return default
    try:
        return parse_integer(text, low)
    except NumberError as error:
        message = _("Expected a whole number from %(low)s to %(high)s.") % {"low": low, "high": MAX_INTEGER}
        raise Invalid(message, where=name, hint=_("Correct the address, or reopen the page.")) from error
