"""Compares a pair's words: what looks similar, what the word model takes for a translation, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from assist.methods.base import PairInput
from assist.methods.shared import strings
from assist.methods.shared.ranges import members
from assist.methods.wordmodel import corpus, dictionary, sentence_align, smoothing
from assist.methods.wordmodel.corpus import Vocabulary, WordModelText
from assist.methods.wordmodel.dictionary import StemDictionary
from assist.methods.wordmodel.sentence_align import Bead

if TYPE_CHECKING:
    from scipy import sparse

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass
class PairArrays:
    """A pair as arrays. ``looks``, ``listed`` and ``words`` are similarities in [0, 1] of word types (A, B).

    ``looks`` is how similar they look, ``listed`` translations from word lists, ``words`` what was learned from the
    project's texts.

    ``bridges`` are the pair's translations; None in a project that has none. ``encoder_counterparts``
    are the best counterparts of A's tokens and of B's that an encoder finds; None without one.
    """

    a: WordModelText
    b: WordModelText
    weights_a: Floats
    weights_b: Floats
    looks: sparse.csr_matrix
    listed: sparse.csr_matrix
    words: sparse.csr_matrix
    beads: list[Bead] = field(default_factory=list)
    bridges: list[Bridge] | None = None
    encoder_counterparts: tuple[Counterparts, Counterparts] | None = None

    @property
    def similar(self) -> sparse.csr_matrix:
        """The largest of the similarities."""
        return self.prior.maximum(self.words).tocsr()

    @cached_property
    def prior(self) -> sparse.csr_matrix:
        """The larger of the similarities known before the project's texts are read."""
        return self.looks.maximum(self.listed).tocsr()

    def passages(self) -> list[tuple[Ids, Ids]]:
        """The stems, by number, of each bead that has sentences on both sides."""
        result = []
        for low_a, high_a, low_b, high_b in self.beads:
            if low_a < high_a and low_b < high_b:
                a = self.a.stems[self.a.types[self.a.units[low_a][0] : self.a.units[high_a - 1][1]]]
                b = self.b.stems[self.b.types[self.b.units[low_b][0] : self.b.units[high_b - 1][1]]]
                result.append((a[a >= 0], b[b >= 0]))
        return result

    def whole(self) -> list[Bead]:
        """One bead: all of A against all of B."""
        return [(0, len(self.a.units), 0, len(self.b.units))]

    def learn(self, table: sparse.csr_matrix) -> None:
        """Take the similarities of this pair's words from a project's table (stems of A, stems of B)."""
        self.words = self.restricted(table)

    def restricted(self, table: sparse.csr_matrix) -> sparse.csr_matrix:
        """A table over stems (A, B) as one over the pair's own word types."""
        shape = (len(self.a.forms), len(self.b.forms))
        known_a, known_b = np.flatnonzero(self.a.stems >= 0), np.flatnonzero(self.b.stems >= 0)
        if not len(known_a) or not len(known_b):
            return strings.table([], [], [], shape)
        # As table[stems of A][:, stems of B], whose checks cost several times as much on a pair's few words.
        stems = self.a.stems[known_a]
        row, entry = members(table.indptr[stems], table.indptr[stems + 1])
        by_stem = known_b[np.argsort(self.b.stems[known_b], kind="stable")]
        stems, needed = self.b.stems[by_stem], table.indices[entry]
        at, column = members(np.searchsorted(stems, needed, "left"), np.searchsorted(stems, needed, "right"))
        return strings.table(table.data[entry][at], known_a[row][at], by_stem[column], shape)

    def align(self, *, bar: float, length: float, uneven: float) -> None:
        """Find the beads by what ``similar`` holds now."""
        cover = sentence_align.coverage(self.similar, _masses(self.a, self.weights_a), _masses(self.b, self.weights_b))
        self.beads = sentence_align.align(cover, bar=bar, length=length, uneven=uneven)


def document(
    pair: PairInput,
    known_a: Vocabulary,
    known_b: Vocabulary,
    bar: float,
    *,
    lexicon: bool = True,
    beside: StemDictionary | None = None,
) -> PairArrays:
    """A pair as arrays, not aligned; words look similar from a similarity of ``bar``.

    ``lexicon``: use the translations of word lists, including those of ``beside``.
    """
    a, b = corpus.text(pair.a, known_a), corpus.text(pair.b, known_b)
    weights_a = np.where(a.words, known_a.weights(a.stems)[a.types], 0.0)
    weights_b = np.where(b.words, known_b.weights(b.stems)[b.types], 0.0)
    looks = corpus.similar(a, b, bar)
    nothing = strings.table([], [], [], looks.shape)
    listed = dictionary.dictionary_between(a.language, b.language).similar(a.forms, b.forms) if lexicon else nothing
    if lexicon and beside is not None and beside.stems:
        listed = listed.maximum(beside.similar(a.forms, b.forms)).tocsr()
    return PairArrays(a, b, weights_a, weights_b, looks, listed, nothing)


def _masses(text: WordModelText, weights: Floats) -> sparse.csr_matrix:
    shape = (len(text.units), len(text.forms))
    return strings.table(weights, text.unit, text.types, shape)


@dataclass(frozen=True)
class ExpectedPositions:
    """Where each token's counterpart should be, as a token position on the other side, and whether it has one."""

    at: Floats
    aligned: NDArray[np.bool_]


def expected(doc: PairArrays) -> tuple[ExpectedPositions, ExpectedPositions]:
    """For side A and for side B: by the same relative position within its bead."""
    n, m = len(doc.a), len(doc.b)
    at_a, at_b = np.zeros(n), np.zeros(m)
    aligned_a, aligned_b = np.zeros(n, dtype=bool), np.zeros(m, dtype=bool)
    end_a = end_b = 0
    for low_a, high_a, low_b, high_b in doc.beads:
        start_a, start_b = end_a, end_b
        end_a = doc.a.units[high_a - 1][1] if high_a > low_a else end_a
        end_b = doc.b.units[high_b - 1][1] if high_b > low_b else end_b
        size_a, size_b = end_a - start_a, end_b - start_b
        at_a[start_a:end_a] = start_b + (np.arange(size_a) + 0.5) / max(1, size_a) * size_b - 0.5
        at_b[start_b:end_b] = start_a + (np.arange(size_b) + 0.5) / max(1, size_b) * size_a - 0.5
        aligned_a[start_a:end_a] = aligned_b[start_b:end_b] = bool(size_a and size_b)
    return ExpectedPositions(at_a, aligned_a), ExpectedPositions(at_b, aligned_b)


@dataclass(frozen=True)
class Counterparts:
    """For each token its best counterpart's similarity and number (-1: none)."""

    similarity: Floats
    counterpart: Ids


def counterparts(
    here: WordModelText, there: WordModelText, similar: sparse.csr_matrix, at: Sequence[float] | Floats, decay: float
) -> Counterparts:
    """The best counterpart of each token, with similarity reduced by distance from its expected position.

    ``similar`` holds similarities of the types here to those there; a distance of d tokens costs a factor
    (1 + d / 20) ** -decay. Of a type that occurs several times the nearest occurrence is taken.
    """
    n, m = len(here), len(there)
    best = Counterparts(np.zeros(n), np.full(n, -1, dtype=np.int64))
    if not n or not m or not similar.nnz:
        return best
    order = np.lexsort((np.arange(m), there.types))
    keys = there.types[order] * (m + 1.0) + order
    token, entry = members(similar.indptr[here.types], similar.indptr[here.types + 1])
    kind, value = similar.indices[entry], similar.data[entry].astype(float)
    target = np.clip(np.asarray(at, dtype=float)[token], 0, m)
    right = np.searchsorted(keys, kind * (m + 1.0) + target)
    before, after = order[np.clip(right - 1, 0, m - 1)], order[np.clip(right, 0, m - 1)]
    far_before = np.where(there.types[before] == kind, np.abs(before - target), np.inf)
    far_after = np.where(there.types[after] == kind, np.abs(after - target), np.inf)
    nearest = np.where(far_before <= far_after, before, after)
    value = value * (1 + np.minimum(far_before, far_after) / 20) ** -decay
    ascending = np.argsort(value, kind="stable")
    best.similarity[token[ascending]] = value[ascending]
    best.counterpart[token[ascending]] = nearest[ascending]
    return best


def counterparts_of_both(doc: PairArrays, decay: float) -> tuple[Counterparts, Counterparts]:
    """The best counterparts of A's tokens and of B's, directly or through a translation.

    Distance costs as in ``counterparts``. If an encoder was used too, a token's similarity is the mean of the encoder's
    and of the best of all.
    """
    a, b = _direct_counterparts(doc, decay)
    for bridge in doc.bridges or ():
        a, b = (_more_similar(one, other) for one, other in zip((a, b), bridge.both(decay), strict=True))
    if doc.encoder_counterparts:
        a, b = (_with_encoder(one, encoder) for one, encoder in zip((a, b), doc.encoder_counterparts, strict=True))
    return a, b


def aligned_tokens(doc: PairArrays) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether the sentence of each token of A, and of B, has a counterpart: directly, through a translation, or because
    an encoder finds its content at any position.
    """
    a, b = (where.aligned for where in expected(doc))
    for bridge in doc.bridges or ():
        by_a, by_b = bridge.aligned()
        a, b = a | by_a, b | by_b
    if doc.encoder_counterparts:
        by_a, by_b = (
            smoothing.unit_means(counterparts.similarity, weights, text.unit, len(text.units))[text.unit]
            >= MIN_ENCODER_SIMILARITY
            for counterparts, weights, text in zip(
                doc.encoder_counterparts, (doc.weights_a, doc.weights_b), (doc.a, doc.b), strict=True
            )
        )
        a, b = a | by_a, b | by_b
    return a, b


def _direct_counterparts(doc: PairArrays, decay: float) -> tuple[Counterparts, Counterparts]:
    where_a, where_b = expected(doc)
    similar = doc.similar
    return (
        counterparts(doc.a, doc.b, similar, where_a.at, decay),
        counterparts(doc.b, doc.a, similar.T.tocsr(), where_b.at, decay),
    )


def _more_similar(one: Counterparts, other: Counterparts) -> Counterparts:
    """Token by token, the more similar counterpart; if its token is unknown, that of ``one``."""
    more = other.similarity > one.similarity
    has_counterpart = more & (other.counterpart >= 0)
    return Counterparts(
        np.where(more, other.similarity, one.similarity), np.where(has_counterpart, other.counterpart, one.counterpart)
    )


def _with_encoder(one: Counterparts, encoder: Counterparts) -> Counterparts:
    best = _more_similar(one, encoder)
    return Counterparts((best.similarity + encoder.similarity) / 2, best.counterpart)


MIN_ENCODER_SIMILARITY = 0.5
"""The mean similarity by an encoder from which a sentence's content counts as being on the other side."""

TRANSLATION_DECAY = 1.5
"""How fast a counterpart's weight falls with distance in a translation, which keeps the order of its original."""


@dataclass(frozen=True)
class Bridge:
    """A translation of one ``side``: a path to the other side through that side's own language.

    ``literal`` is the pair with the translation in the place of the other side, ``same`` the translation (as A) and the
    other side (as B). A token of the translated side is as similar to the other side as its counterpart in the
    translation is; a token of the other side is as similar as it is to the translation.
    """

    side: Literal["a", "b"]
    literal: PairArrays
    same: PairArrays

    @cached_property
    def steps(self) -> tuple[Counterparts, Counterparts]:
        """The counterparts of the translated side's tokens in the translation, and the other way."""
        a, b = _direct_counterparts(self.literal, TRANSLATION_DECAY)
        return (a, b) if self.side == "a" else (b, a)

    def both(self, decay: float) -> tuple[Counterparts, Counterparts]:
        """The best counterparts of A's tokens and of B's by this path."""
        over, back = self.steps
        out, home = _direct_counterparts(self.same, decay)
        here = Counterparts(_values_at(out.similarity, over, 0.0), _values_at(out.counterpart, over, -1))
        there = Counterparts(home.similarity, _values_at(back.counterpart, home, -1))
        return (here, there) if self.side == "a" else (there, here)

    def aligned(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether the sentence of each token of A, and of B, has a counterpart by this path."""
        over, _ = self.steps
        translation, other = (where.aligned for where in expected(self.same))
        here = _values_at(translation, over, False)
        return (here, other) if self.side == "a" else (other, here)


def _values_at(values: NDArray[Any], counterparts: Counterparts, otherwise: float) -> NDArray[Any]:
    """Each token's value at its counterpart; `otherwise` for tokens without one."""
    result = np.full(len(counterparts.counterpart), otherwise, dtype=values.dtype)
    has = counterparts.counterpart >= 0
    result[has] = values[counterparts.counterpart[has]]
    return result
