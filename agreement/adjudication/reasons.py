"""Why a rule was unsure or excluded a pair: a code with its parameters, stored with the gold as JSON.

The form of a code is its English sentence, which commands and published files print and pages translate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

Value = int | float | str


class Code(Enum):
    """A code, which is stored and never changes its meaning, and its form; `OTHER` is free text."""

    form: str

    def __new__(cls, code: str, form: str) -> Code:
        member = object.__new__(cls)
        member._value_ = code
        member.form = form
        return member

    OTHER = "other", "%(text)s"
    TIE = "tie", "a tie"
    LABELS_DIFFER = "labels-differ", "everyone marked it, with different labels"
    LABEL_DISPUTED = "label-disputed", "annotators disagree on the label"
    NO_MAJORITY = "no-majority", "no label has a majority"
    NOT_ALIKE = "not-alike", "not everyone marked it the same way"
    THREE_WAY_TIE = "three-way-tie", "same, new and connotation have the same number of votes"
    MIDDLE_LABELS_DIFFER = "middle-labels-differ", "the two middle labels differ"
    IMPROBABLE = "improbable", "the label's probability is only %(p).2f"
    MARKED_BY = "marked-by", "%(n)s of %(of)s marked it"
    INFERABLE_BY = "inferable-by", "%(n)s of %(of)s marked it inferable"
    CONNOTATION_BY = "connotation-by", "%(n)s of %(of)s marked a connotation"
    NEW_BY = "new-by", "%(n)s of %(of)s marked it new"
    SAME_BY = "same-by", "%(n)s of %(of)s considered it the same"
    ANSWERS_TIED = "answers-tied", "two answers are tied"
    NO_ANSWER_MAJORITY = "no-answer-majority", "no answer has a majority"
    MIDDLE_ANSWERS_DIFFER = "middle-answers-differ", "the two middle answers differ"
    ANSWERS_DIFFER = "answers-differ", "not everyone gave the same answer"
    UNANSWERED = "unanswered", "nobody answered"
    REJECTED = "rejected", "found not comparable by %(n)s annotators"
    NOT_SUBMITTED = "not-submitted", "no annotation was submitted"
    NONE_PICKED = "none-picked", "%(n)s annotations, none picked"
    PICKED_ABSENT = "picked-absent", "%(name)s was picked but submitted no annotation"
    NEARLY_ALL_NEW = "nearly-all-new", "%(n)s annotators marked more than %(share)g%% of its tokens new"


CODES = {code.value: code for code in Code}


@dataclass(frozen=True, slots=True)
class Reason:
    """A code and the values of its form's parameters, in any order; as text, the English sentence."""

    code: Code
    values: frozenset[tuple[str, Value]] = frozenset()

    def __str__(self) -> str:
        return self.code.form % dict(self.values)

    def to_json(self) -> dict[str, Value]:
        return {"code": self.code.value, **dict(sorted(self.values))}

    @classmethod
    def from_json(cls, data: Mapping[str, Value]) -> Reason:
        """Raises KeyError for a code that does not exist."""
        return cls(CODES[data["code"]], frozenset((name, value) for name, value in data.items() if name != "code"))


def make_reason(code: Code, **values: Value) -> Reason:
    return Reason(code, frozenset(values.items()))
