"""Where the terms of a glossary occur in a text, as they are or with inflected words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from annotation.text.inflection import is_distant, is_form, term_key, word_keys
from annotation.text.tokens import UNSPACED, base_language, tokenize

Match = tuple[int, int, int]
"""The first token of a term, the one after its last, and the number of its entry."""


MAX_ENTRIES_PER_PHRASE = 20
"""How many entries are shown for words that are a term, or a translation, in more than that."""


MAX_SPELLINGS = 20
"""Phrases of the same stems that are told apart."""

MAX_KNOWN = 50_000
"""Results that a finder keeps, since words come again."""

Words = tuple[str, ...]


@dataclass(slots=True)
class _Node:
    """A node in a trie of phrases, by their next word or character; `entries` of the phrases that end here."""

    after: dict[str, _Node] = field(default_factory=dict)
    entries: dict[Words, list[int]] = field(default_factory=dict)


class Finder:
    """Finds phrases in texts of one language.

    A word all in capitals (an acronym) is found only in capitals; all others in whatever form and case: by their
    stems first, and among words of the same stem those that are inflected, not derived.
    """

    def __init__(self, phrases: Iterable[tuple[str, int]], language: str) -> None:
        """`phrases`: each with the number of its entry."""
        self.language = base_language(language)
        # Without spaces, how a term is split into words depends on the text around it.
        self.unspaced = self.language in UNSPACED
        self.root = _Node()
        self._known: dict[tuple[int, Words], list[int]] = {}
        for phrase, entry in phrases:
            words = self._words(phrase)
            node = self.root
            for key in words if self.unspaced else map(self._key, words):
                node = node.after.setdefault(key, _Node())
            if node is self.root or (words not in node.entries and len(node.entries) >= MAX_SPELLINGS):
                continue
            entries = node.entries.setdefault(words, [])
            if entry not in entries and len(entries) < MAX_ENTRIES_PER_PHRASE:
                entries.append(entry)

    def find(self, text: str, tokens: Sequence[Sequence[int]]) -> list[Match]:
        """The matches in a text, in order; at each token the longest one counts, and they do not overlap."""
        matches: list[Match] = []
        step = self._unspaced(text, tokens) if self.unspaced else self._spaced(text, tokens)
        end = 0
        for start, after, entries in step:
            if start >= end:
                end = after
                matches.extend((start, after, entry) for entry in entries[:MAX_ENTRIES_PER_PHRASE])
        return matches

    def _words(self, phrase: str) -> Words:
        if self.unspaced:
            return tuple(phrase)
        return tuple(phrase[start:end] for start, end in tokenize(phrase, self.language))

    def _key(self, word: str) -> str:
        return _exact(word) if _capitals(word) else term_key(word, self.language)

    def _spaced(self, text: str, tokens: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, list[int]]]:
        words = [text[start:end] for start, end in tokens]
        # A word in capitals is also looked up unchanged.
        keys = [(*([_exact(word)] if _capitals(word) else []), *word_keys(word, self.language)) for word in words]
        for start in range(len(tokens)):
            nodes, longest, matches = [self.root], 0, list[int]()
            for index in range(start, len(tokens)):
                nodes = [node.after[key] for node in nodes for key in keys[index] if key in node.after]
                if not nodes:
                    break
                # The first key is that of the word as it is.
                forms = (self._inflected(node, words[start : index + 1]) for node in nodes)
                if entries := next(filter(None, forms), None):
                    longest, matches = index + 1, entries
            if longest:
                yield start, longest, matches

    def _inflected(self, node: _Node, words: Sequence[str]) -> list[int]:
        """The entries of the phrases that these words, which have their stems, are forms of; in order."""
        if not node.entries:
            return []
        key = id(node), tuple(words)
        cached = self._known.get(key)
        if cached is None:
            forms = {
                phrase: entries
                for phrase, entries in node.entries.items()
                if all(self._is_form(term, word, len(words)) for term, word in zip(phrase, words, strict=True))
            }
            # 'Pächterinnen' is 'Pächterin', or else 'Pächter'.
            near = [entries for phrase, entries in forms.items() if not any(map(self._is_distant, phrase, words))]
            candidates = near or forms.values()
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            cached = self._known[key] = sorted({entry for entries in candidates for entry in entries})
        return cached

    def _is_form(self, term: str, word: str, length: int) -> bool:
        if is_form(term, word, self.language):
            return True
        # The capital of a phrase may be none of its word: 'Public transport' is an entry for 'public transport'.
        return length > 1 and word.islower() and is_form(term.lower(), word, self.language)

    def _is_distant(self, term: str, word: str) -> bool:
        return is_distant(term, word, self.language)

    def _unspaced(self, text: str, tokens: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, list[int]]]:
        ends = {end: index + 1 for index, (_, end) in enumerate(tokens)}
        for index, (start, _) in enumerate(tokens):
            node, longest, matches = self.root, 0, list[int]()
            for position in range(start, len(text)):
                following = node.after.get(text[position])
                if following is None:
                    break
                node = following
                if node.entries and position + 1 in ends:
                    longest, matches = (
                        ends[position + 1],
                        [each for entries in node.entries.values() for each in entries],
                    )
            if longest:
                yield index, longest, matches


def _capitals(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def _exact(word: str) -> str:
    return f"\0{word}"
