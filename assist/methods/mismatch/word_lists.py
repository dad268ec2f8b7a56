"""A language's words for an English word, from the core lexicon: numerals, frequencies, words of logic."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import cache

from annotation.text.tokens import base_language
from assist.methods.lexicon import core

_ONES = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_TENS = ("ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMERALS: Mapping[str, Decimal] = {
    **{word: Decimal(value) for words in (_ONES, _ORDINALS) for value, word in enumerate(words, 1)},
    **{word: Decimal(10 * value) for value, word in enumerate(_TENS, 1)},
    **{"hundred": Decimal(100), "thousand": Decimal(1000), "million": Decimal(1_000_000), "half": Decimal("0.5")},
    **{"once": Decimal(1), "twice": Decimal(2), "both": Decimal(2), "double": Decimal(2)},
}


@cache
def translations(word: str, language: str) -> tuple[str, ...]:
    """What the core lexicon has for an English word, in lower case; the word itself in English."""
    if base_language(language) == core.SHARED:
        return (word,)
    return _table(base_language(language)).get(word, ())


@cache
def _table(language: str) -> Mapping[str, tuple[str, ...]]:
    return {entry.word: tuple(each.lower() for each in entry.translations) for entry in core.entries(language)}


@cache
def numerals(language: str) -> Mapping[str, Decimal]:
    """The number words of a language with their values, as far as the lexicon has them."""
    return {each: value for word, value in _NUMERALS.items() for each in translations(word, language)}
