"""Spans proposed from scores, and the threshold."""

import numpy as np
import pytest

from assist.methods.base import PairInput, Proposal, ProposalReason
from assist.methods.shared.proposals import (
    Policy,
    SuggestionThresholds,
    best_threshold,
    choose_thresholds,
    propose,
    runs,
)
from tests.assist.methods.texts import pair, side


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([0, 0, 0, 0, 0, 0, 0, 0], []),
        ([0, 1, 1, 0, 0, 0, 0, 0], [(1, 3)]),
        ([1, 0, 1, 0, 0, 0, 0, 0], [(0, 3)]),
        ([1, 0, 0, 1, 0, 0, 0, 0], []),
        ([0, 0, 1, 1, 1, 1, 0, 0], [(2, 3), (4, 6)]),
        ([0, 0, 0, 1, 0, 0, 0, 1], []),
        ([1, 1, 1, 1, 1, 1, 1, 1], [(0, 3), (4, 7)]),
    ],
)
def test_runs(scores: list[float], found: list[tuple[int, int]]) -> None:
    text = side("A dog sleeps. Two cats see.", "en")
    assert text.words() == ["A", "dog", "sleeps", ".", "Two", "cats", "see", "."]
    assert runs(text, scores, 0.5) == found


def test_a_proposal_has_the_mean_of_its_scores_and_a_level() -> None:
    given = pair("A dog", "Ein Hund")
    first, second = propose(given, [0.1, 0.9], [0.8, 0.6], SuggestionThresholds(0.5, 0.75, 0.85))
    assert first == Proposal(((1, 2),), (), 0.9, 3)
    assert (second.a, second.b, second.level) == ((), ((0, 2),), 1)
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


POLICY = Policy(share=0.2, max_share=0.4, precision=0.75, above=0.0)
NOTHING = np.zeros(0)


def test_without_labels_a_share_of_the_words_is_suggested_the_surest_first() -> None:
    text = PairInput("1", side("a b c d e f g h i j .", "en"), side("", "de"))
    scores = np.array([*np.arange(10) / 10, 1.0])
    bars = choose_thresholds([text], [(scores, NOTHING)], POLICY)
    assert [word for word, score in zip("abcdefghij", scores, strict=False) if score >= bars.threshold] == ["i", "j"]
    assert (bars.curve, bars.level(0.8), bars.level(0.9)) == ((), 1, 3)


def test_equal_scores_are_suggested_together_or_not_at_all() -> None:
    text = PairInput("1", side("a b c d e f g h i j", "en"), side("", "de"))
    bars = choose_thresholds([text], [(np.array([0.9] * 3 + [0.1] * 7), NOTHING)], POLICY)
    assert bars.threshold > 0.9
    assert propose(text, [0.9] * 3 + [0.1] * 7, [], bars) == []


def bar_of(gold: list[float], scores: list[float], split: str = "dev", policy: Policy = POLICY) -> float:
    """The lowest score that is suggested."""
    bars = choose_thresholds([labelled(split, gold)], [(np.array(scores), NOTHING)], policy)
    return min(score for score in scores if score >= bars.threshold)


def test_with_labels_the_threshold_is_the_lowest_of_the_wanted_precision() -> None:
    # By steps of a tenth of 300 words from the top: 30, 30, 20, 10 of 30 are marked; precision 1, 1, 0.89, 0.75, 0.6.
    scores = [round(1 - step / 10, 1) for step in range(10) for _ in range(30)]
    gold = [float(index < n) for n in (30, 30, 20, 10, 0, 0, 0, 0, 0, 0) for index in range(30)]
    assert bar_of(gold, scores) == pytest.approx(0.7)
    # Never more than the most, though it were precise enough; never less than half the usual share.
    assert bar_of([1.0] * 299 + [0.0], scores) == pytest.approx(0.7)
    assert bar_of([0.0] * 299 + [1.0], scores) == pytest.approx(0.9)
    assert bar_of(gold, scores, policy=Policy(0.2, 0.4, 1.0, 0.0)) == pytest.approx(0.9)


def test_labels_of_tests_few_labels_and_labels_of_one_kind_tell_nothing() -> None:
    scores = [round(1 - step / 10, 1) for step in range(10) for _ in range(30)]
    gold = [float(index < 90) for index in range(300)]
    usual = bar_of([float("nan")] * 300, scores)
    assert bar_of(gold, scores) == pytest.approx(0.7) and usual > 0.8
    assert bar_of(gold, scores, "test") == bar_of([0.0] * 300, scores) == usual
    assert bar_of(gold[:199] + [float("nan")] * 101, scores) == usual


def test_a_threshold_that_is_given_holds_and_the_curve_says_what_it_would_give() -> None:
    scores = [0.9] * 100 + [0.1] * 100
    bars = choose_thresholds([labelled("", [1.0] * 50 + [0.0] * 150)], [(np.array(scores), NOTHING)], POLICY, 0.3)
    assert bars.threshold == 0.3
    assert bars.curve == (
        {"threshold": 0.1, "share": 1.0, "precision": 0.25, "recall": 1.0, "f1": 0.4},
        {"threshold": 0.3, "share": 0.5, "precision": 0.5, "recall": 1.0, "f1": pytest.approx(2 / 3)},
        {"threshold": 0.9, "share": 0.5, "precision": 0.5, "recall": 1.0, "f1": pytest.approx(2 / 3)},
    )


def test_the_curve_has_the_chosen_threshold_however_many_there_are() -> None:
    scores = np.linspace(0, 1, 1001)
    gold = (scores > 0.6).astype(float).tolist()
    bars = choose_thresholds([labelled("", gold)], [(scores, NOTHING)], POLICY)
    chosen = [each for each in bars.curve if each["threshold"] == bars.threshold]
    assert len(chosen) == 1 and len(bars.curve) <= 101 and chosen[0]["precision"] == 1.0
    assert chosen[0]["recall"] == pytest.approx((scores >= bars.threshold).sum() / sum(gold))


@pytest.mark.parametrize(
    ("text", "language", "strong", "found"),
    [
        ("We met Anna Smith there", "en", ["Smith"], ["Anna Smith"]),
        ("the state of the art", "en", ["the"], []),
        ("the state of the art", "en", ["state", "of"], ["state"]),
        ("who it is for", "en", ["it", "is", "for"], []),
        ("a mother-in-law came", "en", ["mother-in-law"], ["mother-in-law"]),
        ("dans l'eau froide", "fr", ["eau"], ["l'eau"]),
        ("what it is made of.", "en", ["made", "of"], ["made of"]),
        ("Sie kam in Bern an.", "de", ["kam", "in"], ["kam"]),
        ("他们和我们 来", "zh", ["和"], []),
    ],
)
def test_a_suggestion_is_a_phrase(text: str, language: str, strong: list[str], found: list[str]) -> None:
    given = side(text, language)
    scores = [1.0 if word in strong else 0.0 for word in given.words()]
    ranges = runs(given, scores, 0.5)
    assert [given.text[given.tokens[low][0] : given.tokens[high - 1][1]] for low, high in ranges] == found


def test_a_name_completed_backwards_is_one_suggestion_with_what_comes_before() -> None:
    given = side("Saw Anna or Anna Smith", "en")
    scores = [0.0, 0.0, 0.0, 0.0, 1.0]
    assert runs(given, scores, 0.5) == [(3, 5)]
    assert runs(given, [0.0, 0.0, 0.0, 1.0, 0.0], 0.5) == [(3, 5)]


BARS = SuggestionThresholds(0.5, 0.75, 0.85)


def test_a_single_word_is_suggested_only_if_it_is_surer_than_most() -> None:
    given = pair("dog a the cat", "")
    [one] = propose(given, [0.6, 0.0, 0.0, 0.8], [], BARS)
    assert (one.a, one.level) == (((3, 4),), 2)


def test_what_is_known_to_differ_is_suggested_whatever_the_scores_with_its_reason() -> None:
    given = pair("It has 5 dogs", "Es hat 6 Hunde")
    known = Proposal(((2, 3),), ((2, 3),), 1.0, 3, ProposalReason("number", "5", "6"))
    assert propose(given, [0.0] * 4, [0.0] * 4, BARS, [known]) == [known]


def test_a_run_that_touches_what_is_known_to_differ_becomes_part_of_it() -> None:
    given = pair("It has 5 dogs", "Es hat 6 Hunde")
    known = Proposal(((2, 3),), ((2, 3),), 1.0, 3, ProposalReason("number", "5", "6"))
    [one] = propose(given, [0.0, 0.0, 0.9, 0.9], [0.0] * 4, BARS, [known])
    assert (one.a, one.b, one.reason) == (((2, 4),), ((2, 3),), known.reason)


def test_sentences_in_each_others_place_are_suggested_as_one() -> None:
    given = pair("Press office.", "Kontakt für Medien.")
    twins = [((0, 3), (0, 4))]
    [both] = propose(given, [0.9, 0.9, 0.0], [0.9, 0.9, 0.9, 0.0], BARS, (), twins)
    assert (both.a, both.b) == (((0, 2),), ((0, 3),))
    # Where one of them alone is suggested, the other comes with it, without its full stop.
    [one] = propose(given, [0.9, 0.9, 0.0], [0.1] * 4, BARS, (), twins)
    assert (one.a, one.b, one.level) == (((0, 2),), ((0, 3),), 3)
    assert propose(given, [0.1] * 3, [0.1] * 4, BARS, (), twins) == []
