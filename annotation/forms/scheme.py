"""The scheme editor's form: rows of labels and questions as they were typed, and the scheme that they make.

What is typed is checked by `scheme_parsing`, as a scheme from a file is; its error names a location, which is that of a
field of the form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from decimal import Decimal
from typing import Any, TypeVar

from django.utils.text import slugify

from annotation.errors import sentences
from annotation.text.colours import filled_colours, label_colours
from annotation.text.items.base import DEFAULT, ITEM_TYPES, Field, ItemError, ItemType, with_choices
from annotation.text.schemes import Choice, Question, Scheme

FIELDS = {
    "text": "name",
    "sides": "marks",
    "shape": "marks",
    "choices": "options",
    "of": "name",
    "type": "kind",
}
"""The form's fields whose names differ from those in a scheme."""
MAX_ROWS = 100
"""Rows of one kind that a form may have: far more than a scheme may."""


@dataclass
class FormRow:
    """A row of the form; `errors` by field."""

    key: str = ""
    name: str = ""
    hotkey: str = ""
    value: str = ""
    was: str = ""
    errors: dict[str, str] = field(default_factory=dict)


@dataclass
class LabelRow(FormRow):
    description: str = ""
    colour: str = ""
    used: int = 0


@dataclass
class OptionRow(FormRow):
    """An answer to a question, or one of several."""

    used: int = 0


@dataclass
class QuestionRow(FormRow):
    """A question; `name` is its text, `kind` a type of items, `values` the fields of any type, by their names."""

    kind: str = DEFAULT
    values: dict[str, str] = field(default_factory=dict)
    options: list[OptionRow] = field(default_factory=list)
    used: int = 0

    @property
    def type(self) -> ItemType:
        """Its type; one that is unknown is refused when the scheme is made."""
        return ITEM_TYPES[self.kind if self.kind in ITEM_TYPES else DEFAULT]

    @property
    def cells(self) -> list[tuple[Field, str]]:
        """The fields of its type, with their values."""
        return [(field, self.values.get(field.name, "")) for field in self.type.fields]

    @property
    def listed(self) -> bool:
        """Whether its answers are listed in rows."""
        return bool(self.type.listed)

    @property
    def valued(self) -> bool:
        """Whether its answers may have values: not those that its type makes questions of."""
        return self.type.expand is None


@dataclass
class EditedScheme:
    """A scheme as it is in the form, valid or not; `marks` is 'ab', 'a' or 'b'."""

    name: str = ""
    default: str = "same"
    marks: str = "ab"
    links: bool = True
    discontinuous: bool = True
    overlap: bool = True
    statement: bool = False
    labels: list[LabelRow] = field(default_factory=list)
    questions: list[QuestionRow] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_scheme(cls, scheme: Scheme) -> EditedScheme:
        """A valid scheme as the form shows it."""
        edited = cls(
            name=scheme.name,
            default=scheme.default,
            marks="".join(scheme.sides),
            links=scheme.links,
            discontinuous=scheme.discontinuous,
            overlap=scheme.overlap,
            statement=scheme.statement,
        )
        colours = [label.colour for label in scheme.labels]
        # Grades that have the colours of their order are coloured again when their number changes.
        automatic = scheme.graded and colours == label_colours([label.value for label in scheme.labels])
        for label in scheme.labels:
            row = LabelRow(label.key, label.name, label.hotkey, _number(label.value), label.key)
            row.description, row.colour = label.description, "" if automatic else label.colour
            edited.labels.append(row)
        hotkeys = not scheme.labels
        edited.questions = [
            _question_row(text, questions, hotkeys=hotkeys) for text, questions in scheme.displayed_questions
        ]
        return edited

    @classmethod
    def from_form(cls, data: Mapping[str, str]) -> EditedScheme:
        """What was sent; more rows than `MAX_ROWS` of a kind are ignored."""
        name, default, marks = (data.get(f"scheme-{name}", "").strip() for name in ("name", "default", "marks"))
        edited = cls(name, default, marks)
        for flag in ("links", "discontinuous", "overlap", "statement"):
            setattr(edited, flag, f"scheme-{flag}" in data)
        edited.labels = list(_rows(LabelRow, "labels", data))
        edited.questions = list(_rows(QuestionRow, "questions", data))
        for number, question in enumerate(edited.questions):
            question.options = list(_rows(OptionRow, f"questions-{number}-options", data))
        return edited

    @property
    def coloured_labels(self) -> list[tuple[LabelRow, str]]:
        """The rows of labels, each with the colour that the workspace gives it if none is chosen for it.

        Among grades, a row without a number has none yet.
        """
        parsed = [_parsed(row.value) for row in self.labels]
        values = [None if isinstance(value, str) else value for value in parsed]
        graded = [index for index, value in enumerate(values) if value is not None]
        rows = graded or list(range(len(values)))
        automatic = [""] * len(values)
        for number, index in enumerate(rows):
            chosen = [self.labels[each].colour for each in rows]
            chosen[number] = ""
            automatic[index] = filled_colours(chosen, [values[each] for each in rows])[number]
        return list(zip(self.labels, automatic, strict=True))

    def to_json(self) -> dict[str, Any]:
        """The scheme as a lead writes one: what is empty is left to `scheme_parsing`, or refused by it."""
        return {
            "name": self.name,
            "labels": [_label_json(row) for row in self.labels],
            "sides": list(self.marks),
            # Only if both sides are marked can a span link them.
            "links": self.links and len(self.marks) > 1 and bool(self.labels),
            "discontinuous": self.discontinuous,
            "overlap": self.overlap,
            "default": self.default,
            "questions": [_question_json(row) for row in self.questions],
            "statement": self.statement,
        }

    def refuse(self, location: str, message: str) -> None:
        """Put an error beside the field that has this location in the scheme; at the top if there is none."""
        rows: list[Any] = []
        path = re.findall(r"[a-z_]+|\d+", location.removeprefix("scheme"))
        match path:
            case ["labels", number, *rest] if number.isdecimal() and int(number) < len(self.labels):
                rows = [self.labels[int(number)]]
            case ["questions", number, *rest] if number.isdecimal() and int(number) < len(self.questions):
                question = self.questions[int(number)]
                rows = [question]
                while len(rest) > 1 and rest[0] in ("options", "choices") and rest[1].isdecimal():
                    if rows == [question] and question.listed and int(rest[1]) < len(question.options):
                        rows = [question.options[int(rest[1])]]
                    rest = rest[2:]
            case rest:
                rows = [self]
        name = rest[0] if rest else ""
        row = rows[0]
        name = FIELDS.get(name, name)
        names = {each.name for each in fields(row)} - {"errors", "labels", "questions", "values"}
        if isinstance(row, QuestionRow):
            names.update(each.name for each in row.type.fields)
        if row is self and name in ("labels", "questions"):
            self._add_error(name, message)
        elif name in names:
            row.errors.setdefault(name, message)
        else:
            self._add_error("", f"{location}: {message}" if location else message)

    def without_derived_errors(self) -> None:
        """Drop the error of a key that is left to the name, if the name has one too or is missing."""
        rows: list[FormRow] = [*self.labels, *self.questions]
        for row in [*rows, *(option for question in self.questions for option in question.options)]:
            if not row.key and "key" in row.errors and (not row.name or "name" in row.errors):
                row.errors.setdefault("name", row.errors.pop("key"))
                row.errors.pop("key", None)

    def _add_error(self, name: str, message: str) -> None:
        """An error of the whole scheme, of which there may be several."""
        self.errors[name] = sentences(self.errors.get(name, ""), message)


R = TypeVar("R", bound=FormRow)


def _rows(kind: type[R], prefix: str, data: Mapping[str, str]) -> Iterator[R]:
    """The rows whose fields begin with the prefix: each has a field `was`, which is hidden."""
    names = [each.name for each in fields(kind) if each.name not in ("errors", "options", "used", "values")]
    more = {field.name for each in ITEM_TYPES.values() for field in each.fields}
    for number in range(MAX_ROWS):
        if f"{prefix}-{number}-was" not in data:
            return
        row = kind()
        for name in names:
            setattr(row, name, data.get(f"{prefix}-{number}-{name}", "").strip())
        if isinstance(row, QuestionRow):
            row.values = {name: data.get(f"{prefix}-{number}-{name}", "").strip() for name in more}
        yield row


def _key_of(name: str, max_length: int) -> str:
    """A key made of a name: its first words, whole ones as long as the first fits."""
    key = slugify(name)
    if len(key) <= max_length:
        return key
    return (key[: max_length + 1].rpartition("-")[0] or key[:max_length]).strip("-_")


def _label_json(row: LabelRow) -> dict[str, Any]:
    data: dict[str, Any] = {"key": row.key or _key_of(row.name, 40), "name": row.name, "description": row.description}
    return data | _hotkey_and_value(row) | ({"colour": row.colour} if row.colour else {})


def _hotkey_and_value(row: FormRow) -> dict[str, Any]:
    """Hotkey and value, if there are any. Only for a new row is a hotkey chosen: another may do without."""
    hotkey = {"hotkey": row.hotkey.lower()} if row.hotkey or row.was else {}
    return hotkey | ({"value": _parsed(row.value)} if row.value else {})


def _question_json(row: QuestionRow) -> dict[str, Any]:
    data: dict[str, Any] = {"key": row.key or _key_of(row.name, 20), "text": row.name}
    if row.kind != DEFAULT:
        data["type"] = row.kind
    for each, value in row.cells:
        if each.number or value:
            data[each.name] = _parsed(value) if each.number else value
    listed = row.type.listed
    if listed:
        data[listed] = [_option_json(option, valued=row.valued) for option in row.options]
    return data


def _option_json(row: OptionRow, *, valued: bool) -> dict[str, Any]:
    values = _hotkey_and_value(row)
    if not valued:
        values.pop("value", None)
    return {"key": row.key or _key_of(row.name, 19), "name": row.name, **values}


def _parsed(text: str) -> Any:
    """A number, written with a point or a comma; otherwise the text, which will be refused."""
    if re.fullmatch(r"[+-]?\d{1,9}", text):
        return int(text)
    if re.fullmatch(r"[+-]?\d{1,9}[.,]\d{1,400}", text):
        return float(text.replace(",", "."))
    return text


def _number(value: float | None) -> str:
    """A value in plain decimals, which `_parsed` reads as the same number."""
    return "" if value is None else format(Decimal(repr(value)), "f")


def _question_row(text: str, questions: tuple[Question, ...], *, hotkeys: bool) -> QuestionRow:
    """The row of a question; `hotkeys`: whether types choose hotkeys in this scheme, as for `with_choices`."""
    first = questions[0]
    row = QuestionRow(first.key, text, was=first.key, kind=first.type if first.type in ITEM_TYPES else DEFAULT)
    if first.of:
        row.key = row.was = first.key.rpartition(".")[0]
        for question in questions:
            key = question.key.rpartition(".")[2]
            row.options.append(OptionRow(key, question.text, question.choices[0].hotkey, was=key))
        return row
    if row.type.fields:
        if row.type.fields_of is not None and first.choices:
            row.values = row.type.fields_of([asdict(choice) for choice in first.choices])
        if _yields_choices(row, first.choices, hotkeys=hotkeys):
            return row
        # A file may list other choices for the type than it makes: only rows of choices keep them.
        row = QuestionRow(first.key, text, was=first.key)
    for choice in first.choices:
        row.options.append(OptionRow(choice.key, choice.name, choice.hotkey, _number(choice.value), choice.key))
    return row


def _yields_choices(row: QuestionRow, choices: tuple[Choice, ...], *, hotkeys: bool) -> bool:
    """Whether the row's type makes exactly these choices; a type may leave their hotkeys to the scheme."""
    try:
        computed: list[dict[str, Any]] = with_choices(_question_json(row), hotkeys=hotkeys)["choices"]
    except ItemError:
        return False
    listed = [asdict(choice) for choice in choices]
    if len(computed) != len(listed):
        return False
    return all(
        {"hotkey": each["hotkey"], "value": None, **own} == each for own, each in zip(computed, listed, strict=True)
    )
