"""Spans proposed from scores, and the threshold."""

import numpy as np
import pytest

from assist.methods.base import PairInput, Proposal
from assist.methods.proposals import best_threshold, choose_threshold, propose, runs
from tests.assist.methods.texts import pair, side


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([0, 0, 0, 0, 0, 0, 0, 0], []),
        ([0, 1, 1, 0, 0, 0, 0, 0], [(1, 3)]),
        ([1, 0, 1, 0, 0, 0, 0, 0], [(0, 3)]),
        ([1, 0, 0, 1, 0, 0, 0, 0], [(0, 1), (3, 4)]),
        ([0, 0, 1, 1, 1, 1, 0, 0], [(2, 3), (4, 6)]),
        ([0, 0, 0, 1, 0, 0, 0, 1], []),
        ([1, 1, 1, 1, 1, 1, 1, 1], [(0, 3), (4, 7)]),
    ],
)
def test_runs(scores: list[float], found: list[tuple[int, int]]) -> None:
    text = side("A dog sleeps. Two cats see.", "en")
    assert text.words() == ["A", "dog", "sleeps", ".", "Two", "cats", "see", "."]
    wanted = [run for run in found if run != (3, 4)]
    assert runs(text, scores, 0.5) == wanted


def test_a_proposal_has_the_mean_of_its_scores() -> None:
    given = pair("A dog", "Ein Hund")
    first, second = propose(given, [0.1, 0.9], [0.8, 0.6], 0.5)
    assert first == Proposal(((1, 2),), (), 0.9)
    assert (second.a, second.b) == ((), ((0, 2),))
    assert second.score == pytest.approx(0.7)


def test_best_threshold_is_the_best_of_all() -> None:
    rng = np.random.default_rng(3)
    scores = rng.random(80).round(1)
    marked = rng.random(80) < scores

    def f1(bar: float) -> float:
        taken = scores >= bar
        return float(2 * (taken & marked).sum() / (taken.sum() + marked.sum()))

    assert f1(best_threshold(marked, scores)) == max(f1(bar) for bar in scores)


def labelled(split: str, gold: list[float]) -> PairInput:
    words = side(" ".join(["word"] * len(gold)), "en")
    return PairInput("1", words, side("", "de"), gold, None, split)


def test_the_threshold_comes_from_labels_that_are_not_tests() -> None:
    gold = [0.0] * 150 + [0.2] * 50 + [float("nan")] * 50
    scores = (np.array([0.1] * 140 + [0.6] * 60 + [0.9] * 50), np.zeros(0))
    assert choose_threshold([labelled("dev", gold)], [scores], 0.33) == pytest.approx(0.6)
    assert choose_threshold([labelled("test", gold)], [scores], 0.33) == 0.33
    assert choose_threshold([labelled("", gold[:100])], [(scores[0][:100], np.zeros(0))], 0.33) == 0.33
    assert choose_threshold([labelled("dev", gold)], [scores], 0.33, above=0.5) == 0.33
