"""IoU and F1 of marked tokens."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import f1_score, jaccard_score

from agreement.metrics.arrays import Bools
from agreement.metrics.overlap import counts, f1, iou

marks = hnp.arrays(np.bool_, (2, 12), elements=st.booleans())


def test_a_hand_case() -> None:
    one = np.array([1, 1, 1, 0, 0], dtype=np.bool_)
    other = np.array([0, 1, 1, 1, 0], dtype=np.bool_)
    assert counts(one, other).tolist() == [2, 4, 6]
    assert float(iou(counts(one, other))) == 0.5
    assert float(f1(counts(one, other))) == pytest.approx(2 / 3)


@given(marks)
def test_scikit_learn_says_the_same(pair: Bools) -> None:
    one, other = pair
    if one.any() or other.any():
        assert float(iou(counts(one, other))) == pytest.approx(jaccard_score(one, other))
        assert float(f1(counts(one, other))) == pytest.approx(f1_score(one, other))


@given(marks)
def test_symmetric_bounded_and_iou_never_above_f1(pair: Bools) -> None:
    one, other = pair
    assert counts(one, other).tolist() == counts(other, one).tolist()
    if one.any() or other.any():
        assert 0 <= iou(counts(one, other)) <= f1(counts(one, other)) <= 1


def test_nobody_marked_anything_is_undefined() -> None:
    nothing = np.zeros(4, dtype=np.bool_)
    assert np.isnan(iou(counts(nothing, nothing)))
    assert np.isnan(f1(counts(nothing, nothing)))


def test_one_of_two_marked_nothing_is_zero() -> None:
    nothing, something = np.zeros(4, dtype=np.bool_), np.ones(4, dtype=np.bool_)
    assert float(iou(counts(nothing, something))) == 0
    assert float(f1(counts(nothing, something))) == 0


def test_a_side_without_tokens_is_undefined() -> None:
    empty = np.zeros(0, dtype=np.bool_)
    assert np.isnan(iou(counts(empty, empty)))
