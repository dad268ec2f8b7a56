"""The one parser of numbers from outside."""

from __future__ import annotations

import pytest

from annotation.number_parsing import MAX_INTEGER, NumberError, parse_decimal, parse_integer


@pytest.mark.parametrize(("text", "value"), [("0", 0), (" 12 ", 12), ("+7", 7), ("0" * 6000 + "3", 3), ("-0", 0)])
def test_whole_numbers(text: str, value: int) -> None:
    assert parse_integer(text) == value
    assert parse_integer("-5", -5) == -5


@pytest.mark.parametrize(
    "text",
    ["", "x", "1.0", "1_000", "٣", "²", "--1", "-1", str(MAX_INTEGER + 1), "9" * 5000, "-" + "9" * 5000, "0x1", "1 2"],
)
def test_what_is_no_whole_number_in_range_is_refused(text: str) -> None:
    with pytest.raises(NumberError, match="a whole number"):
        parse_integer(text)


@pytest.mark.parametrize(("text", "value"), [("0.5", 0.5), ("-1e3", -1000.0), (".25", 0.25), ("2", 2.0)])
def test_decimals(text: str, value: float) -> None:
    assert parse_decimal(text) == value


@pytest.mark.parametrize("text", ["", "nan", "inf", "1e999", "1e99999999", "1_0.0", "9" * 5000, "٣.٣"])
def test_what_is_no_finite_number_is_refused(text: str) -> None:
    with pytest.raises(NumberError, match="a number is expected"):
        parse_decimal(text)
