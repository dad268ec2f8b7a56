"""Unitizing alpha: by hand, against alpha over code points, by its properties, and its edge cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.metrics.alpha import alpha_of, coincidences
from agreement.metrics.unitizing import Unit, alpha_u_of, continuum, segments

LENGTH, LABELS = 30, 3


@st.composite
def units(draw: st.DrawFn) -> list[Unit]:
    starts = draw(st.lists(st.integers(0, LENGTH - 1), max_size=4))
    return [(start, min(LENGTH, start + draw(st.integers(1, 9))), draw(st.integers(1, LABELS - 1))) for start in starts]


def value(annotators: list[list[Unit]], length: int = LENGTH, *, binary: bool = False) -> float:
    return float(alpha_u_of(continuum(annotators, length, LABELS).packed, LABELS, binary=binary))


def test_by_hand() -> None:
    """Length 10; one marks [0, 4), the other [2, 6).

    Shared: 2 marked by both, 4 by one alone, 4 by neither; both directions double it: total 20, agreed 12. Expected:
    marked 8 of 20 and unmarked 12 of 20, less self-pairings 4² + 4² and 6 + 6: (64 - 32) + (144 - 12) = 164 of
    400 - 44 = 356, so 20 (1 - 164 / 356) = 10.786... disagree by chance, and 8 did.
    """
    assert value([[(0, 4, 1)], [(2, 6, 1)]], 10) == pytest.approx(1 - 8 / (20 * (1 - 164 / 356)))


def test_cutting_a_continuum() -> None:
    assert segments([(2, 5, 1), (4, 7, 2), (5, 6, 1)], 8) == [(0, 2, 0), (2, 4, 1), (4, 7, 2), (7, 8, 0)]
    assert segments([], 3) == [(0, 3, 0)]
    assert segments([], 0) == []


def test_units_of_one_position_are_nominal_alpha() -> None:
    """With units of length 1 a unit is a position, and the self-pairings are those of plain alpha."""
    one, other = [(1, 2, 1), (3, 4, 2), (6, 7, 1)], [(1, 2, 1), (3, 4, 1), (8, 9, 2)]
    codes = np.zeros((2, 10), dtype=np.int64)
    for row, marked in enumerate((one, other)):
        for start, _, label in marked:
            codes[row, start] = label
    plain = alpha_of(coincidences(codes, np.zeros(10, dtype=np.int64), 3)[0], np.arange(3.0), "nominal")
    assert value([one, other], 10) == pytest.approx(float(plain))


@given(st.lists(units(), min_size=2, max_size=4))
def test_symmetric_bounded_and_blind_to_names(annotators: list[list[Unit]]) -> None:
    for binary in (False, True):
        first = value(annotators, binary=binary)
        assert np.isnan(first) or first <= 1 + 1e-9
        assert value(annotators[::-1], binary=binary) == pytest.approx(first, nan_ok=True)


@given(units(), units())
def test_documents_add_up_to_one_continuum(one: list[Unit], other: list[Unit]) -> None:
    """Two documents summed are the two laid end to end, with a boundary between them that no unit crosses."""
    summed = continuum([one, other], LENGTH, LABELS).packed + continuum([other, one], LENGTH, LABELS).packed

    def laid(first: list[Unit], second: list[Unit]) -> list[Unit]:
        return [*first, *((start + LENGTH + 1, end + LENGTH + 1, label) for start, end, label in second)]

    both = continuum([laid(one, other), laid(other, one)], 2 * LENGTH + 1, LABELS)
    gap = np.zeros_like(summed)
    gap[0], gap[LABELS * LABELS] = 2, 2
    assert summed + gap == pytest.approx(both.packed)


def test_the_same_units_agree_fully() -> None:
    marked = [(0, 4, 1), (9, 12, 2)]
    assert value([marked, marked]) == pytest.approx(1)


def test_one_of_two_marked_nothing() -> None:
    assert value([[(0, 4, 1)], []]) <= 0


def test_nobody_marked_anything_and_no_text_are_undefined() -> None:
    assert np.isnan(value([[], []]))
    assert np.isnan(value([[], []], 0))
    assert np.isnan(value([[(0, 3, 1)]]))


def test_binary_asks_only_where() -> None:
    assert value([[(0, 4, 1)], [(0, 4, 2)]], binary=True) == pytest.approx(1)
    assert value([[(0, 4, 1)], [(0, 4, 2)]]) < 1
