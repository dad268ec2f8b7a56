"""Numbers, dates and times as texts of several languages write them."""

from decimal import Decimal
from itertools import pairwise

import pytest

from assist.methods.mismatch.quantities import quantities


def read(text: str, language: str) -> list[tuple[str, str, set[tuple[object, ...]], str]]:
    return [
        (text[each.start : each.end], each.kind, set(each.interpretations), each.unit)
        for each in quantities(text, language)
    ]


@pytest.mark.parametrize(
    ("text", "language", "values"),
    [
        ("1,250", "en", {"1250", "1.25"}),
        ("1'520", "de", {"1520"}),
        ("1 000 000", "fr", {"1000000"}),
        ("12.5", "en", {"12.5"}),
        ("1.234,56", "es", {"1234.56"}),
        ("1,23,456", "hi", {"123456"}),
        ("१२", "hi", {"12"}),
        ("3 million", "en", {"3000000"}),
        ("2,5 Mrd.", "de", {"2500000000"}),
        ("5 milliards", "fr", {"5000000000"}),
        ("5万", "zh", {"50000"}),
        ("68億", "zh", {"6800000000"}),
        ("5 लाख", "hi", {"500000"}),
    ],
)
def test_what_a_number_may_be_worth(text: str, language: str, values: set[str]) -> None:
    [(_, kind, interpretations, _)] = read(text, language)
    assert kind == "number"
    assert interpretations == {(Decimal(value),) for value in values}


@pytest.mark.parametrize(
    ("text", "language", "dates"),
    [
        ("10 May 2019", "en", {(2019, 5, 10)}),
        ("May 10, 2019", "en", {(2019, 5, 10)}),
        ("March 2020", "en", {(2020, 3, None)}),
        ("10. Mai 2019", "de", {(2019, 5, 10)}),
        ("1er mai 2020", "fr", {(2020, 5, 1)}),
        ("3 de julio de 2002", "es", {(2002, 7, 3)}),
        ("29.12.2023", "de", {(2023, 12, 29)}),
        ("12.31.2023", "en", {(2023, 12, 31)}),
        ("03/04/2021", "en", {(2021, 3, 4), (2021, 4, 3)}),
        ("2020-05-10", "en", {(2020, 5, 10)}),
        ("2020年5月10日", "zh", {(2020, 5, 10)}),
        ("8月15日", "zh", {(None, 8, 15)}),
    ],
)
def test_dates(text: str, language: str, dates: set[tuple[int | None, ...]]) -> None:
    assert read(text, language) == [(text, "date", dates, "")]


@pytest.mark.parametrize(
    ("text", "language", "minutes"),
    [
        ("at 2:30 pm", "en", {870}),
        ("at 2:30", "en", {150, 870}),
        ("um 14.30 Uhr", "de", {870}),
        ("um 2:30", "de", {150}),
        ("à 14h30", "fr", {870}),
        ("at 12 a.m.", "en", {0}),
    ],
)
def test_times(text: str, language: str, minutes: set[int]) -> None:
    [(_, kind, interpretations, _)] = read(text, language)
    assert (kind, interpretations) == ("time", {(each,) for each in minutes})


@pytest.mark.parametrize(
    ("text", "language", "unit"),
    [
        ("5 %", "de", "concentr-percent"),
        ("5 per cent, 6 percent", "en", "concentr-percent"),
        ("百分之5", "zh", "concentr-percent"),
        ("CHF 5.50", "en", "CHF"),
        ("€5", "en", "EUR"),
        ("12 Monate", "de", "duration-month"),
        ("a 12-month course", "en", "duration-month"),
        ("3 km²", "fr", "area-square-kilometer"),
        ("5 apples", "en", ""),
    ],
)
def test_units(text: str, language: str, unit: str) -> None:
    assert read(text, language)[-1][3] == unit


def test_digits_in_a_name_are_no_number() -> None:
    assert read("COVID-19, CO2, 5G, A4 and WRC-23", "en") == []


def test_a_range_is_two_numbers_and_no_quantity_is_read_twice() -> None:
    text = "from 2021–2024, on 3 May 2020 at 10:15, 4 of 5"
    found = quantities(text, "en")
    assert [text[each.start : each.end] for each in found] == ["2021", "2024", "3 May 2020", "10:15", "4", "5"]
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize("text", ["31.02.2020.1.1.1", "9" * 6000, "1." * 5000, "99:99", "٣٫١٤", "1,", "²"])
def test_odd_writings_are_read_somehow(text: str) -> None:
    assert all(0 <= each.start < each.end <= len(text) for each in quantities(text, "xx"))
