"""Display names of the report's fixed terms in the reader's language. In data and JSON the terms are unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from agreement.metrics.bootstrap import ROUGH_INTERVAL
from annotation.phrases import parse_phrase

DISTANCES: Mapping[str, Any] = {
    "nominal": gettext_lazy("nominal"),
    "ordinal": gettext_lazy("ordinal"),
    "interval": gettext_lazy("interval"),
}
KINDS: Mapping[str, Any] = {"linked": gettext_lazy("linked"), "one-sided": gettext_lazy("one-sided")}
OUTCOMES: Mapping[str, Any] = {
    "active minutes": gettext_lazy("active minutes"),
    "spans": gettext_lazy("spans"),
    "share of words marked": gettext_lazy("share of words marked"),
    "mean label": gettext_lazy("mean label"),
    "IoU of two annotators": gettext_lazy("IoU of two annotators"),
}
NOTES = (
    gettext_noop("nothing to count"),
    gettext_noop("undefined for these counts"),
    gettext_noop("only one document: no interval"),
    gettext_noop("undefined in most resamples: no interval"),
    gettext_noop("nothing was labelled by two annotators, or only one label was used: alpha is undefined"),
)
"""Notes that the metrics, which are pure, give with a number; tables translate them when they are shown."""


def note_text(note: str) -> str:
    """What the metrics say of a number, in the reader's language; '' for ''.

    Reports have notes in English, as JSON and published files do.
    """
    return parse_phrase(note, (ROUGH_INTERVAL,)).text(_)


def quote_label(label: str) -> str:
    """A label in the quotation marks of the reader's language, so that '0' is not read as a number."""
    return _("“%(label)s”") % {"label": label}


def person_name(alias: str) -> str:
    """A person's name in a sentence: one that is a number is in quotation marks, so that '0' is not read as a count."""
    return quote_label(alias) if alias.isdecimal() else alias
