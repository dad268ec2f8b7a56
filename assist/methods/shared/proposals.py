"""Spans proposed from scores: runs of tokens above a threshold, and how the threshold is chosen.

Without labels the surest tokens of a project are suggested, a small share of its words. With labels the threshold is
the lowest at which suggestions are as precise as is wanted, within bounds of that share.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotation.text.spans import token_ranges
from assist.methods.base import PairInput, Proposal, Range, Result, TextSide, held_out
from assist.methods.shared.function_words import function_words

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

MIN_LABELLED = 200
"""With fewer labelled tokens than this, no threshold is chosen from them."""

NO_SCORES: Floats = np.zeros(0)
_POINTS = 100


@dataclass(frozen=True)
class Policy:
    """How much is suggested: ``share`` of a project's words if there are too few labels, never more than ``max_share``.

    ``precision`` is the target for suggested tokens on labelled pairs; gold values over ``above`` count as marked.
    """

    share: float
    max_share: float
    precision: float
    above: float


GRADED = Policy(share=0.04, max_share=0.07, precision=0.6, above=0.0)
NEW = Policy(share=0.2, max_share=0.27, precision=0.7, above=0.5)
"""'Inferable' is half new, and does not count as marked. Differences with a reason are added to ``max_share``."""


@dataclass(frozen=True)
class SuggestionThresholds:
    """The score from which a token is suggested, and those for the second and third level of a suggestion.

    ``curve`` has the effect of every threshold on labelled tokens: threshold, share, precision, recall, f1.
    """

    threshold: float
    surer: float
    surest: float
    curve: tuple[dict[str, float], ...] = ()

    def level(self, score: float) -> int:
        """1, 2 or 3: how heavily a suggestion of this score is drawn."""
        return 1 + (score >= self.surer) + (score >= self.surest)


def choose_thresholds(
    pairs: Sequence[PairInput], scores: Sequence[tuple[Floats, Floats]], policy: Policy, fixed: float | None = None
) -> SuggestionThresholds:
    """The thresholds for a project from a sample of pairs with their scores; ``fixed`` is a given threshold.

    Labels of test pairs are not looked at.
    """
    golds = [[pair.gold_a is not None for pair in pairs], [pair.gold_b is not None for pair in pairs]]
    # If only one side is ever marked, the words are that side's.
    used = [index for index in (0, 1) if any(golds[index])] or [0, 1]
    values = np.concatenate(
        [_word_scores(pair, sides, used) for pair, sides in zip(pairs, scores, strict=True)] or [NO_SCORES]
    )
    score, marked = _labelled(pairs, scores, policy.above)
    enough_labels = len(score) >= MIN_LABELLED and bool(marked.any()) and not marked.all()
    if fixed is not None:
        threshold = fixed
    elif enough_labels:
        threshold = _threshold_for_precision(score, marked, values, policy)
    else:
        threshold = _share(values, policy.share)
    curve = _curve(score, marked, threshold) if enough_labels else ()
    over = values[values >= threshold]
    surer, surest = np.quantile(over, (1 / 3, 2 / 3)).tolist() if len(over) else (threshold, threshold)
    return SuggestionThresholds(threshold, surer, surest, curve)


def best_thresholds(
    pairs: Sequence[PairInput], scores: Sequence[tuple[Floats, Floats]], above: float, usual: float
) -> SuggestionThresholds:
    """The thresholds, the first of which has the best F1 on labelled tokens; ``usual`` if too few are labelled.

    Gold values over ``above`` count as marked. No token with a score of 0 is ever suggested.
    """
    score, marked = _labelled(pairs, scores, above)
    enough_labels = len(score) >= MIN_LABELLED and bool(marked.any()) and not marked.all()
    best = best_threshold(marked, score) if enough_labels else usual
    least = float(score[score > 0].min(initial=1.0))
    return choose_thresholds(pairs, scores, replace(GRADED, above=above), max(best, least) if enough_labels else usual)


def results_with_proposals(
    pairs: Sequence[PairInput], scores: Sequence[tuple[Floats, Floats]], bars: SuggestionThresholds, seconds: float
) -> list[Result]:
    """Results with these scores and what is proposed from them; each has its share of the seconds, by its tokens."""
    sizes = [len(pair.a.tokens) + len(pair.b.tokens) for pair in pairs]
    each_token = seconds / max(1, sum(sizes))
    results = []
    for pair, (a, b), size in zip(pairs, scores, sizes, strict=True):
        of_a, of_b = a.tolist(), b.tolist()
        proposals = propose(pair, of_a, of_b, bars)
        results.append(Result(pair.id, of_a, of_b, proposals=proposals, seconds=each_token * size))
    return results


def _word_scores(pair: PairInput, scores: tuple[Floats, Floats], used: Sequence[int]) -> Floats:
    """The scores of the tokens of some sides that are more than punctuation."""
    parts = [NO_SCORES]
    for index in used:
        words = np.array([not _is_mark(word) for word in (pair.a, pair.b)[index].words()], dtype=bool)
        parts.append(np.asarray(scores[index], dtype=float)[words])
    return np.concatenate(parts)


def _labelled(
    pairs: Sequence[PairInput], scores: Sequence[tuple[Floats, Floats]], above: float
) -> tuple[Floats, Bools]:
    """The scores of labelled tokens, and whether each is marked; without test pairs."""
    golds, all_scores = [NO_SCORES], [NO_SCORES]
    for pair, sides in zip(pairs, scores, strict=True):
        if held_out(pair):
            continue
        for gold, side in zip((pair.gold_a, pair.gold_b), sides, strict=True):
            if gold is not None and len(gold):
                golds.append(np.asarray(gold, dtype=float))
                all_scores.append(np.asarray(side, dtype=float))
    values, score = np.concatenate(golds), np.concatenate(all_scores)
    labelled = ~np.isnan(values)
    return score[labelled], values[labelled] > above


def _share(values: Floats, share: float) -> float:
    """The lowest score that at most this share of the values reaches; above all of them if too many are equal."""
    ordered = np.sort(values)[::-1]
    count = int(share * len(ordered))
    if not len(ordered) or count >= len(ordered):
        return 0.0
    # Strictly above the first value that is too many, so that equal ones stay out together.
    return float(np.nextafter(ordered[count], np.inf))


def _threshold_for_precision(score: Floats, marked: Bools, values: Floats, policy: Policy) -> float:
    """The lowest threshold with the wanted precision, from half the usual share of words to the maximum, or the usual
    one.
    """
    lowest, highest = _share(values, policy.max_share), _share(values, policy.share / 2)
    ordered, right, taken = _cumulative_counts(score, marked)
    fits = (ordered >= lowest) & (ordered <= highest) & (right >= policy.precision * taken)
    return float(ordered[fits].min()) if fits.any() else _share(values, policy.share)


def _cumulative_counts(score: Floats, marked: Bools) -> tuple[Floats, Floats, Floats]:
    """Each score once, falling; how many marked tokens reach it, and how many tokens."""
    order = np.argsort(-score, kind="stable")
    ordered = score[order]
    last = np.append(ordered[1:] != ordered[:-1], True)
    right, taken = np.cumsum(marked[order]), np.arange(1, len(order) + 1)
    return ordered[last], right[last].astype(float), taken[last].astype(float)


def _curve(score: Floats, marked: Bools, chosen: float) -> tuple[dict[str, float], ...]:
    """What thresholds give, from the lowest to the highest, the chosen one among them if a token reaches it."""
    ordered, right, taken = _cumulative_counts(score, marked)
    points = np.unique(np.linspace(0, len(ordered) - 1, min(_POINTS, len(ordered))).round().astype(int))
    reached = int((ordered >= chosen).sum())
    thresholds = {float(ordered[index]): index for index in points.tolist()}
    if reached:
        thresholds[chosen] = reached - 1
    return tuple(
        {
            "threshold": threshold,
            "share": float(taken[index] / len(score)),
            "precision": float(right[index] / taken[index]),
            "recall": float(right[index] / marked.sum()),
            "f1": float(2 * right[index] / (taken[index] + marked.sum())),
        }
        for threshold, index in sorted(thresholds.items())
    )


def best_threshold(marked: Bools, scores: Floats) -> float:
    """The t for which 'score ≥ t' has the largest F1 against ``marked``; the highest of several."""
    ordered, right, taken = _cumulative_counts(scores, marked)
    return float(ordered[int(np.argmax(2 * right / (taken + marked.sum())))])


def propose(
    pair: PairInput,
    scores_a: Sequence[float],
    scores_b: Sequence[float],
    bars: SuggestionThresholds,
    others: Sequence[Proposal] = (),
    twins: Sequence[tuple[Range, Range]] = (),
) -> list[Proposal]:
    """A proposal for every run of tokens at or above the threshold, side A's first, each in text order.

    A run stays in one sentence, may bridge one weaker token between two stronger ones, and is cut to a phrase (see
    ``phrase``); its score is the mean of its tokens'. ``others`` are proposals independent of scores; a run that one of
    them touches becomes part of it. ``twins`` are passages (tokens of A, of B) that replace each other: runs in both
    become one proposal. A single word is proposed only if it is more certain than most.
    """
    sides = ((pair.a, scores_a), (pair.b, scores_b))
    open_runs = [runs(side, scores, bars.threshold) for side, scores in sides]
    proposals: list[Proposal] = []
    for each in others:
        grown = []
        for part, own in zip((each.a, each.b), open_runs, strict=True):
            touched = [run for run in own if any(_overlap(run, other) for other in part)]
            own[:] = [run for run in own if run not in touched]
            grown.append(tuple(token_ranges(index for run in (*part, *touched) for index in range(*run))))
        proposals.append(replace(each, a=grown[0], b=grown[1]))
    for passages in twins:
        inside = [
            [run for run in own if _overlap(run, passage)] for own, passage in zip(open_runs, passages, strict=True)
        ]
        if any(inside):
            scores = [_mean(values, run) for (_, values), own in zip(sides, inside, strict=True) for run in own]
            score = sum(scores) / len(scores)
            parts = [
                tuple(own) or (_trim_punctuation(side, passage),)
                for (side, _), own, passage in zip(sides, inside, passages, strict=True)
            ]
            proposals.append(Proposal(parts[0], parts[1], score, bars.level(score)))
            open_runs = [[run for run in own if run not in taken] for own, taken in zip(open_runs, inside, strict=True)]
    for index, (_, values) in enumerate(sides):
        for run in open_runs[index]:
            score = _mean(values, run)
            # A single word says too little, unless it is among the more certain suggestions.
            if run[1] - run[0] == 1 and bars.level(score) == 1:
                continue
            proposals.append(Proposal(() if index else (run,), (run,) if index else (), score, bars.level(score)))
    return sorted(proposals, key=lambda each: (not each.a, each.a or each.b))


def _trim_punctuation(side: TextSide, where: Range) -> Range:
    """A range without punctuation at its ends; the whole range if there is nothing else."""
    inner = [index for index in range(*where) if not _is_mark(side.text[slice(*side.tokens[index])])]
    return (inner[0], inner[-1] + 1) if inner else where


def _overlap(one: Range, other: Range) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def runs(side: TextSide, scores: Sequence[float], threshold: float) -> list[Range]:
    """Ranges of tokens at or above the threshold, cut to phrases; see ``propose``."""
    words = side.words()
    strong = [score >= threshold for score in scores]
    starts = {start for start, _ in side.sentences}
    first = [any(start in starts for start in range(begin, end)) for begin, end in side.tokens]
    marks = [_is_mark(word) for word in words]
    result: list[Range] = []
    position, count = 0, len(strong)
    while position < count:
        if not strong[position]:
            position += 1
            continue
        end = position + 1
        while end < count and not first[end]:
            bridged = end + 1 < count and strong[end + 1] and not first[end + 1]
            if not strong[end] and not bridged:
                break
            end += 1
        whole = phrase(side, (position, end), words, marks, first)
        if whole and result and whole[0] < result[-1][1]:
            # A phrase may extend back over the end of the previous one, for example when a name is completed.
            result[-1] = (result[-1][0], whole[1])
        elif whole:
            result.append(whole)
        position = max(end, whole[1] if whole else end)
    return result


def phrase(
    side: TextSide, run: Range, words: Sequence[str], marks: Sequence[bool], first: Sequence[bool]
) -> Range | None:
    """A run as a person would mark it, or None if it says nothing by itself.

    Completed to whole written words and whole names, within the sentence; without punctuation at its ends, and without
    function words at its end, unless the sentence ends there. A run of only function words gives None. ``words`` are
    the side's tokens; ``marks`` says which are punctuation, ``first`` which begin a sentence.
    """
    low, high = run
    light = function_words(side.language)

    def joined(left: int) -> bool:
        """Whether a token and the next belong together: no space between, or both parts of a name."""
        right = left + 1
        if first[right] or marks[left] or marks[right]:
            return False
        if _spaceless(words[left]) or _spaceless(words[right]):
            return False
        glued = side.tokens[left][1] == side.tokens[right][0]
        named = all(words[index][:1].isupper() and words[index].lower() not in light for index in (left, right))
        return glued or named

    while low > 0 and joined(low - 1):
        low -= 1
    while high < len(words) and joined(high - 1):
        high += 1
    while low < high and marks[low]:
        low += 1
    while high > low and marks[high - 1]:
        high -= 1
    ends = high == len(words) or first[high] or marks[high]
    while high > low and not ends and words[high - 1].lower() in light:
        high -= 1
    content = [word for word, mark in zip(words[low:high], marks[low:high], strict=True) if not mark]
    return (low, high) if any(word.lower() not in light for word in content) else None


def _spaceless(word: str) -> bool:
    """Whether a word is of a script that is written without spaces."""
    return bool(word) and ord(word[0]) > 0x2E7F and unicodedata.category(word[0]) == "Lo"


def _is_mark(token: str) -> bool:
    return all(unicodedata.category(character)[0] in "PZC" for character in token)


def _mean(scores: Sequence[float], run: Range) -> float:
    return sum(scores[run[0] : run[1]]) / (run[1] - run[0])
