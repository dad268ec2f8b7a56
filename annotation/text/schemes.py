"""What a project's annotators may mark: labels, sides, and whether spans may link, be discontinuous or overlap.

The built-in schemes are presets made of the same parts as a project's own scheme.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from typing import Any, Literal

from annotation.phrases import Phrase, PhraseError, field_problem
from annotation.strict_json import encoding_problem
from annotation.text.colours import COLOURS, label_colours
from annotation.text.items.base import DEFAULT
from annotation.text.limits import MAX_COMMENT_LENGTH

Side = Literal["a", "b"]
SIDES: tuple[Side, ...] = ("a", "b")


class SchemeError(PhraseError):
    """A scheme that is inconsistent; the phrase says where. `phrases` are all that is wrong, `phrase` first."""

    def __init__(self, phrase: Phrase, *others: Phrase) -> None:
        super().__init__(phrase)
        self.phrases = (phrase, *others)


@dataclass(frozen=True, slots=True)
class Label:
    """A span's label: `key` is what is stored, `value` orders graded labels (None if there is no order)."""

    key: str
    name: str
    description: str = ""
    colour: str = "p1"
    hotkey: str = ""
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a question."""

    key: str
    name: str
    hotkey: str = ""
    value: float | None = None

    @property
    def name_without_key(self) -> str:
        """The name without the key, which a scale puts before it ('0: not at all') and pages show beside it."""
        return "" if self.name == self.key else self.name.removeprefix(f"{self.key}: ")


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a scheme. `type` says how it was written and is shown; its answers are its choices.

    Without choices it is open: answered in the annotator's own words, or not at all. A question with several answers is
    stored as one question for each of them, answered by yes or no: `of` is the whole question, `text` the answer.
    """

    key: str
    text: str
    choices: tuple[Choice, ...]
    type: str = DEFAULT
    of: str = ""

    @property
    def open(self) -> bool:
        return not self.choices

    @property
    def group(self) -> str:
        """The key that all answers to one question with several answers share; any other question's own."""
        return self.key.rpartition(".")[0] if self.of else self.key

    @property
    def title(self) -> str:
        """The question as lists show it: with the question that it is an answer to."""
        return f"{self.of} – {self.text}" if self.of else self.text

    def accepts(self, answer: object) -> bool:
        """Whether this may be stored as an answer."""
        if self.open:
            words = isinstance(answer, str) and 0 < len(answer) <= MAX_COMMENT_LENGTH
            return words and not encoding_problem(str(answer))
        return any(choice.key == answer for choice in self.choices)

    def name_of(self, answer: str) -> str:
        """An answer in the words of the scheme; '' for one that it does not have."""
        if self.open:
            return answer
        return next((choice.name for choice in self.choices if choice.key == answer), "")

    def rank(self, answer: str) -> tuple[float, int]:
        """Where an answer of the scheme is in their order: by value; without one by position, counted from 1."""
        position, choice = next((n, each) for n, each in enumerate(self.choices, 1) if each.key == answer)
        return (float(position) if choice.value is None else choice.value), position


@dataclass(frozen=True, slots=True)
class Scheme:
    """A label scheme. `default` is the label of unmarked tokens; no span has it.

    `statement`: its questions are about a third text, which every pair must then have.
    """

    name: str
    labels: tuple[Label, ...] = ()
    sides: tuple[Side, ...] = SIDES
    links: bool = True
    discontinuous: bool = True
    overlap: bool = True
    default: str = "same"
    questions: tuple[Question, ...] = field(default=())
    statement: bool = False

    @property
    def rated(self) -> tuple[Question, ...]:
        """The questions that are answered by a choice: those that agreement and gold are about."""
        return tuple(question for question in self.questions if not question.open)

    @property
    def displayed_questions(self) -> list[tuple[str, tuple[Question, ...]]]:
        """The questions as annotators see them: the answers of one with several answers together."""
        groups = groupby(self.questions, key=lambda each: (each.of or each.text, each.group))
        return [(text, tuple(questions)) for (text, _), questions in groups]

    @property
    def keys(self) -> list[str]:
        return [label.key for label in self.labels]

    @property
    def graded(self) -> bool:
        """Whether every label has a numeric value, so that ordinal distance makes sense."""
        return bool(self.labels) and all(label.value is not None for label in self.labels)

    def label(self, key: str) -> Label:
        for label in self.labels:
            if label.key == key:
                return label
        raise KeyError(key)

    def value(self, key: str) -> float:
        """A label's number: its value; in a scheme without values its position, counted from 1; 0 for the default."""
        if key == self.default:
            return 0.0
        label = self.label(key)
        return label.value if label.value is not None else float(self.keys.index(key) + 1)

    def to_json(self) -> dict[str, Any]:
        data = asdict(self)
        for question in data["questions"]:
            if question["type"] == DEFAULT:
                del question["type"]
            if not question["of"]:
                del question["of"]
        return {name: list(value) if isinstance(value, tuple) else value for name, value in data.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Scheme:
        """The scheme that `to_json` wrote and a project stores. Raises SchemeError.

        Untrusted schemes go through `scheme_parsing`, which checks every part.
        """
        try:
            scheme = cls(
                name=str(data["name"]),
                labels=_drawable(tuple(Label(**label) for label in data.get("labels", ()))),
                sides=tuple(data.get("sides", SIDES)),
                links=bool(data.get("links", True)),
                discontinuous=bool(data.get("discontinuous", True)),
                overlap=bool(data.get("overlap", True)),
                default=str(data.get("default", "same")),
                questions=tuple(
                    Question(
                        item["key"],
                        item["text"],
                        tuple(Choice(**choice) for choice in item["choices"]),
                        item.get("type", DEFAULT),
                        item.get("of", ""),
                    )
                    for item in data.get("questions", ())
                ),
                statement=bool(data.get("statement", False)),
            )
        except (KeyError, TypeError) as error:
            raise SchemeError(
                field_problem("scheme", Phrase("not a stored scheme: %(reason)s", {"reason": str(error)}))
            ) from error
        scheme.check()
        return scheme

    def check(self) -> None:
        """Raise SchemeError if the scheme is inconsistent."""
        _distinct(Phrase("label key"), self.keys)
        _distinct(Phrase("label hotkey"), [label.hotkey for label in self.labels if label.hotkey])
        _distinct(Phrase("question key"), [question.key for question in self.questions])
        for question in self.questions:
            what = Phrase("choice key of question %(question)s", {"question": question.key})
            _distinct(what, [choice.key for choice in question.choices])
        if faults := self.missing() or self.contradictions():
            raise SchemeError(*faults)

    def missing(self) -> list[Phrase]:
        """What every scheme needs and this one lacks."""
        if not self.labels and not self.questions:
            return [field_problem("scheme", Phrase("no labels and no questions; add at least one"))]
        if not self.labels and not self.rated:
            reason = Phrase("only free-text questions; add a label or a question with choices")
            return [field_problem("scheme", reason)]
        return []

    def contradictions(self) -> list[Phrase]:
        """What can't be true together, though each part is fine."""
        reasons = []
        if self.default and self.default in self.keys:
            params = {"label": self.default}
            reasons.append(Phrase("'%(label)s' is the unmarked default and can't also be a label", params))
        if not self.sides or set(self.sides) - set(SIDES):
            reasons.append(Phrase("sides must be 'a', 'b' or both, not %(sides)s", {"sides": str(list(self.sides))}))
        elif self.links and set(self.sides) != set(SIDES):
            reasons.append(Phrase("spans can only link if both sides may be marked"))
        return [field_problem("scheme", reason) for reason in reasons]


def _fault(reason: Phrase) -> SchemeError:
    return SchemeError(field_problem("scheme", reason))


def _drawable(labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """Labels that can be drawn and counted: projects from before schemes were checked may contain anything."""
    cleaned = tuple(
        label if label.value is None or type(label.value) in (int, float) else replace(label, value=None)
        for label in labels
    )
    if all(label.colour in COLOURS for label in cleaned):
        return cleaned
    colours = label_colours([label.value for label in cleaned])
    return tuple(replace(label, colour=colour) for label, colour in zip(cleaned, colours, strict=True))


def _distinct(what: Phrase, values: list[str]) -> None:
    for value in values:
        if not value:
            raise _fault(Phrase("an empty %(what)s", {"what": what}))
        if values.count(value) > 1:
            raise _fault(Phrase("the %(what)s '%(value)s' appears twice", {"what": what, "value": value}))


_NEW = Label("new", "New", "Cannot be inferred from the other text.", "new", "1")
_INFERABLE = Label(
    "inferable",
    "Inferable",
    "Not said in the other text, but follows from it by reasoning or common knowledge.",
    "inferable",
    "2",
)
_LIKERT = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")


_YES_NO = (Choice("yes", "Yes", "1", 1), Choice("no", "No", "2", 0))

PRESETS: dict[str, Scheme] = {
    "graded": Scheme(
        name="graded",
        labels=(
            Label("1", "Minimal", "A minimal, unimportant detail differs.", "g1", "1", 1),
            Label("2", "Small", "A small difference; the message stays.", "g2", "2", 2),
            Label("3", "Moderate", "A clear difference in part of the message.", "g3", "3", 3),
            Label("4", "Large", "A large difference; little is shared.", "g4", "4", 4),
            Label("5", "Unrelated", "No relation in meaning at all.", "g5", "5", 5),
        ),
        default="0",
    ),
    "xparade": Scheme(name="xparade", labels=(_NEW, _INFERABLE), sides=("b",), links=False, overlap=False),
    "xparade-extended": Scheme(
        name="xparade-extended",
        labels=(
            _NEW,
            _INFERABLE,
            Label("connotation", "Connotation", "Says the same with another attitude.", "connotation", "3"),
            Label("reference", "Reference", "A citation that interrupts the text.", "reference", "4"),
        ),
        sides=("b",),
        links=False,
        overlap=False,
    ),
    "likert": Scheme(
        name="likert",
        links=False,
        statement=True,
        questions=(
            Question(
                "agree",
                "How far do you agree with the statement?",
                tuple(Choice(str(value), name, str(value), value) for value, name in enumerate(_LIKERT)),
            ),
        ),
    ),
    "distractor": Scheme(
        name="distractor",
        links=False,
        questions=(
            Question("close", "Is text B close to text A in form?", _YES_NO),
            Question("different", "Is text B different from text A in meaning?", _YES_NO),
        ),
    ),
    "yes-no": Scheme(
        name="yes-no",
        links=False,
        questions=(
            Question(
                "close",
                "Is this distractor close in form and different in meaning?",
                _YES_NO,
            ),
        ),
    ),
}
