"""Stems of words, to recognise forms of the same word: Snowball's, for the languages it has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from annotation.text.tokens import base_language

_SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali",
    "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


MIN_STEM_LENGTH = 2
"""The minimum length of a beginning that forms of a word share."""


@cache
def _stemmer(language: str) -> Any:
    import snowballstemmer

    name = _SNOWBALL.get(language)
    return snowballstemmer.stemmer(name) if name else None


@lru_cache(maxsize=400_000)
def stem(word: str, language: str) -> str:
    """The Snowball stem of a word in lower case; the word itself if its language has no stemmer."""
    stemmer = _stemmer(base_language(language))
    lower = word.lower()
    return stemmer.stemWord(lower) if stemmer is not None else lower


def endings(one: str, two: str) -> Iterator[tuple[str, str]]:
    """What follows in two words after each beginning that they have in common, longest first."""
    common = next(
        (index for index, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two))
    )
    for index in range(common, MIN_STEM_LENGTH - 1, -1):
        yield one[index:], two[index:]
