"""The order of tests: long ones are shared out and start first, and none is lost."""

from __future__ import annotations

import pytest
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


def test_pytest_calls_it_after_all_others(pytestconfig: pytest.Config) -> None:
    """pytest takes no function for a hook whose name does not begin with `pytest_`."""
    hooks = pytestconfig.hook.pytest_collection_modifyitems.get_hookimpls()
    last = [hook.function.__name__ for hook in hooks if hook.trylast]
    assert "pytest_long_tests_first" in last
