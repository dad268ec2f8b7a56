"""Parses an untrusted scheme: whatever can't be drawn, typed or counted is refused, naming its location.

What a lead omits is chosen here: hotkeys by position, colours by position or, if labels are grades, by order.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from annotation.phrases import Phrase, at
from annotation.strict_json import kind, shown, unprintable
from annotation.text.colours import COLOURS, FIVE_GRADES, NINE_GRADES, PALETTE, label_colours
from annotation.text.items.base import DEFAULT, ITEM_TYPES, ItemError, expanded, with_choices
from annotation.text.items.yes_no import NO, YES
from annotation.text.schemes import SIDES, Choice, Label, Question, Scheme, SchemeError, Side

SEVERAL = "several"
MOST_GRADES = len(NINE_GRADES)
MOST_LABELS = len(PALETTE)
MOST_QUESTIONS = 60
"""Counting each answer of a question with several answers."""
LONGEST_KEY = 40
LONGEST_NAME = 80
LONGEST_WORDS = 1_000
# Shortcuts of the workspace; a test compares them with its table of shortcuts.
RESERVED = frozenset("abcdefghjkmnopqrsuwxz ./,?")
HOTKEYS = tuple(key for key in "1234567890abcdefghijklmnopqrstuvwxyz" if key not in RESERVED)

MOST_CHOICES = len(HOTKEYS)

_SCHEME = ("name", "labels", "sides", "links", "discontinuous", "overlap", "default", "questions", "statement")
_LABEL = ("key", "name", "description", "colour", "hotkey", "value")
_QUESTION = ("key", "text", "type", "of", "choices")
_CHOICE = ("key", "name", "hotkey", "value")


def parse_scheme(data: object) -> Scheme:
    """The scheme that `Scheme.to_json` wrote, or that a lead wrote. Raises SchemeError with location and reason."""
    whole = _Part(data, "scheme", _SCHEME)
    sides = _sides(whole)
    labelled = bool(whole.data.get("labels"))
    questions = [_item(item, where, labelled) for where, item in _expanded(whole, labelled)]
    choices = [
        [_Part(item, where, _CHOICE) for where, item in part.items("choices", MOST_CHOICES)] for part in questions
    ]
    labels = _labels(
        [_Part(item, where, _LABEL) for where, item in whole.items("labels", MOST_LABELS)],
        avoid={choice.hotkey() for own in choices for choice in own},
    )
    taken = {label.hotkey for label in labels if label.hotkey}
    scheme = Scheme(
        name=whole.words("name", LONGEST_NAME),
        labels=labels,
        sides=sides,
        links=whole.flag("links", len(sides) == len(SIDES)),
        discontinuous=whole.flag("discontinuous", True),
        overlap=whole.flag("overlap", True),
        default=whole.words("default", LONGEST_KEY, otherwise="same"),
        questions=tuple(_question(part, own, taken) for part, own in zip(questions, choices, strict=True)),
        statement=whole.flag("statement", False),
    )
    for number, question in enumerate(scheme.questions):
        for index, choice in enumerate(question.choices):
            if choice.hotkey in taken:
                reason = Phrase("'%(key)s' is a label's hotkey already; choose another", {"key": choice.hotkey})
                raise SchemeError(at(f"scheme.questions[{number}].choices[{index}].hotkey", reason))
    scheme.check()
    return scheme


class _Part:
    """An object of the scheme and its location; refuses unknown keys."""

    def __init__(self, data: object, where: str, known: Sequence[str]) -> None:
        self.where = where
        if not isinstance(data, Mapping):
            raise SchemeError(at(where, Phrase("an object is expected, not %(kind)s", {"kind": kind(data)})))
        for key in data:
            if key not in known:
                reason = Phrase("unknown; expected one of %(names)s", {"names": ", ".join(known)})
                raise SchemeError(at(f"{where}.{shown(key)}", reason))
        self.data = data

    def refuse(self, key: str, reason: Phrase) -> SchemeError:
        return SchemeError(at(f"{self.where}.{key}", reason))

    def words(self, key: str, longest: int, *, otherwise: str | None = None) -> str:
        """A text on one line; required unless `otherwise` gives a default."""
        value = self.data.get(key, otherwise)
        if value is None:
            raise self.refuse(key, Phrase("missing"))
        if not isinstance(value, str):
            raise self.refuse(key, Phrase("a text is expected, not %(kind)s", {"kind": kind(value)}))
        if otherwise is None and not value.strip():
            raise self.refuse(key, Phrase("empty"))
        if value and value != value.strip():
            raise self.refuse(key, Phrase("begins or ends with a space; remove it"))
        if len(value) > longest:
            gaps = {"n": str(len(value)), "most": str(longest)}
            raise self.refuse(key, Phrase("%(n)s characters; at most %(most)s are allowed", gaps))
        if reason := unprintable(value):
            raise self.refuse(key, reason)
        return value

    def flag(self, key: str, otherwise: bool) -> bool:
        value = self.data.get(key, otherwise)
        if not isinstance(value, bool):
            raise self.refuse(key, Phrase("true or false is expected, not %(value)s", {"value": shown(value)}))
        return value

    def items(self, key: str, most: int) -> list[tuple[str, object]]:
        """(location, item) of a list; empty if there is none."""
        value = self.data.get(key, ())
        if not isinstance(value, list | tuple):
            raise self.refuse(key, Phrase("a list is expected, not %(kind)s", {"kind": kind(value)}))
        if len(value) > most:
            gaps = {"n": str(len(value)), "most": str(most)}
            raise self.refuse(key, Phrase("%(n)s are too many; at most %(most)s can be told apart", gaps))
        return [(f"{self.where}.{key}[{number}]", item) for number, item in enumerate(value)]

    def number(self, key: str) -> float | None:
        value = self.data.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refuse(key, Phrase("a number is expected, not %(value)s", {"value": repr(shown(value))}))
        if not math.isfinite(value) or abs(value) > 1_000_000:
            raise self.refuse(key, Phrase("a number between -1000000 and 1000000 is expected"))
        return value

    def hotkey(self) -> str:
        value = self.words("hotkey", 1, otherwise="")
        gaps = {"key": value, "keys": " ".join(HOTKEYS)}
        if value in RESERVED and value:
            reason = Phrase("'%(key)s' is a shortcut of the workspace; choose one of %(keys)s", gaps)
            raise self.refuse("hotkey", reason)
        if value and value not in HOTKEYS:
            raise self.refuse("hotkey", Phrase("'%(key)s' cannot be one; choose one of %(keys)s", gaps))
        return value


def _sides(whole: _Part) -> tuple[Side, ...]:
    given = [side for _, side in whole.items("sides", len(SIDES))] if "sides" in whole.data else list(SIDES)
    if not given or any(side not in SIDES for side in given) or len({str(side) for side in given}) < len(given):
        raise whole.refuse("sides", Phrase("one or both of 'a' and 'b' are expected, each once"))
    return tuple(side for side in SIDES if side in given)


def _labels(parts: list[_Part], avoid: Collection[str]) -> tuple[Label, ...]:
    values = [part.number("value") for part in parts]
    graded = bool(parts) and values[0] is not None
    for part, value in zip(parts, values, strict=True):
        if (value is not None) != graded:
            raise part.refuse("value", Phrase("either every label has a value, or none"))
        if value is not None and value <= 0:
            raise part.refuse("value", Phrase("a grade must be above 0, which means unmarked"))
    _each_once(parts, "value", values)
    if graded and len(parts) > MOST_GRADES:
        reason = Phrase("at most %(most)s grades can be told apart", {"most": str(MOST_GRADES)})
        raise parts[MOST_GRADES].refuse("value", reason)
    hotkeys = _hotkeys(parts, avoid)
    labels = tuple(
        Label(
            key=part.words("key", LONGEST_KEY),
            name=part.words("name", LONGEST_NAME),
            description=part.words("description", LONGEST_WORDS, otherwise=""),
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
            first = parts[values.index(value)].where
            gaps = {"value": shown(value), "first": first}
            raise part.refuse(key, Phrase("'%(value)s' appears twice; first in %(first)s", gaps))


def _hotkeys(parts: list[_Part], avoid: Collection[str]) -> list[str]:
    """The given hotkeys; for labels without one, the next that is free and not in `avoid`; '' if none remains."""
    given = [part.hotkey() for part in parts]
    _each_once(parts, "hotkey", given)
    free = iter(key for key in HOTKEYS if key not in given and key not in avoid)
    return [hotkey if "hotkey" in part.data else next(free, "") for part, hotkey in zip(parts, given, strict=True)]


def _colours(parts: list[_Part], values: list[float | None]) -> list[str]:
    """The given colours; otherwise those of the grades in their order, or the palette's."""
    given = [part.words("colour", LONGEST_KEY, otherwise="") for part in parts]
    for part, colour in zip(parts, given, strict=True):
        if colour and colour not in COLOURS:
            reason = Phrase(
                "'%(colour)s' is not a label colour; choose one of %(colours)s, or leave it out",
                {"colour": colour, "colours": ", ".join(COLOURS)},
            )
            raise part.refuse("colour", reason)
    _each_once(parts, "colour", given)
    if not any(given):
        return label_colours(values)
    if values[0] is not None:
        for part, colour, value in zip(parts, given, values, strict=True):
            deeper = [other for other, least in zip(given, values, strict=True) if (least or 0) > (value or 0)]
            if not colour:
                raise part.refuse("colour", Phrase("missing; give every grade a colour, or leave all out"))
            if any(_depth(other) <= _depth(colour) for other in deeper):
                reason = Phrase("grades go from pale to deep; leave their colours out, or order them so")
                raise part.refuse("colour", reason)
        return given
    free = iter(colour for colour in PALETTE if colour not in given)
    return [colour or next(free) for colour in given]


def _depth(colour: str) -> float:
    """How deep a colour is among grades; colours that are not grades don't count."""
    steps = next((steps for steps in (FIVE_GRADES, NINE_GRADES) if colour in steps), ())
    return steps.index(colour) / (len(steps) - 1) if steps else math.nan


def _expanded(whole: _Part, labelled: bool) -> list[tuple[str, object]]:
    """(location, question) of every question, those of items with several answers one by one."""
    found: list[tuple[str, object]] = []
    for where, item in whole.items("questions", MOST_QUESTIONS):
        try:
            found += [
                (f"{where}.{part}" if part else where, question)
                for part, question in expanded(item, hotkeys=not labelled)
            ]
        except ItemError as error:
            raise SchemeError(at(f"{where}.{error.field}", error.phrase)) from error
    if len(found) > MOST_QUESTIONS:
        gaps = {"n": str(len(found)), "most": str(MOST_QUESTIONS)}
        raise whole.refuse("questions", Phrase("%(n)s are too many; at most %(most)s can be told apart", gaps))
    return found


def _item(data: object, where: str, labelled: bool) -> _Part:
    """A question with its choices, which may come from its type."""
    if isinstance(data, Mapping):
        try:
            data = with_choices(data, hotkeys=not labelled)
        except ItemError as error:
            raise SchemeError(at(f"{where}.{error.field}", error.phrase)) from error
        return _Part(data, where, (*_QUESTION, *ITEM_TYPES[data.get("type", DEFAULT)].names))
    return _Part(data, where, _QUESTION)


def _question(part: _Part, choices: list[_Part], avoid: Collection[str]) -> Question:
    kind_of = part.words("type", LONGEST_KEY, otherwise=DEFAULT)
    if ITEM_TYPES[kind_of].open:
        if choices:
            raise part.refuse("choices", Phrase("a question in the annotators' own words has none"))
    elif len(choices) < 2:
        raise part.refuse("choices", Phrase("at least two are needed"))
    values = [choice.number("value") for choice in choices]
    if any((value is None) != (values[0] is None) for value in values):
        raise part.refuse("choices", Phrase("either every choice has a value, or none"))
    made = tuple(
        Choice(choice.words("key", LONGEST_KEY), choice.words("name", LONGEST_NAME), hotkey, value)
        for choice, hotkey, value in zip(choices, _hotkeys(choices, avoid), values, strict=True)
    )
    _each_once(choices, "key", [choice.key for choice in made])
    _each_once(choices, "name", [choice.name.casefold() for choice in made])
    key, text = part.words("key", LONGEST_KEY), part.words("text", LONGEST_WORDS)
    of = part.words("of", LONGEST_WORDS, otherwise="")
    if bool(of) != (kind_of == SEVERAL):
        raise part.refuse("of", Phrase("the question is expected, of which this is one of several answers"))
    if of and "." not in key:
        raise part.refuse("key", Phrase("the question's key, a full stop and the answer's key are expected"))
    if of and [choice.key for choice in made] != [YES, NO]:
        raise part.refuse("choices", Phrase("one of several answers is chosen by yes and no"))
    return Question(key, text, made, kind_of, of)
