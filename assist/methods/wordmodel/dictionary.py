"""Translations in bilingual word lists, as similarities of stems, before any text is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from assist.methods.base import MethodError, WordLists
from assist.methods.lexicon import dictd, sources
from assist.methods.lexicon.entries import TermEntry, reverse_entries
from assist.methods.shared import strings
from assist.methods.shared.function_words import function_words
from assist.phrases.run_phrases import BAD_DICTIONARY

if TYPE_CHECKING:
    from scipy import sparse

WORD = 0.8
"""The similarity of two words that a list gives as translations; texts may still use them differently."""

PHRASE = 0.4
"""That of a word and one of the words of a phrase that translates it."""

GLOSSARY = "glossary"
AGREED, AGREED_PHRASE = 0.95, 0.6
"""The same for a project's glossary, which was written for these texts."""

INSTALLED_SIMILARITY = 0.4
"""For two words of an installed dictionary: it lists rare meanings too."""

_LIGHT = 20
"""A word in the phrases of more entries than this (a light verb, a preposition) says nothing about them."""


@dataclass(frozen=True)
class StemDictionary:
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
def dictionary_between(language_a: str, language_b: str) -> StemDictionary:
    """The dictionary of two languages (their base codes); an empty one if there is no list."""
    return dictionary(sources.entries(language_a, language_b), (language_a, language_b))


def dictionary(
    entries: Iterable[TermEntry], languages: tuple[str, str], word: float = WORD, phrase: float = PHRASE
) -> StemDictionary:
    """Entries by the stems of their words; words of phrases weakly, and those found in many phrases not at all.

    ``word`` and ``phrase`` are the similarities of two words, and of a word and one of a phrase.
    """
    entries = list(entries)
    light = tuple(
        {stem for stem, count in Counter(each for phrase in phrases for each in set(phrase)).items() if count > _LIGHT}
        for phrases in (
            [_stems(entry.word, languages[0]) for entry in entries if " " in entry.word],
            [_stems(each, languages[1]) for entry in entries for each in entry.translations if " " in each],
        )
    )
    stems: dict[str, dict[str, float]] = {}
    for entry in entries:
        left = _stems(entry.word, languages[0])
        for translation in entry.translations:
            right = _stems(translation, languages[1])
            value = word if len(left) == len(right) == 1 else phrase
            for one in left if len(left) == 1 else [each for each in left if each not in light[0]]:
                similarities = stems.setdefault(one, {})
                for other in right if len(right) == 1 else [each for each in right if each not in light[1]]:
                    similarities[other] = max(value, similarities.get(other, 0.0))
    return StemDictionary(languages, stems)


def run_word_lists(
    languages: tuple[str, str], stems: tuple[Collection[str], Collection[str]], lists: WordLists
) -> StemDictionary:
    """A run's own word lists for texts with these stems: its glossary, and installed dictionaries.

    Raises MethodError if a dictionary can't be read.
    """
    agreed = [_without_function_words(entry, languages) for entry in lists.between(*languages)]
    by_stem: dict[str, dict[str, float]] = {}
    lists_of_entries = [(AGREED, AGREED_PHRASE, agreed)]
    lists_of_entries.extend(
        (INSTALLED_SIMILARITY, INSTALLED_SIMILARITY, entries)
        for entries in _installed_entries(languages, stems, lists.dictionaries)
    )
    for word, phrase, entries in lists_of_entries:
        for one, others in dictionary(entries, languages, word, phrase).stems.items():
            if one in stems[0]:
                similarities = by_stem.setdefault(one, {})
                for other, value in others.items():
                    if other in stems[1]:
                        similarities[other] = max(value, similarities.get(other, 0.0))
    return StemDictionary(languages, {one: others for one, others in by_stem.items() if others})


def covered_stems(languages: tuple[str, str], stems: Collection[str], lists: WordLists) -> dict[str, Collection[str]]:
    """Which stems of the first language have an entry: in the glossary, and in each dictionary that translates from it.

    Lists for other languages are ignored. Raises MethodError if a dictionary can't be read.
    """
    agreed = [_without_function_words(entry, languages) for entry in lists.between(*languages)]
    stems_by_list: dict[str, Collection[str]] = {GLOSSARY: dictionary(agreed, languages).stems.keys()} if agreed else {}
    for each in dictd.dictionaries_between(sources.dictionaries(), *languages):
        if each.name in lists.dictionaries and each.source == languages[0]:
            stems_by_list[each.name] = {strings.stem(entry.word, languages[0]) for entry in _look_up(each, stems)}
    return stems_by_list


def _look_up(each: dictd.DictdDictionary, stems: Collection[str]) -> list[TermEntry]:
    try:
        return dictd.look_up(each, frozenset(stems), dictd.stem_prefixes(stems))
    except (dictd.DictionaryError, OSError) as error:
        raise MethodError(BAD_DICTIONARY.with_params(error=str(error))) from error


def _installed_entries(
    languages: tuple[str, str], stems: tuple[Collection[str], Collection[str]], names: Collection[str]
) -> Iterator[list[TermEntry]]:
    """The entries of each installed dictionary of these languages, of single words, from the first language."""
    for each in dictd.dictionaries_between(sources.dictionaries(), *languages):
        if each.name in names:
            forward = each.source == languages[0]
            entries = _look_up(each, stems[0] if forward else stems[1])
            single = [
                TermEntry(entry.word, tuple(word for word in entry.translations if " " not in word))
                for entry in entries
            ]
            yield single if forward else reverse_entries(single)


def _without_function_words(entry: TermEntry, languages: tuple[str, str]) -> TermEntry:
    """An entry without the function words in its phrases, unless they hold nothing else."""
    return TermEntry(
        _content(entry.word, languages[0]), tuple(_content(each, languages[1]) for each in entry.translations)
    )


def _content(words: str, language: str) -> str:
    content_words = [word for word in words.split() if word.lower() not in function_words(language)]
    return " ".join(content_words) or words


def _stems(words: str, language: str) -> list[str]:
    return [strings.stem(word, language) for word in words.split()]
