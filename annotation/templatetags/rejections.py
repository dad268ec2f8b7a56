"""Why rows of an import were rejected, what it warns of, and what an export omits, for pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.translation import gettext

from annotation.formats.omissions import omission_phrase
from annotation.formats.record import Rejection
from annotation.formats.rejection_groups import FIRST_LOCATIONS, RejectionGroup, rejection_groups, stored_parts
from annotation.formats.source_warnings import warning_phrase
from annotation.phrases import Phrase

register = template.Library()


@register.filter
def rejection_reason(rejection: Mapping[str, Any]) -> str:
    """The reason in the reader's language, whichever the worker that stored it used."""
    return Phrase.from_json(rejection["phrase"]).text(gettext)


@register.filter
def grouped_rejections(rejections: Iterable[Rejection | Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rejections by their reasons, in the reader's language, whichever the worker that stored them used."""
    return [_shown(group) for group in rejection_groups(map(_parts, rejections))]


def _parts(rejection: Rejection | Mapping[str, Any]) -> tuple[str, Phrase, int]:
    if isinstance(rejection, Rejection):
        return rejection.where, rejection.phrase, 0
    return stored_parts(rejection)


def _shown(group: RejectionGroup) -> dict[str, Any]:
    locations = [where if inside is None else f"{where}, {inside.text(gettext)}" for where, inside in group.locations]
    return {
        "reason": group.reason.text(gettext),
        "count": group.count,
        "first": locations[:FIRST_LOCATIONS],
        "others": locations[FIRST_LOCATIONS:],
        "folded": group.count - FIRST_LOCATIONS,
        "unlisted": group.count - len(locations),
    }


@register.filter
def warning_text(stored: str) -> str:
    """A warning, which is stored in English, in the reader's language."""
    return warning_phrase(stored).text(gettext)


@register.filter
def omission_text(stored: str) -> str:
    """What an export omits, which is stored in English, in the reader's language."""
    return omission_phrase(stored).text(gettext)
