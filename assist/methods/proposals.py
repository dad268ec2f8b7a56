"""Spans proposed from scores: runs of tokens above a threshold, and a threshold chosen from labelled tokens."""

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assist.methods.base import PairInput, Proposal, Range, Side

Floats = NDArray[np.float64]

LEAST_LABELLED = 200
"""Labelled tokens below which no threshold is chosen from them."""


def choose_threshold(
    pairs: Sequence[PairInput], scores: Sequence[tuple[Floats, Floats]], otherwise: float, above: float = 0.0
) -> float:
    """The threshold with the best F1 of 'marked' (gold over ``above``) over all labelled tokens.

    ``otherwise`` where too few are labelled.

    Test pairs are not looked at.
    """
    golds: list[Floats] = []
    given: list[Floats] = []
    for pair, sides in zip(pairs, scores, strict=True):
        if pair.split == "test":
            continue
        for gold, side in zip((pair.gold_a, pair.gold_b), sides, strict=True):
            if gold is not None and len(gold):
                golds.append(np.asarray(gold, dtype=float))
                given.append(np.asarray(side, dtype=float))
    if not golds:
        return otherwise
    values, score = np.concatenate(golds), np.concatenate(given)
    known = ~np.isnan(values)
    marked, score = values[known] > above, score[known]
    if len(score) < LEAST_LABELLED or not marked.any() or marked.all():
        return otherwise
    return best_threshold(marked, score)


def best_threshold(marked: NDArray[np.bool_], scores: Floats) -> float:
    """The t for which 'score ≥ t' has the largest F1 against ``marked``; the highest of several."""
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(marked[order])
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + hits[-1])
    ordered = scores[order]
    last = np.append(ordered[1:] != ordered[:-1], True)
    return float(ordered[int(np.argmax(np.where(last, f1, -1.0)))])


def propose(pair: PairInput, scores_a: Sequence[float], scores_b: Sequence[float], threshold: float) -> list[Proposal]:
    """A proposal for every run of tokens at or above the threshold, side A's first, each in text order.

    A run stays in one sentence, may bridge one weaker token between two stronger ones, and neither begins nor ends
    with punctuation; its score is the mean of its tokens'.
    """
    found = [Proposal((run,), (), _mean(scores_a, run)) for run in runs(pair.a, scores_a, threshold)]
    return found + [Proposal((), (run,), _mean(scores_b, run)) for run in runs(pair.b, scores_b, threshold)]


def runs(side: Side, scores: Sequence[float], threshold: float) -> list[Range]:
    """Ranges of tokens at or above the threshold, as ``propose`` says."""
    strong = [score >= threshold for score in scores]
    starts = {start for start, _ in side.sentences}
    first = [any(start in starts for start in range(begin, end)) for begin, end in side.tokens]
    marks = [_is_mark(side.text[begin:end]) for begin, end in side.tokens]
    found: list[Range] = []
    at, count = 0, len(strong)
    while at < count:
        if not strong[at]:
            at += 1
            continue
        end = at + 1
        while end < count and not first[end]:
            bridged = end + 1 < count and strong[end + 1] and not first[end + 1]
            if not strong[end] and not bridged:
                break
            end += 1
        low, high = at, end
        while low < high and marks[low]:
            low += 1
        while high > low and (marks[high - 1] or not strong[high - 1]):
            high -= 1
        if low < high:
            found.append((low, high))
        at = end
    return found


def _is_mark(token: str) -> bool:
    return all(unicodedata.category(character)[0] in "PZC" for character in token)


def _mean(scores: Sequence[float], run: Range) -> float:
    return sum(scores[run[0] : run[1]]) / (run[1] - run[0])
