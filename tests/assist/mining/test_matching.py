"""Mutual best matches, in blocks as at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assist.mining.matching import CELLS, Floats, block_rows, mutual


def blocks(matrix: Floats, size: int) -> Iterator[tuple[int, Floats]]:
    for start in range(0, len(matrix), size):
        yield start, matrix[start : start + size]


def test_each_has_to_prefer_the_other() -> None:
    matrix = np.array([[0.9, 0.8, 0.1], [0.95, 0.2, 0.1], [0.1, 0.3, 0.0]], np.float32)
    # Row 0 prefers column 0, which prefers row 1; row 2 prefers column 1, which prefers row 0.
    assert [(row, column) for row, column, _ in mutual(blocks(matrix, 3), 3)] == [(1, 0)]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_an_empty_side_matches_nothing(shape: tuple[int, int]) -> None:
    assert mutual(blocks(np.zeros(shape, np.float32), 2), shape[1]) == []


def test_nothing_in_common_is_no_match() -> None:
    assert mutual(blocks(np.zeros((2, 2), np.float32), 1), 2) == []


@given(
    arrays(np.float32, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.sampled_from([0, 0.25, 0.5, 1])),
    st.integers(1, 9),
)
def test_blocks_of_any_size_give_the_same(matrix: Floats, size: int) -> None:
    expected = [
        (row, int(matrix[row].argmax()), float(matrix[row].max()))
        for row in range(len(matrix))
        if matrix[row].max() > 0 and matrix[:, matrix[row].argmax()].argmax() == row
    ]
    assert mutual(blocks(matrix, size), matrix.shape[1]) == expected


def test_a_block_has_a_bounded_size() -> None:
    assert block_rows(10_000) * 10_000 <= CELLS
    assert block_rows(CELLS * 2) == 1 and block_rows(0) == CELLS
