"""Display of numbers and codes in templates of all apps: `{% load diptych %}`."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.translation import get_language_info, gettext_lazy
from django.utils.translation import gettext as _

from annotation.display_names import OUTCOMES, PHASE_NAMES, ROLES
from annotation.vocabulary import Status

register = template.Library()
UNKNOWN_TO_DJANGO = {"zh": gettext_lazy("Chinese")}
"""Django has Chinese only by its two scripts."""


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds as '1 h 5 min', '12 min' or '40 s'; '–' for None."""
    if not seconds:
        return "–"
    whole = round(seconds)
    if whole < 60:
        return _("%(n)s s") % {"n": whole}
    minutes = round(whole / 60)
    if minutes < 60:
        return _("%(n)s min") % {"n": minutes}
    return _("%(hours)s h %(minutes)s min") % {"hours": minutes // 60, "minutes": minutes % 60}


@register.filter
def grouped(count: int | None) -> str:
    """A count in the user's language, with a thousands separator from 10,000 up; '' for None."""
    return "" if count is None else str(number_format(count, force_grouping=count > 9_999))


@register.filter
def language_name(code: str) -> str:
    """The name of a language in the user's language; an unknown code is returned unchanged."""
    try:
        return str(get_language_info(code)["name_translated"])
    except KeyError:
        return str(UNKNOWN_TO_DJANGO.get(code, code))


@register.filter
def item(mapping: Any, key: Any) -> Any:
    """`mapping[key]`, or None."""
    return mapping.get(key) if mapping else None


@register.filter
def phase_name(phase: str) -> str:
    return str(PHASE_NAMES.get(phase, phase))


@register.filter
def role_name(role: str) -> str:
    return str(dict(ROLES).get(role, role))


@register.filter
def outcome(assignment: Any) -> str:
    """The outcome of an assignment in one or two words."""
    annotation = getattr(assignment, "annotation", None)
    verdict = annotation.verdict if annotation and assignment.status != Status.REASSIGNED else ""
    return str(OUTCOMES.get(verdict or assignment.status, assignment.status))
