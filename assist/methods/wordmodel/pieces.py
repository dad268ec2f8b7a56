"""Compounds: long words split into words that the project knows, and how well each piece finds a counterpart.

A word is split if its pieces are words themselves and, by the geometric mean of their counts, no rarer than
it is (Koehn and Knight 2003, 'Empirical methods for compound splitting'); a second word model is trained on the pieces.
So 'Gebäudedach' need not occur twice to be recognised as the roof of a building.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assist.methods.base import PairInput
from assist.methods.shared import strings
from assist.methods.wordmodel import word_model
from assist.methods.wordmodel.corpus import WordModelText, languages
from assist.methods.wordmodel.document import PairArrays
from assist.methods.wordmodel.training import ProjectModel, TrainingConfig

if TYPE_CHECKING:
    from scipy import sparse

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
Columns = dict[str, Floats]

COMPOUNDING = frozenset({"da", "de", "fi", "hu", "nb", "nl", "nn", "no", "sv"})
_MIN_PART_LENGTH = 4
_ALIKE = 0.6
_MAX_WORD_LENGTH = 60


@dataclass(frozen=True)
class CompoundSplitter:
    """Splits compounds, by how often a language's words, and all words of a stem, occur in a project."""

    language: str
    words: Counter[str]
    stems: Counter[str]

    @classmethod
    def of(cls, texts: Iterable[WordModelText]) -> CompoundSplitter:
        """Counts over texts in one language."""
        language, words, stems = "", Counter[str](), Counter[str]()
        for text in texts:
            language = text.language
            times = np.bincount(text.types, minlength=len(text.forms)).tolist()
            words.update({form: count for form, count in zip(text.forms, times, strict=True) if form.isalpha()})
        for word, count in words.items():
            stems[strings.stem(word, language)] += count
        return cls(language, words, stems)

    def split(self, word: str) -> list[str]:
        """The pieces of a lower-case word; the word itself if it is not a compound."""
        if self.language not in COMPOUNDING or not word.isalpha() or len(word) > _MAX_WORD_LENGTH:
            return [word]
        return self._split(word, {})[0]

    def _split(self, word: str, splits: dict[str, tuple[list[str], float]]) -> tuple[list[str], float]:
        """The best split, and how common its pieces are."""
        if word in splits:
            return splits[word]
        best, common = [word], float(max(self.words[word], 1))
        for index in range(_MIN_PART_LENGTH, len(word) - _MIN_PART_LENGTH + 1):
            first = word[:index]
            often = self._count(first)
            if not often:
                continue
            rest = self._split(word[index:], splits)[0]
            counts = [often, *(self._count(piece) for piece in rest)]
            mean = float(np.exp(np.mean(np.log(np.maximum(counts, 1e-9)))))
            whole = len(best) == 1
            if min(counts) >= 1 and (mean > common or (whole and min(counts) >= 2 and mean >= common)):
                best, common = [first, *rest], mean
        splits[word] = best, common
        return splits[word]

    def _count(self, word: str) -> int:
        # Also by the stem, which recognises a piece with linking letters: 'Arbeitsmarkt'.
        return max(self.words[word], self.stems[strings.stem(word, self.language)])


@dataclass(frozen=True)
class Pieces:
    """The splitters of both languages, the stems of their pieces by number, and how similar those are (A, B)."""

    cutters: tuple[CompoundSplitter, CompoundSplitter]
    numbers: tuple[dict[str, int], dict[str, int]]
    similar: sparse.csr_matrix

    def evidence(self, doc: PairArrays) -> tuple[Columns, Columns]:
        """For every token of A, and of B: how much its pieces lack a counterpart in its bead, 0 to 1.

        The mean of its pieces, the best and the worst; and the number of pieces. Tokens that are not words are in
        between.
        """
        sides = _piece_stems(doc, self.cutters)
        numbers = [sorted({piece for kind in side for piece in kind}) for side in sides]
        index_of = [{piece: position for position, piece in enumerate(side)} for side in numbers]
        index = [np.array([number_of.get(piece, -1) for piece in side], dtype=np.int64)
                 for number_of, side in zip(self.numbers, numbers, strict=True)]  # fmt: skip
        similar = strings.similarities(numbers[0], numbers[1], _ALIKE).toarray()
        rows, columns = (np.flatnonzero(each >= 0) for each in index)
        if len(rows) and len(columns):
            learned = self.similar[index[0][rows]][:, index[1][columns]].toarray()
            similar[np.ix_(rows, columns)] = np.maximum(similar[np.ix_(rows, columns)], learned)
        pieces = [
            [[number_of[piece] for piece in kind] for kind in side]
            for number_of, side in zip(index_of, sides, strict=True)
        ]
        beads = [bead for bead in doc.beads if bead[0] < bead[1] and bead[2] < bead[3]]
        turned = [(low_b, high_b, low_a, high_a) for low_a, high_a, low_b, high_b in beads]
        return (
            _missing(doc.a, doc.b, pieces[0], pieces[1], similar, beads),
            _missing(doc.b, doc.a, pieces[1], pieces[0], similar.T, turned),
        )


def train(docs: Sequence[PairArrays], recipe: TrainingConfig) -> Pieces:
    """Splitters, and a word model of the pieces, from aligned documents of one pair of languages."""
    splitters = CompoundSplitter.of(doc.a for doc in docs), CompoundSplitter.of(doc.b for doc in docs)
    numbers: tuple[dict[str, int], dict[str, int]] = {}, {}
    passages = []
    for doc in docs:
        pieces = [
            [[number_of.setdefault(piece, len(number_of)) for piece in kind] for kind in side]
            for number_of, side in zip(numbers, _piece_stems(doc, splitters), strict=True)
        ]
        for low_a, high_a, low_b, high_b in doc.beads:
            if low_a < high_a and low_b < high_b:
                a = doc.a.types[doc.a.units[low_a][0] : doc.a.units[high_a - 1][1]]
                b = doc.b.types[doc.b.units[low_b][0] : doc.b.units[high_b - 1][1]]
                passages.append((_flat(pieces[0], a), _flat(pieces[1], b)))
    model = word_model.train(passages, len(numbers[0]), len(numbers[1]), diagonal=recipe.diagonal, null=recipe.null)
    return Pieces(splitters, numbers, model.either)


def build(trained: ProjectModel, pairs: Sequence[PairInput], docs: Sequence[PairArrays]) -> dict[str, Pieces]:
    """Pieces for all pairs, from the same parts of a project as the word models of ``trained``; see ``key``."""
    parts: dict[str, list[PairArrays]] = {}
    for pair, doc in zip(pairs, docs, strict=True):
        parts.setdefault(key(trained, pair), []).append(doc)
    return {name: train(members, trained.recipe) for name, members in sorted(parts.items())}


def key(trained: ProjectModel, pair: PairInput) -> str:
    """The part of a project that a pair belongs to; one that ``trained`` has not seen belongs to the first."""
    return " ".join([*languages(pair), str(trained.shard.get(pair.id, 0))])


def _piece_stems(doc: PairArrays, splitters: tuple[CompoundSplitter, CompoundSplitter]) -> list[list[list[str]]]:
    """The stems of the pieces of every word type of A, and of B; none for punctuation."""
    return [
        [
            [strings.stem(piece, text.language) for piece in splitter.split(form)] if strings.is_word(form) else []
            for form in text.forms
        ]
        for splitter, text in zip(splitters, (doc.a, doc.b), strict=True)
    ]


def _flat(pieces: list[list[int]], types: Ids) -> Ids:
    return np.array([piece for kind in types.tolist() for piece in pieces[kind]], dtype=np.int64)


def _missing(
    here: WordModelText, there: WordModelText, own: list[list[int]], others: list[list[int]], similar: Floats,
    beads: Sequence[tuple[int, int, int, int]],
) -> Columns:  # fmt: skip
    n = len(here)
    counts = np.array([len(own[kind]) for kind in here.types.tolist()], dtype=float)
    start = np.where(counts > 0, 1.0, 0.5)
    mean, best, worst = start.copy(), start.copy(), start.copy()
    for low, high, low_there, high_there in beads:
        first, last = here.units[low][0], here.units[high - 1][1]
        begin, stop = there.units[low_there][0], there.units[high_there - 1][1]
        sizes = counts[first:last].astype(int)
        rows = first + np.flatnonzero(sizes)
        theirs = [len(others[kind]) for kind in there.types[begin:stop].tolist()]
        if not len(rows) or not sum(theirs):
            continue
        token = np.repeat(np.arange(last - first), sizes)
        at = (token + 0.5) / (last - first) * (stop - begin) - 0.5
        there_at = np.repeat(np.arange(stop - begin), theirs)
        table = similar[np.ix_(_flat(own, here.types[first:last]), _flat(others, there.types[begin:stop]))]
        best_shares = (table / (1 + np.abs(at[:, None] - there_at) / 20)).max(axis=1)
        cuts = np.concatenate([[0], np.cumsum(sizes[sizes > 0])[:-1]])
        mean[rows] = 1 - np.add.reduceat(best_shares, cuts) / counts[rows]
        best[rows] = 1 - np.maximum.reduceat(best_shares, cuts)
        worst[rows] = 1 - np.minimum.reduceat(best_shares, cuts)
    return {"pieces": mean, "best piece": best, "worst piece": worst, "number of pieces": counts if n else np.zeros(0)}
