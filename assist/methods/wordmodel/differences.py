"""Differences in an aligned document beyond the scores of its words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from annotation.text.spans import covered_indices
from assist.methods.base import PairInput, Proposal, ProposalReason, Range
from assist.methods.mismatch.aligned import Aligned
from assist.methods.mismatch.finder import mismatches
from assist.methods.wordmodel import smoothing
from assist.methods.wordmodel.corpus import WordModelText
from assist.methods.wordmodel.document import PairArrays, counterparts_of_both

if TYPE_CHECKING:
    from scipy import sparse

_HEADING = 6
"""Words up to which a sentence may be a heading, which is translated freely."""

_SOMETHING = 0.1

_DECAY = 1.5
"""How fast a counterpart's weight falls with distance: what is negated or counted must be nearby."""


def propose_differences(pair: PairInput, doc: PairArrays) -> list[Proposal]:
    """A proposal for each number, date, unit, name or word of logic that both sides give differently."""
    a, b = counterparts_of_both(doc, _DECAY)
    counterparts, similarities = (a.counterpart, b.counterpart), (a.similarity, b.similarity)
    aligned = Aligned(pair.a, pair.b, _passages(doc), counterparts, similarities)
    proposals = []
    for each in mismatches(aligned):
        reason = ProposalReason(each.kind, pair.a.text[slice(*each.a)], pair.b.text[slice(*each.b)])
        of_a, of_b = covered_indices([each.a], pair.a.tokens), covered_indices([each.b], pair.b.tokens)
        ranges = [((tokens[0], tokens[-1] + 1),) for tokens in (of_a, of_b)]
        proposals.append(Proposal(ranges[0], ranges[1], 1.0, 3, reason))
    return proposals


def _passages(doc: PairArrays) -> list[tuple[Range, Range]]:
    """The token ranges of beads that have sentences on both sides."""
    return [
        (_range(doc.a, low_a, high_a), _range(doc.b, low_b, high_b))
        for low_a, high_a, low_b, high_b in doc.beads
        if low_a < high_a and low_b < high_b
    ]


def unaligned_sentences(doc: PairArrays) -> list[tuple[Range, Range]]:
    """Sentences (token ranges of A, of B) that were both left without a counterpart at the same position.

    In order, if both sides left equally many; otherwise it is unknown which belong together. Both are short, like
    headings, or share something: two long sentences that share nothing are both additions.
    """
    similar = doc.similar
    return [
        (a, b)
        for left_a, left_b in _gaps(doc)
        if len(left_a) == len(left_b)
        for a, b in zip(left_a, left_b, strict=True)
        if _headings(doc, a, b) or _shared_weight(doc, similar, a, b) >= _SOMETHING
    ]


def _headings(doc: PairArrays, a: Range, b: Range) -> bool:
    return all(int(text.words[low:high].sum()) <= _HEADING for text, (low, high) in ((doc.a, a), (doc.b, b)))


def _shared_weight(doc: PairArrays, similar: sparse.csr_matrix, a: Range, b: Range) -> float:
    """The share of the weight of some tokens of A that is found in some of B."""
    best = similar[doc.a.types[slice(*a)]][:, doc.b.types[slice(*b)]].max(axis=1).toarray().ravel()
    return smoothing.mean(best, doc.weights_a[slice(*a)])


def _gaps(doc: PairArrays) -> Iterator[tuple[list[Range], list[Range]]]:
    """The sentences without a counterpart between one aligned passage and the next."""
    left_a: list[Range] = []
    left_b: list[Range] = []
    for low_a, high_a, low_b, high_b in doc.beads:
        if low_a < high_a and low_b < high_b:
            yield left_a, left_b
            left_a, left_b = [], []
        else:
            left_a.extend(_range(doc.a, index, index + 1) for index in range(low_a, high_a))
            left_b.extend(_range(doc.b, index, index + 1) for index in range(low_b, high_b))
    yield left_a, left_b


def _range(text: WordModelText, low: int, high: int) -> Range:
    return int(text.units[low][0]), int(text.units[high - 1][1])
