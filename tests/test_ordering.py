"""The order of tests: long ones are shared out and start first, and none is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.ordering import longest_first


def test_each_process_begins_with_its_share_of_the_long_tests() -> None:
    tests = list("abcdefghi")
    seconds = [0, 0, 20, 0, 60, 0, 0, 40, 30]
    assert longest_first(tests, seconds, tests, 3) == ["e", "a", "b", "h", "d", "f", "i", "c", "g"]


def test_long_tests_of_a_group_stay_together_in_their_order() -> None:
    tests = list("abcdef")
    groups = ["one", "", "", "one", "other", ""]
    assert longest_first(tests, [5, 0, 0, 30, 20, 0], groups, 2) == ["a", "d", "b", "e", "c", "f"]


def test_one_process_runs_the_longest_first_and_then_the_rest_in_order() -> None:
    assert longest_first(list("abcd"), [0, 10, 0, 20], list("abcd"), 1) == ["d", "b", "a", "c"]


@given(st.lists(st.sampled_from([0.0, 5.0, 60.0])), st.integers(1, 5))
def test_every_test_runs_once(seconds: list[float], processes: int) -> None:
    tests = list(range(len(seconds)))
    assert sorted(longest_first(tests, seconds, [str(test % 7) for test in tests], processes)) == tests
