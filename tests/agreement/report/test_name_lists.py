"""Lists of names in an address."""

from __future__ import annotations

import pytest

from agreement.report.name_lists import divided, joined


@pytest.mark.parametrize(
    "names", [(), ("A1", "A2"), ("Smith, Jane", "A2"), ("a\\", "b"), ("a\\,b",), ("\\", ","), ("two\nlines, one", "x")]
)
def test_what_is_joined_is_divided_again(names: tuple[str, ...]) -> None:
    assert divided(joined(names)) == names


def test_addresses_from_before_names_could_hold_commas_are_read_as_they_were() -> None:
    assert joined(("A1", "A2")) == "A1,A2"
    assert divided("A1,,A2,") == ("A1", "A2")
    assert divided("a\\b,c") == ("a\\b", "c")
