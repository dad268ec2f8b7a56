"""Quantities of aligned passages that do not match: numbers, dates, times, units, periods."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal

from assist.methods.base import Range, TextSide
from assist.methods.mismatch.aligned import Aligned, Mismatch
from assist.methods.mismatch.periods import periods
from assist.methods.mismatch.quantities import Interpretation, Quantity, quantities
from assist.methods.mismatch.word_lists import numerals

_ROMAN = re.compile(r"\b[IVXLC]{1,7}\b")
_YEARS = (1500, 2100)
_YEAR_LENGTH = 4
_MAX_QUANTITIES = 200
"""A passage with more quantities than this is a table, in which order means nothing."""


def quantity_mismatches(pair: Aligned) -> Iterator[Mismatch]:
    """What a passage of A says differently from its passage of B, passage by passage.

    A quantity of A that neither its passage of B nor that one's neighbours have, in digits or in words, is paired with
    such a quantity of B that measures the same, in order. What only one side has is not a mismatch.
    """
    ours = [_Passage(pair.a, pair.span(0, a)) for a, _ in pair.passages]
    theirs = [_Passage(pair.b, pair.span(1, b)) for _, b in pair.passages]
    for index, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if max(len(a.quantities), len(b.quantities)) > _MAX_QUANTITIES:
            continue
        near = slice(max(0, index - 1), index + 2)
        left = [each for each in a.quantities if not any(other.has_equal(each) for other in theirs[near])]
        right = [each for each in b.quantities if not any(other.has_equal(each) for other in ours[near])]
        for key in dict.fromkeys(map(_measured, left)):
            of_a = [each for each in left if _measured(each) == key]
            of_b = [each for each in right if _measured(each) == key]
            for one, other in zip(of_a, of_b, strict=False):
                yield Mismatch(one.kind, (one.start, one.end), (other.start, other.end))
        yield from _other_units(a.quantities, b.quantities)


class _Passage:
    """A passage's quantities, and every number that may be read in it, in digits, in words or in Roman numerals."""

    def __init__(self, side: TextSide, where: Range) -> None:
        start, end = where
        text = side.text[start:end]
        values = [*quantities(text, side.language), *periods(text, side.language)]
        self.quantities = [replace(each, start=each.start + start, end=each.end + start) for each in values]
        self.numbers = {
            Decimal(value)
            for each in values
            if each.kind != "period"
            for interpretation in each.interpretations
            for value in interpretation
            if value is not None
        }
        self.unscaled = {value for each in values for value in each.unscaled}
        self.numbers.update(Decimal(each) for each in re.findall(r"\d+", text))
        self.numbers.update(map(_roman, _ROMAN.findall(text)))
        lower = text.lower()
        self.numbers.update(value for word, value in numerals(side.language).items() if word in lower)

    def has_equal(self, quantity: Quantity) -> bool:
        """Whether this passage has a quantity that equals one of another passage."""
        if quantity.kind == "number":
            numbers = self.numbers if quantity.unscaled else self.numbers | self.unscaled
            return any(value in numbers for (value,) in quantity.interpretations) or bool(
                quantity.unscaled & self.numbers
            )
        if any(_equal(quantity, each) for each in self.quantities):
            return True
        # A date or a time may be written in several pieces here: then all its numbers are found.
        return quantity.kind != "period" and any(
            all(Decimal(value) in self.numbers for value in _pieces(quantity, interpretation) if value is not None)
            for interpretation in quantity.interpretations
        )


def _pieces(quantity: Quantity, interpretation: Interpretation) -> Interpretation:
    if quantity.kind == "time":
        minutes = int(interpretation[0] or 0)
        return (minutes // 60, minutes % 60)
    return interpretation


def _equal(one: Quantity, other: Quantity) -> bool:
    """Whether some interpretations agree in everything that both specify."""
    return one.kind == other.kind and any(
        all(None in both or both[0] == both[1] for both in zip(x, y, strict=True))
        for x in one.interpretations
        for y in other.interpretations
    )


def _measured(quantity: Quantity) -> tuple[str, str]:
    """What a quantity measures: its kind and, of a number, its dimension; a number like 1998 may be a year."""
    if quantity.kind != "number":
        return quantity.kind, ""
    plain = quantity.end - quantity.start == _YEAR_LENGTH or quantity.unit == "duration-year"
    if (
        plain
        and quantity.unit in ("", "duration-year")
        and all(_is_year(value) for (value,) in quantity.interpretations)
    ):
        return "number", "year"
    return "number", _dimension(quantity.unit)


def _is_year(value: Decimal | int | None) -> bool:
    low, high = _YEARS
    return value is not None and low <= value <= high


def _dimension(unit: str) -> str:
    return "money" if unit.isupper() else unit.split("-")[0]


def _other_units(left: Iterable[Quantity], right: Iterable[Quantity]) -> Iterator[Mismatch]:
    """Equal numbers, each found once on its side, in different units of the same dimension."""
    of_a, of_b = ([each for each in side if each.kind == "number" and each.unit] for side in (left, right))
    for one in of_a:
        same = [each for each in of_b if each.interpretations & one.interpretations]
        if len(same) == 1 and sum(bool(each.interpretations & one.interpretations) for each in of_a) == 1:
            other = same[0]
            if one.unit != other.unit and _dimension(one.unit) == _dimension(other.unit):
                yield Mismatch("unit", (one.start, one.end), (other.start, other.end))


def _roman(written: str) -> Decimal:
    worth = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    values = [worth[each] for each in written]
    return Decimal(sum(-x if x < y else x for x, y in zip(values, [*values[1:], 0], strict=True)))
