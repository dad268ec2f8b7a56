"""Why rows of an import were rejected, what it warns of, and what an export omits, for pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext

from annotation.formats.omissions import omission_phrase
from annotation.formats.record import Rejection
from annotation.formats.source_warnings import warning_phrase
from annotation.phrases import Phrase

register = template.Library()


@register.filter
def rejection_reason(rejection: Rejection | Mapping[str, Any]) -> str:
    """The reason in the reader's language, whichever the worker that stored it used.

    Imports of earlier versions stored it in English only.
    """
    if isinstance(rejection, Rejection):
        return rejection.phrase.text(gettext)
    stored = rejection.get("phrase")
    return Phrase.from_json(stored).text(gettext) if stored else str(rejection["reason"])


@register.filter
def warning_words(stored: str) -> str:
    """A warning, which is stored in English, in the reader's language."""
    return warning_phrase(stored).text(gettext)


@register.filter
def omission_words(stored: str) -> str:
    """What an export omits, which is stored in English, in the reader's language."""
    return omission_phrase(stored).text(gettext)
