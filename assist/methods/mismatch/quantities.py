"""Dates, times and numbers in a text, read in the ways in which its language or another may write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Literal, TypeVar

from assist.methods.mismatch.locale_words import LocaleWords, locale_words

Value = TypeVar("Value")
Kind = Literal["date", "time", "number", "period"]
Interpretation = tuple[Decimal | int | None, ...]
"""A number's value; a date's year, month and day (None: not said); the minutes of a time since midnight."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """The quantity at ``start`` to ``end`` (code points): every interpretation, and its unit ('': none).

    '1.250' may be 1,250 or 1.25, and 03/04/2021 in March or in April.
    """

    kind: Kind
    interpretations: frozenset[Interpretation]
    unit: str
    start: int
    end: int
    unscaled: frozenset[Decimal] = frozenset()
    """For a number with a scale word ('3 million'), the part before the word: the other language may have none."""


def quantities(text: str, language: str) -> list[Quantity]:
    """The quantities of a text in text order; no two overlap."""
    words = locale_words(language)
    result: list[Quantity] = []
    free = bytearray(b"\1" * len(text))
    for each in (*_dates(text, words), *_times(text, words), *_numbers(text, words)):
        if all(free[each.start : each.end]):
            result.append(each)
            free[each.start : each.end] = bytes(each.end - each.start)
    return sorted(result, key=lambda each: each.start)


_NUMERIC = re.compile(
    r"(?<![\d.,/-])(?:(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})|(\d{4})-(\d{2})-(\d{2}))(?![\d/-]|[.,]\d)"
)
_HAN = re.compile(r"(?:(\d{4}|\d{2})\s?年\s?)?(?:(\d{1,2})\s?月)\s?(?:(\d{1,2})\s?[日号])?")


def _dates(text: str, words: LocaleWords) -> Iterator[Quantity]:
    for match in _NUMERIC.finditer(text):
        one, _, other, last, *iso = match.groups()
        if iso[0]:
            interpretations = {_date(iso[0], iso[1], iso[2])}
        else:
            interpretations = {_date(_century(last), other, one), _date(_century(last), one, other)}
        yield from _quantity("date", interpretations, match)
    for match in _HAN.finditer(text):
        yield from _quantity("date", {_date(*match.groups())}, match)
    for match in _dates_with_month_names(frozenset(words.months)).finditer(text):
        parts = match.groupdict()
        month = words.months[parts["month"].lower()]
        day = parts["before"] or parts["after"]
        if day or parts["year"]:
            yield from _quantity("date", {_date(parts["year"], month, day)}, match)


@cache
def _dates_with_month_names(months: frozenset[str]) -> re.Pattern[str]:
    """'10 May 2019', 'May 10, 2019', '1er mai', 'mayo de 2019': dates with a month's name."""
    names = "|".join(map(re.escape, sorted(months, key=len, reverse=True)))
    return re.compile(
        rf"(?<![\d.,])(?:\b(?P<before>\d{{1,2}})(?:\.|st|nd|rd|th|er|º|°)?\s(?:(?:de|of)\s)?)?(?<![^\W\d])(?P<month>{names})(?!\w)\.?"
        rf"(?:\s(?P<after>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|[.,:]\d))?(?:,?\s(?:(?:de|del|of)\s)?(?P<year>\d{{4}})(?!\d))?",
        re.IGNORECASE,
    )


def _date(year: str | int | None, month: str | int | None, day: str | int | None) -> Interpretation | None:
    """A date, or None if there is no such day."""
    parts = tuple(int(each) if each is not None else None for each in (year, month, day))
    try:
        date(parts[0] or 2000, parts[1] or 1, parts[2] or 1)
    except ValueError:
        return None
    return parts


def _century(year: str) -> int:
    return int(year) if len(year) == 4 else 2000 + int(year)


_CLOCK = re.compile(
    r"(?<![\d:.,])(?P<hour>[01]?\d|2[0-3])(?:\s?[:h]\s?(?P<minute>[0-5]\d)|\.(?P<dotted>[0-5]\d)(?=\s?(?:Uhr|h)\b)|"
    r"(?=\s?[ap]\.?m\b))(?:\s?(?P<half>[ap])\.?m\b\.?)?(?:\s?Uhr\b)?(?![\d:])",
    re.IGNORECASE,
)


def _times(text: str, words: LocaleWords) -> Iterator[Quantity]:
    for match in _CLOCK.finditer(text):
        hour, minute = int(match["hour"]), int(match["minute"] or match["dotted"] or 0)
        half = (match["half"] or "").lower()
        if half:
            hours = [hour % 12 + 12 * (half == "p")]
        else:
            # With a twelve-hour clock, the half of the day may be omitted.
            hours = [hour, (hour + 12) % 24] if words.twelve_hours and hour <= 12 else [hour]
        yield from _quantity("time", {(60 * each + minute,) for each in hours}, match)


_DIGITS = re.compile(r"\d+(?:[.,'’٫٬]\d+|[ \u00a0\u202f\u2009]\d{3}(?!\d))*")
_SPACES = " \u00a0\u202f\u2009"
_GROUPS = re.compile(r"\d{1,3}(?:\D\d{2,3})*\D\d{3}")


def _numbers(text: str, words: LocaleWords) -> Iterator[Quantity]:
    for match in _DIGITS.finditer(text):
        start, end = match.span()
        if _part_of_a_name(text, start):
            continue
        scale, end = _longest_match(text, end, words.scales)
        unit, after = _longest_match(text, end, words.units)
        before = _unit_before(text, start, words)
        if not (scale or unit) and end < len(text) and text[end].isalpha() and not _han(text[end]):
            continue
        values = _values(match[0])
        interpretations = frozenset((value * (scale or 1),) for value in values)
        unscaled = frozenset(values if scale else ())
        yield Quantity("number", interpretations, unit or before or "", start, after if unit else end, unscaled)


def _part_of_a_name(text: str, start: int) -> bool:
    """Whether digits belong to a name: 'CO2', 'COVID-19'."""
    if not start:
        return False
    before = text[start - 1]
    return (before.isalpha() and not _han(before)) or (before in "-_#" and start > 1 and text[start - 2].isalpha())


def _han(character: str) -> bool:
    return unicodedata.category(character) == "Lo" and not unicodedata.combining(character) and ord(character) > 0x2E7F


def _values(written: str) -> set[Decimal]:
    """The possible values of a number with these separators."""
    digits = "".join(str(unicodedata.digit(each)) if each.isdigit() else each for each in written)
    marks = [each for each in digits if not each.isdigit()]
    plain = re.sub(r"\D", "", digits)
    if not marks:
        return {Decimal(plain)}
    values = set()
    if _GROUPS.fullmatch(digits) and len(set(marks)) == 1:
        values.add(Decimal(plain))
    if marks[-1] not in "'’" + _SPACES and marks.count(marks[-1]) == 1:
        whole, fraction = digits.rsplit(marks[-1], 1)
        values.add(Decimal(f"{re.sub(r'[^0-9]', '', whole)}.{fraction}"))
    return values or {Decimal(plain)}


def _longest_match(text: str, at: int, words: Mapping[str, Value]) -> tuple[Value | None, int]:
    """The longest of the words that follows (after one space or none), and where it ends."""
    start = at + 1 if text[at : at + 1] in {*_SPACES, "-"} and at + 1 < len(text) else at
    for size in range(min(24, len(text) - start), 0, -1):
        end = start + size
        whole = end == len(text) or not text[end].isalnum() or _han(text[end - 1]) or not text[end - 1].isalnum()
        if whole and (word := text[start:end].lower()) in words:
            return words[word], end
    return None, at


def _unit_before(text: str, start: int, words: LocaleWords) -> str | None:
    """The currency or sign right before a number: 'CHF 5', '$5', '百分之5'."""
    before = text[max(0, start - 4) : start].lower().rstrip()
    for size in range(len(before), 0, -1):
        word = before[-size:]
        unit = words.units.get(word)
        if unit is not None and unit.isupper() and not before[-size - 1 : -size].isalpha():
            return unit
    return "concentr-percent" if before.endswith("百分之") else None


def _quantity(kind: Kind, interpretations: Iterable[Interpretation | None], match: re.Match[str]) -> Iterator[Quantity]:
    values = frozenset(each for each in interpretations if each is not None)
    if values:
        yield Quantity(kind, values, "", *match.span())
