"""Labels: learned from rows, chosen of their probabilities, and given to proposals."""

import numpy as np
import pytest

from assist.methods.base import Proposal
from assist.methods.wordmodel.label_decision import LabelDecisionRule, tune_decision_rule
from assist.methods.wordmodel.labels import (
    NONE,
    UNKNOWN,
    LabelModel,
    balanced_factors,
    label_codes,
    label_names,
    macro_f1,
    most_likely_labels,
)
from tests.assist.methods.texts import named as with_labels
from tests.assist.methods.texts import pair

WORDS = {"dog": ("2", 0.4), "old": ("5", 1.0)}


def test_labels_are_named_in_order_and_unmarked_only_where_it_is_one_of_them() -> None:
    given = [with_labels(pair("The old dog.", "Der Hund."), WORDS), pair("The cat.", "Die Katze.")]
    assert label_names(given, unmarked=True) == ("", "2", "5")
    assert label_names(given, unmarked=False) == ("2", "5")
    assert label_names(given[1:], unmarked=False) == ()


def test_tokens_are_coded_and_those_without_gold_are_unknown() -> None:
    given = with_labels(pair("The old dog.", "Der Hund."), WORDS)
    gold = np.array([0, 1, 0.4, np.nan, 0, 0, 0])
    assert label_codes(given, gold, ("", "2", "5")).tolist() == [0, 2, 1, UNKNOWN, 0, 0, 0]
    assert label_codes(given, gold, ("2", "5")).tolist() == [NONE, 1, 0, UNKNOWN, NONE, NONE, NONE]
    assert label_codes(pair("The dog.", "Hund."), np.zeros(5), ("2",)).tolist() == [UNKNOWN] * 5


@pytest.mark.parametrize("labels", [2, 3])
def test_a_label_is_learned_from_what_goes_with_it(labels: int) -> None:
    codes = np.arange(600) % labels
    table = np.random.default_rng(0).normal(size=(600, 4)).astype(np.float32)
    table[:, 1] += 3 * codes
    model = LabelModel.fit(table, codes, 4)
    assert model is not None
    shares = model.predict(table)
    assert shares.shape == (600, 4) and shares.sum(axis=1) == pytest.approx(1)
    assert (shares[:, labels:] == 0).all()  # never seen
    assert (shares.argmax(axis=1) == codes).mean() > 0.7  # by chance a half or a third


def test_of_one_label_or_none_nothing_is_learned() -> None:
    table = np.zeros((30, 2), dtype=np.float32)
    assert LabelModel.fit(table, np.full(30, 1), 2) is None
    assert LabelModel.fit(table, np.where(np.arange(30) < 9, 1, NONE), 2) is None


def test_macro_f1_is_the_mean_over_labels() -> None:
    # F1 of 0: 2 of 3 hits and one miss: 4/5; of 1: 1 hit, one alarm: 2/3; of 2: none of one found.
    codes, found = np.array([0, 0, 0, 1, 2]), np.array([0, 0, 1, 1, 0])
    assert macro_f1(codes, found, 3) == pytest.approx((2 * 2 / 6 + 2 / 3 + 0) / 3)


def test_a_rare_label_gets_its_share_by_its_factor() -> None:
    codes = np.repeat([0, 1], [90, 10])
    shares = np.array([[0.9, 0.1]] * 90 + [[0.6, 0.4]] * 10)
    assert (most_likely_labels(shares, np.ones(2)) == 0).all()
    factors = balanced_factors(shares, codes)
    assert macro_f1(codes, most_likely_labels(shares, factors), 2) == 1.0
    assert balanced_factors(shares[:0], codes[:0]).tolist() == [1.0, 1.0]


GRADED = LabelDecisionRule(("2", "5"), ("a", "b"), np.ones(2), 0.5, {})
SHARES = np.array([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.3, 0.7]])


def test_a_graded_token_is_labelled_from_the_bar_on() -> None:
    assert GRADED.of_sides(np.array([0.9, 0.2, 0.5, 0.6]), SHARES, 3) == {"a": ["2", "", "5"], "b": ["5"]}


def test_a_proposal_has_the_label_that_is_likeliest_over_its_words_of_both_sides() -> None:
    assert GRADED.of_proposal(Proposal(((0, 1),), (), 0.9), SHARES, 3) == "2"
    assert GRADED.of_proposal(Proposal(((0, 3),), ((0, 1),), 0.9), SHARES, 3) == "5"
    new = LabelDecisionRule(("", "inferable", "new"), ("b",), np.array([1.0, 9.0, 1.0]), 0.0, {})
    shares = np.array([[0.7, 0.1, 0.2]])
    assert new.of_sides(np.zeros(1), shares, 0) == {"b": ["inferable"]}
    assert new.of_proposal(Proposal((), ((0, 1),), 0.9), shares, 0) == "new"  # never unmarked, and nothing balanced


def test_what_is_reported_was_chosen_without_the_document() -> None:
    # In either fold the other's choice is wrong: nothing is right by what was not seen.
    shares = [np.array([[0.6, 0.4]] * 20), np.array([[0.6, 0.4]] * 20)]
    codes = [np.repeat([0, 1], 10), np.repeat([0, 1], 10)]
    scores = [np.repeat([0.9, 0.8], 10), np.repeat([0.9, 0.8], 10)]
    rule = tune_decision_rule(("2", "5"), ("a",), shares, codes, scores, np.array([0, 1]))
    assert rule.scores == {"exact": 0.5} and rule.bar == pytest.approx(0.8)
    seen = tune_decision_rule(("", "new"), ("b",), shares, codes, scores, np.array([0, 1]))
    assert seen.scores["macro f1"] == pytest.approx(1 / 3)
