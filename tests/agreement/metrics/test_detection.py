"""Thresholds and what they find, against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_recall_curve

from agreement.metrics.detection import (
    Detection,
    best_threshold,
    confusion,
    curve,
    detection,
    f1_of,
    folds,
    label_detection,
    label_thresholds,
    labels_from_scores,
)

TOKENS = st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.booleans()), min_size=1, max_size=40)


@given(TOKENS)
def test_the_best_threshold_is_scikit_learns(tokens: list[tuple[float, bool]]) -> None:
    scores, wanted = np.array([score for score, _ in tokens]), np.array([new for _, new in tokens])
    threshold = best_threshold(scores, wanted)
    mine = detection(scores >= threshold, wanted)
    if not wanted.any():
        assert not mine.f1
        return
    precision, recall, _ = precision_recall_curve(wanted, scores)
    best = np.max(2 * precision * recall / np.maximum(precision + recall, 1e-12))
    assert mine.f1 == pytest.approx(best)
    assert mine.f1 == pytest.approx(f1_score(wanted, scores >= threshold))
    higher = scores[scores > threshold]
    assert all((detection(scores >= at, wanted).f1 or 0) < best for at in higher)


def test_no_token_has_no_threshold() -> None:
    assert np.isnan(best_threshold(np.zeros(0), np.zeros(0, dtype=bool)))


def test_what_is_undefined_is_none() -> None:
    nothing = Detection(0, 0, 0)
    assert (nothing.precision, nothing.recall, nothing.f1) == (None, None, None)
    missed = Detection(0, 0, 3)
    assert (missed.precision, missed.recall, missed.f1) == (None, 0, 0)
    assert np.isnan(f1_of(np.zeros((1, 3)))[0])
    assert f1_of(np.array([[3.0, 1.0, 2.0]]))[0] == pytest.approx(6 / 9)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.integers(1, 6))
def test_folds_are_disjoint_by_document_and_report_every_token_once(documents: list[int], count: int) -> None:
    tokens = np.array(documents)
    seen = np.zeros(len(tokens), dtype=int)
    for choose, held in folds(tokens, count, seed=1):
        assert not set(tokens[choose]) & set(tokens[held])
        seen += held
    assert (seen == 1).all()


@given(st.lists(st.integers(0, 2), min_size=1, max_size=50))
def test_cuts_give_each_label_its_share(codes: list[int]) -> None:
    given_codes = np.array(codes)
    scores = np.random.default_rng(len(codes)).permutation(len(codes)) / len(codes)
    found = labels_from_scores(scores, label_thresholds(scores, given_codes, 3))
    assert np.bincount(found, minlength=3).tolist() == np.bincount(given_codes, minlength=3).tolist()


def test_a_confusion_has_gold_in_its_rows() -> None:
    table = confusion(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 0]), 3)
    assert table.tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 0]]
    assert label_detection(table, 1) == Detection(1, 1, 0)
    assert label_detection(table, 2) == Detection(0, 0, 1)


@given(TOKENS)
def test_the_curve_counts_as_one_threshold_after_the_other_would(tokens: list[tuple[float, bool]]) -> None:
    scores, wanted = np.array([score for score, _ in tokens]), np.array([new for _, new in tokens])
    points = curve(scores, wanted, 20)
    assert [at for at, _ in points] == sorted({at for at, _ in points})
    for at, counts in points:
        assert counts == detection(scores >= at, wanted)


def test_no_token_has_no_curve() -> None:
    assert curve(np.zeros(0), np.zeros(0, dtype=bool), 5) == []
