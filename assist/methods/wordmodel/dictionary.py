"""What bilingual word lists hold for translations of each other: similarities of stems, before any text is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from assist.methods import strings
from assist.methods.lexicon import sources
from assist.methods.lexicon.entries import Entry

if TYPE_CHECKING:
    from scipy import sparse

WORD = 0.8
"""The similarity of two words that a list gives for translations of each other: texts may still mean something else."""

PHRASE = 0.4
"""That of a word and one of the words of a phrase that translates it."""

_LIGHT = 20
"""A word in the phrases of more entries than this (a light verb, a preposition) says nothing of any of them."""


@dataclass(frozen=True)
class Dictionary:
    """By stem of the first language, the stems of the second with their similarities in (0, 1]."""

    languages: tuple[str, str]
    stems: Mapping[str, Mapping[str, float]]

    def similar(self, forms_a: Sequence[str], forms_b: Sequence[str]) -> sparse.csr_matrix:
        """Similarities in [0, 1] of lower-case words of the first language (rows) and of the second (columns)."""
        at: dict[str, list[int]] = {}
        for column, form in enumerate(forms_b if self.stems else ()):
            at.setdefault(strings.stem(form, self.languages[1]), []).append(column)
        rows: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        for row, form in enumerate(forms_a):
            for stem, value in self.stems.get(strings.stem(form, self.languages[0]), {}).items():
                for column in at.get(stem, ()):
                    rows.append(row)
                    columns.append(column)
                    values.append(value)
        return strings.table(values, rows, columns, (len(forms_a), len(forms_b)))


@lru_cache(maxsize=8)
def between(language_a: str, language_b: str) -> Dictionary:
    """The dictionary of two languages (their base codes); an empty one where no list is known."""
    return dictionary(sources.entries(language_a, language_b), (language_a, language_b))


def dictionary(entries: Iterable[Entry], languages: tuple[str, str]) -> Dictionary:
    """Entries by the stems of their words; words of phrases weakly, and those found in many phrases not at all."""
    entries = list(entries)
    light = tuple(
        {stem for stem, count in Counter(each for phrase in phrases for each in set(phrase)).items() if count > _LIGHT}
        for phrases in (
            [_stems(entry.word, languages[0]) for entry in entries if " " in entry.word],
            [_stems(each, languages[1]) for entry in entries for each in entry.translations if " " in each],
        )
    )
    found: dict[str, dict[str, float]] = {}
    for entry in entries:
        left = _stems(entry.word, languages[0])
        for translation in entry.translations:
            right = _stems(translation, languages[1])
            value = WORD if len(left) == len(right) == 1 else PHRASE
            for one in left if len(left) == 1 else [each for each in left if each not in light[0]]:
                held = found.setdefault(one, {})
                for other in right if len(right) == 1 else [each for each in right if each not in light[1]]:
                    held[other] = max(value, held.get(other, 0.0))
    return Dictionary(languages, found)


def _stems(words: str, language: str) -> list[str]:
    return [strings.stem(word, language) for word in words.split()]
