"""Parses an untrusted scheme: whatever can't be drawn, typed or counted is refused, naming its location.

What a lead omits is chosen here: hotkeys by position, colours by position or, if labels are grades, by order.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from annotation.phrases import Phrase, field_problem
from annotation.strict_json import display_text, kind, name_problem
from annotation.text.colours import COLOURS, FIVE_GRADES, NINE_GRADES, PALETTE, filled_colours
from annotation.text.items.base import (
    DEFAULT,
    HOTKEYS,
    ITEM_TYPES,
    MAX_CHOICES,
    RESERVED,
    ItemError,
    expand_item,
    with_choices,
)
from annotation.text.items.yes_no_choices import NO, YES
from annotation.text.schemes import SIDES, Choice, Label, Question, Scheme, SchemeError, Side

MAX_GRADES = len(NINE_GRADES)
MAX_LABELS = len(PALETTE)
MAX_QUESTIONS = 60
"""Counting each answer of a question with several answers."""
MAX_KEY_LENGTH = 40
MAX_NAME_LENGTH = 80
MAX_DESCRIPTION_LENGTH = 1_000

_SCHEME = ("name", "labels", "sides", "links", "discontinuous", "overlap", "default", "questions", "statement")
_LABEL = ("key", "name", "description", "colour", "hotkey", "value")
_QUESTION = ("key", "text", "type", "of", "choices")
_CHOICE = ("key", "name", "hotkey", "value")


def parse_scheme(data: object) -> Scheme:
    """The scheme that `Scheme.to_json` wrote, or that a lead wrote. Raises SchemeError with location and reason of each
    problem, at most one for each location.
    """
    problems: list[Phrase] = []
    scheme = _parsed(data, problems)
    # What could not be read is not missing.
    problems += scheme.contradictions() if problems else scheme.missing() + scheme.contradictions()
    if problems:
        raise SchemeError(*problems)
    scheme.check()
    return scheme


def _parsed(data: object, problems: list[Phrase]) -> Scheme:
    """The scheme; in place of what is wrong, which is added to `problems`, there is anything of its type."""
    whole = _Part(data, "scheme", _SCHEME, problems)
    sides = _sides(whole)
    labelled = bool(whole.data.get("labels"))
    items = [_item(whole, item, where, labelled) for where, item in _expanded(whole, labelled)]
    questions = [part for part in items if part is not None]
    choices = [
        [_Part(item, where, _CHOICE, problems) for where, item in part.items("choices", MAX_CHOICES)]
        for part in questions
    ]
    labels = _labels(
        [_Part(item, where, _LABEL, problems) for where, item in whole.items("labels", MAX_LABELS)],
        avoid={choice.hotkey() for own in choices for choice in own},
    )
    taken = {label.hotkey for label in labels if label.hotkey}
    scheme = Scheme(
        name=whole.string("name", MAX_NAME_LENGTH),
        labels=labels,
        sides=sides,
        links=whole.flag("links", len(sides) == len(SIDES)),
        discontinuous=whole.flag("discontinuous", True),
        overlap=whole.flag("overlap", True),
        default=whole.string("default", MAX_KEY_LENGTH, otherwise="same"),
        questions=tuple(_question(part, own, taken) for part, own in zip(questions, choices, strict=True)),
        statement=whole.flag("statement", False),
    )
    _each_once(questions, "key", [question.key for question in scheme.questions])
    for question, own in zip(scheme.questions, choices, strict=True):
        for choice, part in zip(question.choices, own, strict=True):
            if choice.hotkey in taken:
                reason = Phrase("'%(key)s' is a label's hotkey already; choose another", {"key": choice.hotkey})
                part.wrong("hotkey", reason)
    return scheme


class _Part:
    """An object of the scheme and its location. What is wrong with it is added to `problems`, unknown keys too."""

    def __init__(self, data: object, where: str, keys: Sequence[str], problems: list[Phrase]) -> None:
        self.where = where
        self.problems = problems
        self.readable = isinstance(data, Mapping)
        self.data: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        if not self.readable:
            problems.append(field_problem(where, Phrase("an object is expected, not %(kind)s", {"kind": kind(data)})))
        for key in self.data:
            if key not in keys:
                self.wrong(display_text(key), Phrase("unknown; expected one of %(names)s", {"names": ", ".join(keys)}))

    def wrong(self, key: str, reason: Phrase) -> None:
        """Note a problem, unless its location has one, or nothing of this object can be read."""
        phrase = field_problem(f"{self.where}.{key}", reason)
        if self.readable and all(each.params["field"] != phrase.params["field"] for each in self.problems):
            self.problems.append(phrase)

    def string(self, key: str, max_length: int, *, otherwise: str | None = None) -> str:
        """A text on one line; required unless `otherwise` gives a default."""
        value = self.data.get(key, otherwise)
        if value is None:
            self.wrong(key, Phrase("missing"))
            return ""
        if not isinstance(value, str):
            self.wrong(key, Phrase("a string is expected, not %(kind)s", {"kind": kind(value)}))
            return ""
        if otherwise is None and not value.strip():
            self.wrong(key, Phrase("empty"))
        elif value and value != value.strip():
            self.wrong(key, Phrase("begins or ends with a space; remove it"))
        elif len(value) > max_length:
            params = {"n": str(len(value)), "most": str(max_length)}
            self.wrong(key, Phrase("%(n)s characters; at most %(most)s are allowed", params))
        elif reason := name_problem(value):
            self.wrong(key, reason)
        return value

    def flag(self, key: str, otherwise: bool) -> bool:
        value = self.data.get(key, otherwise)
        if not isinstance(value, bool):
            self.wrong(key, Phrase("true or false is expected, not %(value)s", {"value": display_text(value)}))
            return otherwise
        return value

    def items(self, key: str, limit: int) -> list[tuple[str, object]]:
        """(location, item) of a list; empty if there is none. No more than `limit`."""
        value = self.data.get(key, ())
        if not isinstance(value, list | tuple):
            self.wrong(key, Phrase("a list is expected, not %(kind)s", {"kind": kind(value)}))
            return []
        if len(value) > limit:
            params = {"n": str(len(value)), "most": str(limit)}
            self.wrong(key, Phrase("%(n)s is too many; at most %(most)s can be told apart", params))
        return [(f"{self.where}.{key}[{number}]", item) for number, item in enumerate(value[:limit])]

    def number(self, key: str) -> float | None:
        """A number, or None if there is none. One that can't be read is not a number, which equals no other."""
        value = self.data.get(key)
        if not self.readable:
            return float("nan")
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(key, Phrase("a number is expected, not %(value)s", {"value": repr(display_text(value))}))
            return float("nan")
        if not math.isfinite(value) or abs(value) > 1_000_000:
            self.wrong(key, Phrase("a number between -1000000 and 1000000 is expected"))
            return float("nan")
        return value

    def hotkey(self) -> str:
        value = self.string("hotkey", 1, otherwise="")
        params = {"key": value, "keys": " ".join(HOTKEYS)}
        if value in RESERVED and value:
            reason = Phrase("'%(key)s' is a shortcut of the workspace; choose one of %(keys)s", params)
            self.wrong("hotkey", reason)
            return ""
        if value and value not in HOTKEYS:
            self.wrong("hotkey", Phrase("'%(key)s' can't be a hotkey; choose one of %(keys)s", params))
            return ""
        return value


def _sides(whole: _Part) -> tuple[Side, ...]:
    listed = [side for _, side in whole.items("sides", len(SIDES))] if "sides" in whole.data else list(SIDES)
    if not listed or any(side not in SIDES for side in listed) or len({str(side) for side in listed}) < len(listed):
        whole.wrong("sides", Phrase("one or both of 'a' and 'b' are expected, each once"))
        return SIDES
    return tuple(side for side in SIDES if side in listed)


def _labels(parts: list[_Part], avoid: Collection[str]) -> tuple[Label, ...]:
    values = [part.number("value") for part in parts]
    graded = bool(parts) and values[0] is not None
    # Said once; and where a value is no number it is not known which labels should have one.
    mixed = not any(value is not None and math.isnan(value) for value in values)
    for part, value in zip(parts, values, strict=True):
        if mixed and (value is not None) != graded:
            part.wrong("value", Phrase("either every label has a value, or none"))
            mixed = False
        if value is not None and value <= 0:
            part.wrong("value", Phrase("a grade must be above 0, which means unmarked"))
    _each_once(parts, "value", values)
    if graded and len(parts) > MAX_GRADES:
        reason = Phrase("too many grades: at most %(most)s can be told apart by colour", {"most": str(MAX_GRADES)})
        parts[MAX_GRADES].wrong("value", reason)
    hotkeys = _hotkeys(parts, avoid)
    labels = tuple(
        Label(
            key=part.string("key", MAX_KEY_LENGTH),
            name=part.string("name", MAX_NAME_LENGTH),
            description=part.string("description", MAX_DESCRIPTION_LENGTH, otherwise=""),
            colour=colour,
            hotkey=hotkey,
            value=value,
        )
        for part, colour, hotkey, value in zip(parts, _colours(parts, values), hotkeys, values, strict=True)
    )
    _each_once(parts, "key", [label.key for label in labels])
    _each_once(parts, "name", [label.name.casefold() for label in labels])
    return labels


def _each_once(parts: Sequence[_Part], key: str, values: Sequence[object]) -> None:
    for number, (part, value) in enumerate(zip(parts, values, strict=True)):
        if value not in (None, "") and value in values[:number]:
            params = {"value": display_text(value), "n": str(values.index(value) + 1)}
            part.wrong(key, Phrase("'%(value)s' appears twice; number %(n)s has it too", params))


def _hotkeys(parts: list[_Part], avoid: Collection[str]) -> list[str]:
    """The given hotkeys; for labels without one, the next that is free and not in `avoid`; '' if none remains."""
    hotkeys = [part.hotkey() for part in parts]
    _each_once(parts, "hotkey", hotkeys)
    free = iter(key for key in HOTKEYS if key not in hotkeys and key not in avoid)
    return [hotkey if "hotkey" in part.data else next(free, "") for part, hotkey in zip(parts, hotkeys, strict=True)]


def _colours(parts: list[_Part], values: list[float | None]) -> list[str]:
    """The given colours; otherwise those of the grades in their order, or the palette's."""
    colours = [part.string("colour", MAX_KEY_LENGTH, otherwise="") for part in parts]
    for part, colour in zip(parts, colours, strict=True):
        if colour and colour not in COLOURS:
            reason = Phrase(
                "'%(colour)s' is not a label colour; choose one of %(colours)s, or leave it out",
                {"colour": colour, "colours": ", ".join(COLOURS)},
            )
            part.wrong("colour", reason)
    _each_once(parts, "colour", colours)
    chosen = [colour for colour in colours if colour]
    if set(chosen) - set(COLOURS) or len(set(chosen)) < len(chosen):
        return colours
    if chosen and values[0] is not None:
        for part, colour, value in zip(parts, colours, values, strict=True):
            deeper = [other for other, least in zip(colours, values, strict=True) if (least or 0) > (value or 0)]
            if not colour:
                part.wrong("colour", Phrase("missing; give every grade a colour, or none"))
            if any(_depth(other) <= _depth(colour) for other in deeper):
                reason = Phrase("grades go from light to dark; omit their colours, or put them in that order")
                part.wrong("colour", reason)
    return filled_colours(colours, values)


def _depth(colour: str) -> float:
    """How deep a colour is among grades; colours that are not grades don't count."""
    steps = next((steps for steps in (FIVE_GRADES, NINE_GRADES) if colour in steps), ())
    return steps.index(colour) / (len(steps) - 1) if steps else math.nan


def _expanded(whole: _Part, labelled: bool) -> list[tuple[str, object]]:
    """(location, question) of every question, those of items with several answers one by one."""
    items: list[tuple[str, object]] = []
    for where, item in whole.items("questions", MAX_QUESTIONS):
        try:
            items += [
                (f"{where}.{part}" if part else where, question)
                for part, question in expand_item(item, hotkeys=not labelled)
            ]
        except ItemError as error:
            whole.problems.append(field_problem(f"{where}.{error.field}", error.phrase))
    if len(items) > MAX_QUESTIONS:
        params = {"n": str(len(items)), "most": str(MAX_QUESTIONS)}
        whole.wrong("questions", Phrase("%(n)s is too many; at most %(most)s can be told apart", params))
    return items


def _item(whole: _Part, data: object, where: str, labelled: bool) -> _Part | None:
    """A question with its choices, which may come from its type; None if they are wrong."""
    if isinstance(data, Mapping):
        try:
            data = with_choices(data, hotkeys=not labelled)
        except ItemError as error:
            whole.problems.append(field_problem(f"{where}.{error.field}", error.phrase))
            return None
        names = [name for name in ITEM_TYPES[data.get("type", DEFAULT)].names if name not in _QUESTION]
        return _Part(data, where, (*_QUESTION, *names), whole.problems)
    return _Part(data, where, _QUESTION, whole.problems)


def _question(part: _Part, choices: list[_Part], avoid: Collection[str]) -> Question:
    kind_of = part.string("type", MAX_KEY_LENGTH, otherwise=DEFAULT)
    if ITEM_TYPES[kind_of].open:
        if choices:
            part.wrong("choices", Phrase("a free-text question has no choices"))
    elif len(choices) < 2:
        part.wrong("choices", Phrase("at least two are needed"))
    values = [choice.number("value") for choice in choices]
    if any((value is None) != (values[0] is None) for value in values):
        part.wrong("choices", Phrase("either every choice has a value, or none"))
    parsed = tuple(
        Choice(choice.string("key", MAX_KEY_LENGTH), choice.string("name", MAX_NAME_LENGTH), hotkey, value)
        for choice, hotkey, value in zip(choices, _hotkeys(choices, avoid), values, strict=True)
    )
    _each_once(choices, "key", [choice.key for choice in parsed])
    _each_once(choices, "name", [choice.name.casefold() for choice in parsed])
    key, text = part.string("key", MAX_KEY_LENGTH), part.string("text", MAX_DESCRIPTION_LENGTH)
    of = part.string("of", MAX_DESCRIPTION_LENGTH, otherwise="")
    if ITEM_TYPES[kind_of].expand is None:
        if of:
            part.wrong("of", Phrase("allowed only for an answer of a question with several answers; remove it"))
    elif not of:
        part.wrong("of", Phrase("must name the question that this answer belongs to"))
    else:
        if "." not in key:
            part.wrong("key", Phrase("the question's key, a full stop and the answer's key are expected"))
        if [choice.key for choice in parsed] != [YES, NO]:
            part.wrong(
                "choices", Phrase("an answer of a question with several answers must have the choices yes and no")
            )
    return Question(key, text, parsed, kind_of, of)
