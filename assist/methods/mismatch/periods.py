"""How often something happens or is due: 'per year', 'monatlich', '每月'."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from annotation.text.tokens import base_language
from assist.methods.mismatch.locale_words import locale_words
from assist.methods.mismatch.quantities import Quantity
from assist.methods.mismatch.word_lists import translations

_PERIODS = ("hour", "day", "week", "month", "year")
_ADVERBS = {"hourly": 0, "daily": 1, "weekly": 2, "monthly": 3, "yearly": 4, "annual": 4, "annually": 4}
_SPACELESS = {"zh", "ja"}


def periods(text: str, language: str) -> Iterator[Quantity]:
    """The periods that a text names; their interpretation is the index of hour, day, week, month or year."""
    pattern, indices = _pattern(language)
    for match in pattern.finditer(text):
        word = (match["unit"] or match["adverb"]).lower()
        yield Quantity("period", frozenset({(indices[word],)}), "", *match.span())


@cache
def _pattern(language: str) -> tuple[re.Pattern[str], dict[str, int]]:
    each = {word for name in ("per", "each", "every") for word in translations(name, language) if len(word) > 1}
    each |= {word for word in translations("every", language) if base_language(language) in _SPACELESS}
    units = {
        word: _PERIODS.index(code.removeprefix("duration-"))
        for word, code in locale_words(language).units.items()
        if code.removeprefix("duration-") in _PERIODS and (len(word) > 2 or base_language(language) in _SPACELESS)
    }
    units.update((word, index) for index, name in enumerate(_PERIODS) for word in translations(name, language))
    adverbs = {
        word: index
        for name, index in _ADVERBS.items()
        for word in translations(name, language)
        if word not in units and " " not in word
    }
    spaceless = base_language(language) in _SPACELESS
    # In other languages a word may have one or two more letters at its end: 'jedes', 'monatlichen'.
    edge, ending, gap = ("", "", "") if spaceless else (r"\b", r"\w{0,2}\b", r"\s+")
    # 'per square metre and year': something else may be counted first.
    measured = "" if spaceless else rf"(?:(?:[\w²]+\s+){{1,3}}(?:{_any_of(set(translations('and', language)))})\s+)?"
    parts = (
        rf"{edge}(?:{_any_of(each)}){ending}{gap}{measured}(?P<unit>{_any_of(units)}){edge}",
        rf"{edge}(?P<adverb>{_any_of(adverbs)}){ending}",
    )
    return re.compile("|".join(parts), re.IGNORECASE), {**adverbs, **units}


def _any_of(words: set[str] | dict[str, int]) -> str:
    """A pattern for any of the words, the longest first; it never matches if there are none."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or r"(?!)"
