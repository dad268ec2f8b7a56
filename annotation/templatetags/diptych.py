"""Display of numbers and codes in templates of all apps: `{% load diptych %}`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django import template
from django.forms import BoundField
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info, gettext_lazy
from django.utils.translation import gettext as _

from annotation import scheme_words
from annotation.costs import cents, hours_of
from annotation.display_names import (
    INELIGIBLE_FOR_RETRY,
    NOT_COMPARED,
    OUTCOMES,
    QUALIFICATION_STATES,
    QUALIFICATION_STEPS,
    READING_LEVELS,
    ROLES,
    SPAN_DIFFERENCES,
    format_agreement,
    format_count,
    phase_counts,
    phase_name,
    signed_minutes,
)
from annotation.plots import min_width
from annotation.text.schemes import Scheme
from annotation.vocabulary import Status

register = template.Library()
UNKNOWN_TO_DJANGO = {"zh": gettext_lazy("Chinese"), "und": gettext_lazy("unknown language")}
"""Django has Chinese only by its two scripts, and no language that isn't known."""


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


register.filter(signed_minutes)


@register.filter
def hours(seconds: int) -> str:
    """Seconds in hours, with two decimals."""
    # A float would be cut off, not rounded.
    return str(number_format(hours_of(seconds), 2))


@register.filter
def label_name(key: str, scheme: Scheme) -> str:
    """A label, or two as 'one / other', by the names that a lead gave them."""
    return " / ".join(scheme_words.label_name(scheme, each) for each in key.split(" / "))


@register.filter
def label_colour(key: str, scheme: Scheme) -> str:
    """The colour class of a label; '' for one that the scheme does not have."""
    return next((f"c-{each.colour}" for each in scheme.labels if each.key == key), "")


@register.filter
def money(amount: Decimal | None) -> str:
    """An amount with two decimals, rounded half up, in the user's format; '–' for None."""
    return "–" if amount is None else str(number_format(cents(amount), 2, force_grouping=amount > 9_999))


@register.filter
def amount(cost: float) -> str:
    """A computed cost in the user's format: with two decimals from 1 on, else with four; '0' if there is none."""
    decimals = (2 if cost >= 1 else 4) if cost else 0
    # A float would be cut off, not rounded.
    rounded = Decimal(cost).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
    return str(number_format(rounded, decimals, force_grouping=cost > 9_999))


register.filter("grouped", format_count)


class Count(int):
    """A count that is written as `format_count` writes it, and still decides between singular and plural."""

    def __str__(self) -> str:
        return format_count(int(self))


@register.filter
def counted(count: int | None) -> Count:
    """A count for `{% blocktranslate count n=… %}`."""
    return Count(count or 0)


@register.filter
def least_pixels(picture: str) -> str:
    """The width in CSS from which on the labels of a plot can be read."""
    return f"{min_width(picture)}px"


@register.filter
def hidden_input(field: BoundField) -> SafeString:
    """A field's value as hidden input, without an id: that is the one of the visible field on the same page."""
    return field.as_hidden(attrs={"id": False})


@register.simple_tag
def percentage(share: float) -> str:
    """A share between 0 and 1 as a percentage."""
    return _("%(n)s%%") % {"n": number_format(round(100 * share), 0)}


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


register.filter(phase_name)


@register.filter
def pairs_by_phase(pairs: Mapping[str, Collection[Any]]) -> str:
    return phase_counts({phase: len(each) for phase, each in pairs.items()})


@register.filter
def role_name(role: str) -> str:
    return str(dict(ROLES).get(role, role))


@register.filter
def level_name(level: str) -> str:
    return str(dict(READING_LEVELS).get(level, level))


@register.filter
def subtract(number: int, other: int) -> int:
    """A difference: 'add' has no minus."""
    return number - other


@register.filter
def agreement_value(value: float | str | None) -> str:
    """The value as `format_agreement` shows it; '–' also for what a template does not find."""
    return format_agreement(None if isinstance(value, str) else value)


@register.filter
def translated(message: str) -> str:
    """What a measure says of itself, in the user's language."""
    return _(message)


@register.filter
def qualification_name(code: str) -> str:
    """Someone's status in the qualification, why a pair is not compared, how a span differs."""
    for names in (QUALIFICATION_STATES, NOT_COMPARED, SPAN_DIFFERENCES):
        if code in names:
            return str(names[code])
    return code


@register.filter
def qualification_step(code: str) -> str:
    """What a lead said or decided."""
    return str(QUALIFICATION_STEPS.get(code, code))


@register.filter
def ineligible_for_retry(code: str) -> str:
    """Why someone can't be assigned a pair for a retry."""
    return str(INELIGIBLE_FOR_RETRY.get(code, code))


@register.filter
def outcome(assignment: Any) -> str:
    """The outcome of an assignment in one or two words."""
    annotation = getattr(assignment, "annotation", None)
    verdict = annotation.verdict if annotation and assignment.status != Status.REASSIGNED else ""
    return str(OUTCOMES.get(verdict or assignment.status, assignment.status))
