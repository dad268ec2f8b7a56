"""Lists of names in an address."""

from __future__ import annotations

import pytest

from agreement.report.name_lists import join_names, split_names


@pytest.mark.parametrize(
    "names", [(), ("A1", "A2"), ("Smith, Jane", "A2"), ("a\\", "b"), ("a\\,b",), ("\\", ","), ("two\nlines, one", "x")]
)
def test_what_is_joined_is_divided_again(names: tuple[str, ...]) -> None:
    assert split_names(join_names(names)) == names


def test_addresses_from_before_names_could_hold_commas_are_read_as_they_were() -> None:
    assert join_names(("A1", "A2")) == "A1,A2"
    assert split_names("A1,,A2,") == ("A1", "A2")
    assert split_names("a\\b,c") == ("a\\b", "c")
