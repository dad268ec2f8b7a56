"""How much of the texts word lists cover: the share of running content words with an entry for the other language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from annotation.text.tokens import base_language
from assist.methods.base import TextSide, WordLists
from assist.methods.shared import strings
from assist.methods.shared.function_words import function_words
from assist.methods.wordmodel import dictionary

FREQUENT = 100
"""In a language without a list of function words, this many of the most frequent stems count as such."""

CORE = "core"
"""The word lists that come with Diptych."""


@dataclass(frozen=True)
class TextCoverage:
    """For texts in a language: the running content words, and the share in [0, 1] with an entry in the other language.

    ``shares`` holds it by word list (Diptych's, the glossary, each installed dictionary), ``all`` for all of them.
    """

    language: str
    other: str
    words: int
    shares: Mapping[str, float]
    all: float


def content(sides: Iterable[TextSide]) -> Counter[str]:
    """The stems of the content words of texts in one language: no punctuation, numbers and function words."""
    counts: Counter[str] = Counter()
    language = ""
    for side in sides:
        language = base_language(side.language)
        counts.update(
            strings.stem(word, language)
            for word in side.words()
            if strings.is_word(word) and not strings.number(word) and word.lower() not in function_words(language)
        )
    if not function_words(language):
        for stem, _ in counts.most_common(FREQUENT):
            del counts[stem]
    return counts


def coverage(stems: Counter[str], language: str, other: str, lists: WordLists) -> TextCoverage:
    """The coverage of texts with these content words. Raises MethodError if a dictionary can't be read."""
    languages = base_language(language), base_language(other)
    core: Mapping[str, Collection[str]] = {CORE: dictionary.dictionary_between(*languages).stems.keys()}
    stems_by_list = {**core, **dictionary.covered_stems(languages, stems.keys(), lists)}
    total = sum(stems.values())

    def share(listed: Collection[str]) -> float:
        return sum(count for stem, count in stems.items() if stem in listed) / total if total else 0.0

    return TextCoverage(
        *languages,
        total,
        {name: share(listed) for name, listed in stems_by_list.items()},
        share(frozenset().union(*stems_by_list.values())),
    )
