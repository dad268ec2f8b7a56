import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assist.methods.encoder.windows import Window, plan


def test_a_text_that_fits_is_one_window() -> None:
    assert plan(5, 5, 2) == [Window(0, 5, 0, 5)]
    assert plan(0, 5, 2) == []


@given(st.integers(1, 400), st.integers(1, 60), st.integers(0, 40), st.sets(st.integers(0, 399)))
def test_every_subword_is_kept_once_and_read_where_it_is_kept(
    length: int, room: int, overlap: int, starts: set[int]
) -> None:
    windows = plan(length, room, overlap, sorted(each for each in starts if each < length))
    kept = [index for window in windows for index in range(window.keep, window.keep_stop)]
    assert kept == list(range(length))
    for window in windows:
        assert 0 <= window.start <= window.keep < window.keep_stop <= window.stop <= length
        assert window.stop - window.start <= room


@given(st.integers(50, 400), st.integers(8, 40))
def test_neighbours_share_the_overlap_and_hand_over_in_its_middle(length: int, room: int) -> None:
    overlap = room // 3
    windows = plan(length, room, overlap)
    for left, right in itertools.pairwise(windows):
        assert left.stop - right.start >= overlap
        assert min(right.keep - right.start, left.stop - right.keep) >= overlap // 2


def test_the_hand_over_is_at_the_start_of_a_word() -> None:
    starts = list(range(0, 100, 3))
    for window in plan(100, 30, 12, starts):
        assert window.keep in starts


def test_no_room_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one subword"):
        plan(3, 0, 0)
