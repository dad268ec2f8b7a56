"""Packed tables are the tables that were packed, whatever is taken from them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from agreement.metrics.arrays import Ints
from agreement.report.compute.sparse_tables import Packed

numbers = st.sampled_from([0, 0, 0, 0, 1, 7, 255, 256, 70_000])
tables = hnp.arrays(np.int64, st.tuples(st.integers(0, 9), st.just(3), st.just(2)), elements=numbers)


@given(tables)
def test_the_same_tables_come_out(made: Ints) -> None:
    packed = Packed.of(made)
    assert len(packed) == len(made) and packed.shape == (3, 2)
    assert np.array_equal(packed.tables(), made)
    assert np.array_equal(packed.total(), made.sum(axis=0))
    assert packed.sizes.tolist() == np.count_nonzero(made, axis=(1, 2)).tolist()


@given(tables, st.data())
def test_rows_are_taken_as_from_an_array(made: Ints, data: st.DataObject) -> None:
    packed, size = Packed.of(made), len(made)
    first, last = data.draw(st.integers(0, 9)), data.draw(st.integers(0, 9))
    chosen = data.draw(hnp.arrays(np.bool_, size))
    order = data.draw(hnp.arrays(np.int64, st.integers(0, 5), elements=st.integers(0, size - 1))) if size else chosen
    for rows in (slice(first, last), chosen, order):
        taken = packed[rows]
        assert np.array_equal(taken.tables(), made[rows])
        assert np.array_equal(taken.total(), made[rows].sum(axis=0))


@given(st.lists(tables, min_size=1, max_size=4))
def test_parts_are_joined_in_order(parts: list[Ints]) -> None:
    joined = Packed.joined([Packed.of(part) for part in parts])
    assert np.array_equal(joined.tables(), np.concatenate(parts))


def test_zeros_take_no_room_and_others_little() -> None:
    made = np.zeros((1000, 4, 10, 10), dtype=np.int64)
    empty = Packed.of(made).nbytes
    assert empty <= 8 * 1001
    made[:, 0, 3, 3] = 200
    assert Packed.of(made).nbytes - empty <= 1000 * 3 + 4 * 1001, "a cell, a number, and where the row begins"
