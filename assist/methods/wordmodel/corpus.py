"""Pairs as arrays: words as numbers of a vocabulary per language, sentences as runs of tokens, weights of words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from annotation.text.tokens import base_language
from assist.methods.base import PairInput, Range, TextSide
from assist.methods.shared import strings

if TYPE_CHECKING:
    from scipy import sparse

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]

_STOPS = frozenset(".!?…。！？।॥؟۔")
_CLOSING = frozenset("\"'”’»)]」』）")
_MAX_SENTENCE_WORDS = 60
_MAX_SENTENCES = 1_500


@dataclass(frozen=True)
class WordModelText:
    """One side as arrays, one entry per token unless said otherwise.

    ``types`` are numbers of the distinct lower-case words in ``forms``; ``stems`` holds, per type, the number of its
    stem in the language's vocabulary (-1: unknown there); ``words`` whether a token is more than punctuation;
    ``unit`` the sentence it is in, ``units`` the sentences as ranges of tokens.
    """

    language: str
    forms: list[str]
    types: Ids
    stems: Ids
    words: NDArray[np.bool_]
    units: list[Range]
    unit: Ids

    def __len__(self) -> int:
        return len(self.types)


@dataclass
class Vocabulary:
    """The stems of a language with the share of texts that hold them."""

    language: str
    number: dict[str, int]
    texts: list[int]
    size: int

    def weights(self, stems: Ids) -> Floats:
        """Inverse document frequency of stems by number, in (0, 1]; 1 for one that no text holds."""
        counts = np.array([*self.texts, 0], dtype=float)[stems]
        return np.asarray(np.log((self.size + 1) / (counts + 0.5)) / math.log((self.size + 1) / 0.5)).clip(0.02, 1.0)


def vocabulary(sides: Iterable[TextSide]) -> Vocabulary:
    """The vocabulary of texts in one language."""
    counts: Counter[str] = Counter()
    size, language = 0, ""
    for side in sides:
        language = base_language(side.language)
        size += 1
        counts.update({strings.stem(word, language) for word in side.words() if strings.is_word(word)})
    words = sorted(counts)
    return Vocabulary(
        language, {word: index for index, word in enumerate(words)}, [counts[word] for word in words], size
    )


def text(side: TextSide, vocabulary: Vocabulary) -> WordModelText:
    """A side as arrays."""
    number: dict[str, int] = {}
    lower = [word.lower() for word in side.words()]
    types = np.array([number.setdefault(word, len(number)) for word in lower], dtype=np.int64)
    forms = list(number)
    wordlike = np.array([strings.is_word(form) for form in forms], dtype=bool)
    language = base_language(side.language)
    stems = np.array(
        [
            vocabulary.number.get(strings.stem(form, language), -1) if wordlike[index] else -1
            for index, form in enumerate(forms)
        ],
        dtype=np.int64,
    )
    units = sentences(side)
    sizes = np.array([end - start for start, end in units], dtype=np.int64)
    unit = np.repeat(np.arange(len(units)), sizes)
    words = wordlike[types] if len(types) else np.zeros(0, dtype=bool)
    return WordModelText(language, forms, types, stems, words, units, unit)


def sentences(side: TextSide) -> list[Range]:
    """The side's sentences as ranges of tokens: every token is in one, none is empty.

    Sentences as given, split further at a full stop before a capital (splitters fail on text that was tokenised with
    spaces) and if they are too long for a sentence; joined again if there are too many to align.

    `_ends` and `_inside` correct the splitter before `icu.v1`, whose sentences older texts keep, and `icu.v1` on texts
    tokenised with spaces ('11 . November'). On other texts of `icu.v1`, `_ends` adds next to nothing (3 of 964
    sentences of the demo), and `_inside` joins a few that were separate rightly (16: 'Mühlweg 12. Er').
    """
    words = side.words()
    if not words:
        return []
    starts = {0}
    for start, _ in (*side.sentences, *side.paragraphs):
        at = _first(side.tokens, start)
        if not _inside(words, at):
            starts.add(at)
    for at in range(1, len(words)):
        if _ends(words, at):
            starts.add(at)
    cuts = sorted(cut for cut in starts if cut < len(words))
    ranges: list[Range] = []
    for low, high in zip(cuts, [*cuts[1:], len(words)], strict=True):
        pieces = -(-(high - low) // _MAX_SENTENCE_WORDS)
        edges = [low + (high - low) * piece // pieces for piece in range(pieces + 1)]
        ranges.extend(pairwise(edges))
    step = -(-len(ranges) // _MAX_SENTENCES)
    if step > 1:
        ranges = [
            (group[0][0], group[-1][1]) for group in (ranges[at : at + step] for at in range(0, len(ranges), step))
        ]
    return ranges


def _first(tokens: Sequence[Range], start: int) -> int:
    low, high = 0, len(tokens)
    while low < high:
        middle = (low + high) // 2
        if tokens[middle][0] < start:
            low = middle + 1
        else:
            high = middle
    return low


def _ends(words: list[str], at: int) -> bool:
    """Whether a sentence ends before word ``at``: a stop (and what closes it), then a word with a capital or none."""
    last = at - 1
    while last > 0 and words[last] in _CLOSING and words[last - 1] not in _CLOSING:
        last -= 1
    if words[last] not in _STOPS or last == 0:
        return False
    if words[last] != ".":
        return words[at] not in _CLOSING
    before = words[last - 1]
    return words[at][0].isupper() and len(before) > 2 and before[-1].isalnum() and not before.isdigit()


def _inside(words: list[str], at: int) -> bool:
    """Whether a splitter's cut before word ``at`` seems to follow the full stop of an ordinal, a date or an initial."""
    if at < 2 or at >= len(words) or words[at - 1] != ".":
        return False
    before = words[at - 2]
    return len(before) == 1 or (before.isdigit() and len(before) == 2)


def similar(a: WordModelText, b: WordModelText, bar: float) -> sparse.csr_matrix:
    """Similarity by looks of the types of A to those of B, as they are or as stems; punctuation has none.

    Only similarities of at least ``bar`` are kept.
    """
    pick_a = [index for index, form in enumerate(a.forms) if strings.is_word(form)]
    pick_b = [index for index, form in enumerate(b.forms) if strings.is_word(form)]
    forms_a, forms_b = [a.forms[index] for index in pick_a], [b.forms[index] for index in pick_b]
    stems_a = [strings.stem(form, a.language) for form in forms_a]
    stems_b = [strings.stem(form, b.language) for form in forms_b]
    as_forms = strings.similarities(forms_a, forms_b, bar)
    looks = as_forms.maximum(strings.similarities(stems_a, stems_b, bar)).tocoo()
    rows = np.array(pick_a, dtype=np.int64)[looks.row]
    columns = np.array(pick_b, dtype=np.int64)[looks.col]
    return strings.table(looks.data, rows, columns, (len(a.forms), len(b.forms)))


def languages(pair: PairInput) -> tuple[str, str]:
    """The languages of a pair, the key under which models are stored."""
    return base_language(pair.a.language), base_language(pair.b.language)
