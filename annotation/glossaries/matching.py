"""Where the terms of a glossary occur in a text, in any form, by the stems of their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from annotation.text.stems import stem
from annotation.text.tokens import UNSPACED, base_language, tokenize

Match = tuple[int, int, int]
"""The first token of a term, the one after its last, and the number of its entry."""


MOST_ENTRIES_OF_A_PHRASE = 20
"""How many entries are shown for words that are a term, or a translation, in more than that."""


@dataclass(slots=True)
class _Node:
    """A node in a trie of phrases, by their next word or character; `entries` of the phrase that ends here."""

    after: dict[str, _Node] = field(default_factory=dict)
    entries: list[int] = field(default_factory=list)


class Finder:
    """Finds phrases in texts of one language.

    A word all in capitals (an acronym) is found only in capitals; all others by their stems, in any case.
    """

    def __init__(self, phrases: Iterable[tuple[str, int]], language: str) -> None:
        """`phrases`: each with the number of its entry."""
        self.language = base_language(language)
        # Without spaces, how a term is split into words depends on the text around it.
        self.unspaced = self.language in UNSPACED
        self.root = _Node()
        for phrase, entry in phrases:
            node = self.root
            for key in self._keys(phrase):
                node = node.after.setdefault(key, _Node())
            if node is not self.root and entry not in node.entries and len(node.entries) < MOST_ENTRIES_OF_A_PHRASE:
                node.entries.append(entry)

    def find(self, text: str, tokens: Sequence[Sequence[int]]) -> list[Match]:
        """The matches in a text, in order; at each token the longest one counts, and they do not overlap."""
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
        # A word in capitals is also looked up unchanged.
        keys = [(_exact(word), key) if _capitals(word) else (key,) for word, key in zip(words, stems, strict=True)]
        for start in range(len(tokens)):
            nodes, longest = [self.root], (0, self.root)
            for at in range(start, len(tokens)):
                nodes = [node.after[key] for node in nodes for key in keys[at] if key in node.after]
                if not nodes:
                    break
                longest = next(((at + 1, node) for node in nodes if node.entries), longest)
            if longest[0]:
                yield start, longest[0], longest[1].entries

    def _unspaced(self, text: str, tokens: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, list[int]]]:
        ends = {end: at + 1 for at, (_, end) in enumerate(tokens)}
        for at, (start, _) in enumerate(tokens):
            node, longest = self.root, (0, self.root)
            for position in range(start, len(text)):
                following = node.after.get(text[position])
                if following is None:
                    break
                node = following
                if node.entries and position + 1 in ends:
                    longest = (ends[position + 1], node)
            if longest[0]:
                yield at, longest[0], longest[1].entries


def _capitals(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def _exact(word: str) -> str:
    return f"\0{word}"
