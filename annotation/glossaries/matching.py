"""Where the terms of a glossary stand in a text: as they are or in another form, by the stems of their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from annotation.text.stems import stem
from annotation.text.tokens import base_language, tokenize

Match = tuple[int, int, int]
"""The first token of a term, the one after its last, and the number of its entry."""

_UNSPACED = frozenset(("zh", "ja", "th", "km", "lo", "my"))
"""Languages without spaces between words: how a term is divided depends on what stands beside it."""


class Finder:
    """Finds phrases in texts of one language.

    A word in capitals alone (an acronym) is found only in capitals; all others by their stems, whatever their case.
    """

    def __init__(self, phrases: Iterable[tuple[str, int]], language: str) -> None:
        """`phrases` are given with the numbers of their entries."""
        self.language = base_language(language)
        self.unspaced = self.language in _UNSPACED
        found: dict[tuple[str, ...], list[int]] = {}
        for phrase, entry in phrases:
            keys = self._keys(phrase)
            if keys and entry not in found.setdefault(keys, []):
                found[keys].append(entry)
        self.by_first: dict[str, list[tuple[tuple[str, ...], list[int]]]] = {}
        for keys, entries in sorted(found.items(), key=lambda item: -len(item[0])):
            self.by_first.setdefault(keys[0], []).append((keys, entries))

    def find(self, text: str, tokens: Sequence[Sequence[int]]) -> list[Match]:
        """The matches in a text, in order; at a token the longest one counts, and they do not overlap."""
        matches: list[Match] = []
        step = self._unspaced(text, tokens) if self.unspaced else self._spaced(text, tokens)
        end = 0
        for start, after, entries in step:
            if start >= end:
                end = after
                matches.extend((start, after, entry) for entry in entries)
        return matches

    def _keys(self, phrase: str) -> tuple[str, ...]:
        if self.unspaced:
            return tuple(phrase)
        words = [phrase[start:end] for start, end in tokenize(phrase, self.language)]
        return tuple(_exact(word) if _capitals(word) else stem(word, self.language) for word in words)

    def _spaced(self, text: str, tokens: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, list[int]]]:
        words = [text[start:end] for start, end in tokens]
        stems = [stem(word, self.language) for word in words]
        # A word in capitals is looked up as it is too.
        exact = [_exact(word) if _capitals(word) else key for word, key in zip(words, stems, strict=True)]
        for start in range(len(tokens)):
            firsts = {stems[start], exact[start]}
            candidates = [each for first in firsts for each in self.by_first.get(first, ())]
            for keys, entries in sorted(candidates, key=lambda each: -len(each[0])):
                after = start + len(keys)
                if after <= len(tokens) and all(key in (stems[at], exact[at]) for at, key in enumerate(keys, start)):
                    yield start, after, entries
                    break

    def _unspaced(self, text: str, tokens: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, list[int]]]:
        ends = {end: at + 1 for at, (_, end) in enumerate(tokens)}
        for at, (start, _) in enumerate(tokens):
            for keys, entries in self.by_first.get(text[start], ()):
                after = ends.get(start + len(keys))
                if after is not None and text.startswith("".join(keys), start):
                    yield at, after, entries
                    break


def _capitals(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def _exact(word: str) -> str:
    return f"\0{word}"
