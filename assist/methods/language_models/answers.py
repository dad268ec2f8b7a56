"""Reading answers, which may be anything: JSON in prose, broken JSON, lists of wrong length, wrong quotations.

The rates are those that the papers report, with our definitions: an answer *needed a repair* if it was not exactly what
was asked for (JSON alone, an entry for every token, quotations that are in the text), and a token is *padded* if no
entry could be assigned to it. A padded token counts as the same on both sides: nothing is suggested for it.
"""

import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

from assist.methods.base import Range, TextSide
from assist.methods.language_models.matching import labels_of, locate
from assist.methods.language_models.prompt import GRADES, PromptPart, part_text

MAX_CHARACTERS = 200_000
MAX_SPANS = 200
"""Of one list, and characters of an answer, that are read; the rest is ignored."""
MAX_CALLS = 10_000_000
"""Calls of functions after which the repair of an answer is given up; broken answers of models need a tenth of them."""
_NAMES = ("similarity", "label", "score", "value", "rating")
_QUOTED = ("text", "span", "quotation", "quote")


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """What became of answers.

    ``answers``, of which ``repaired`` were not exactly what was asked for, and ``unusable`` held nothing that could be
    read. ``tokens`` to be labelled, of which ``padded`` got no label of their own; ``outside``: labels outside the
    range. ``spans`` quoted, of which ``near`` are not there letter by letter, and ``unmatched`` not at all.
    """

    answers: int = 0
    repaired: int = 0
    unusable: int = 0
    tokens: int = 0
    padded: int = 0
    outside: int = 0
    spans: int = 0
    near: int = 0
    unmatched: int = 0

    @property
    def all_unusable(self) -> bool:
        """Whether there were answers, and nothing could be read in any: then nothing is known of the pair."""
        return 0 < self.answers == self.unusable

    def __add__(self, other: "AnswerCounts") -> "AnswerCounts":
        return AnswerCounts(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    def to_json(self) -> dict[str, int]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def total(cls, counts: Iterable["AnswerCounts"]) -> "AnswerCounts":
        whole = cls()
        for each in counts:
            whole += each
        return whole


@dataclass(frozen=True, slots=True)
class PartGrades:
    """Differences in [0, 1] of a part's tokens, and the counts."""

    differences: dict[str, list[float]]
    counts: AnswerCounts


@dataclass(frozen=True, slots=True)
class FoundQuotation:
    """A quotation that was found: its label and tokens (of the whole side)."""

    kind: str
    tokens: Range


def read_json(text: str) -> tuple[Any, bool]:
    """The JSON of an answer, and whether it is all there is. (None, False) if there is none at all."""
    text = text[:MAX_CHARACTERS].strip()
    try:
        return json.loads(text), True
    except (ValueError, RecursionError):
        pass
    starts = [index for index in (text.find("{"), text.find("[")) if index >= 0]
    if not starts:
        return None, False
    inner = text[min(starts) : max(text.rfind("}"), text.rfind("]")) + 1]
    try:
        return json.loads(inner), False
    except (ValueError, RecursionError):
        pass
    from json_repair import repair_json

    try:
        # What it takes grows with the square of some texts' length: hours, at the most characters.
        with _at_most(MAX_CALLS):
            return repair_json(text[min(starts) :], return_objects=True, skip_json_loads=True), False
    except (_Endless, Exception):  # whatever a library makes of a hostile text
        return None, False


class _Endless(BaseException):
    """Too much work. Not an Exception, which the code that is to end might catch."""


@contextmanager
def _at_most(calls: int) -> Iterator[None]:
    """Raise _Endless in this thread after so many calls and returns of functions.

    A number and not a time, so that an answer is read alike on a busy machine.
    """
    left = calls

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _Endless

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)


def read_grades(answer: str, sides: Mapping[str, TextSide], parts: Sequence[PromptPart]) -> PartGrades:
    """The differences that an answer gives to the tokens of parts: 1 - similarity / 5, by side ('a', 'b').

    A similarity outside 0 to 5 is kept as the nearest one and counted.
    """
    value, alone = read_json(answer)
    differences: dict[str, list[float]] = {}
    padded = outside = read = 0
    exact = alone and isinstance(value, dict) and set(value) == {part.side.upper() for part in parts}
    for part in parts:
        side = sides[part.side]
        words = [side.text[start:end] for start, end in side.tokens[part.tokens[0] : part.tokens[1]]]
        entries = _entries(_value_of_side(value, part.side, len(parts) == 1))[: 4 * len(words) + 50]
        read += len(entries)
        labels = labels_of(words, entries)
        exact = exact and [word for word, _ in entries] == words
        padded += labels.count(None)
        outside += sum(label is not None and not 0 <= label <= GRADES for label in labels)
        differences[part.side] = [
            0.0 if label is None else 1 - min(max(label, 0.0), float(GRADES)) / GRADES for label in labels
        ]
    tokens = sum(len(each) for each in differences.values())
    counts = AnswerCounts(1, int(not exact and read > 0), int(read == 0), tokens, padded, outside)
    return PartGrades(differences, counts)


def read_labels(answer: str, side: TextSide, part: PromptPart, highest: int) -> tuple[list[int | None], AnswerCounts]:
    """The numbers of labels, from 0 to ``highest``, that an answer gives to a part's tokens; None for one without.

    A number outside the range, or between two, counts as none given and is counted.
    """
    value, alone = read_json(answer)
    words = [side.text[start:end] for start, end in side.tokens[part.tokens[0] : part.tokens[1]]]
    entries = _entries(_value_of_side(value, part.side, True))[: 4 * len(words) + 50]
    exact = alone and isinstance(value, dict) and [word for word, _ in entries] == words
    labels = labels_of(words, entries)
    valid = [int(each) if each is not None and each in range(highest + 1) else None for each in labels]
    padded = valid.count(None)
    outside = padded - labels.count(None)
    return valid, AnswerCounts(1, int(not exact and bool(entries)), int(not entries), len(words), padded, outside)


def read_spans(
    answer: str, side: TextSide, part: PromptPart, kinds: Sequence[str]
) -> tuple[list[FoundQuotation], AnswerCounts]:
    """The quotations of an answer that are in a part of a side, as its tokens."""
    value, alone = read_json(answer)
    usable = isinstance(value, dict | list)
    exact = alone and isinstance(value, dict) and set(value) == set(kinds)
    start, end = part_text(side, part.tokens)
    text = side.text[start:end]
    quotations: list[FoundQuotation] = []
    total = near = unmatched = 0
    for kind in kinds:
        after = 0
        for quotation in _quotations(_list_of(value, kind, len(kinds) == 1)):
            total += 1
            match = locate(text, quotation, after)
            tokens = _tokens(side, part.tokens, match[0], start) if match else None
            if match is None or tokens is None:
                unmatched += 1
                continue
            near += not match[1]
            after = match[0][1]
            quotations.append(FoundQuotation(kind, tokens))
    repaired = usable and (not exact or bool(near + unmatched))
    return quotations, AnswerCounts(1, int(repaired), int(not usable), 0, 0, 0, total, near, unmatched)


def _tokens(side: TextSide, within: Range, match: Range, offset: int) -> Range | None:
    """The tokens of a side that a match (from ``offset`` on) touches."""
    low, high = match[0] + offset, match[1] + offset
    touched = [index for index in range(*within) if side.tokens[index][0] < high and low < side.tokens[index][1]]
    return (touched[0], touched[-1] + 1) if touched else None


def _value_of_side(value: Any, side: str, only: bool) -> Any:
    """What an answer says of a side: under its name in either case; if it is the only one, also without."""
    if isinstance(value, dict):
        for name in (side.upper(), side, f"text {side.upper()}", f"text_{side}"):
            if name in value:
                return value[name]
        return next((each for each in value.values() if isinstance(each, list)), None) if only else None
    return value if only else None


def _entries(value: Any) -> list[tuple[str | None, float]]:
    """(Word or None, label) of a list of objects, pairs or numbers, or of an object of numbers by word."""
    if isinstance(value, dict):
        value = list(value.items()) if all(_number(each) is not None for each in value.values()) else [value]
    entries: list[tuple[str | None, float]] = []
    for each in value if isinstance(value, list) else ():
        word: Any = None
        label: Any = each
        if isinstance(each, dict):
            word = each.get("word", each.get("token"))
            label = next((each[name] for name in _NAMES if name in each), None)
        elif isinstance(each, list | tuple) and len(each) == 2:
            word, label = each
        number = _number(label)
        if number is not None:
            entries.append((word if isinstance(word, str) else None, number))
    return entries


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        value = value.strip()
        if len(value) > 20:
            return None
    elif not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _list_of(answer: Any, kind: str, only: bool) -> Any:
    if isinstance(answer, dict):
        return next((value for key, value in answer.items() if str(key).strip().casefold() == kind), None)
    return answer if only else None


def _quotations(value: Any) -> list[str]:
    """The texts of a list of texts, or of objects with a text."""
    quotations: list[str] = []
    for each in value[:MAX_SPANS] if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            each = next((each[name] for name in _QUOTED if name in each), None)
        if isinstance(each, str) and each.strip():
            quotations.append(each)
    return quotations
