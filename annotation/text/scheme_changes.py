"""What changing a scheme means for the work that exists: what is refused, and what a lead has to confirm.

A label, an answer and a question are stored by their keys. Names, descriptions, colours, hotkeys and the order may
change at any time; what is in use may not disappear.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotation.phrases import Phrase, field_problem
from annotation.text.schemes import Question, Scheme


@dataclass(frozen=True, slots=True)
class Usage:
    """What a project's work uses: spans by label, answers by question and answer, in every revision and the gold.

    `pairs` counts pairs, `statements` those with a statement; `annotations` all rows of work and gold, `submitted`
    those that people have submitted.
    """

    pairs: int = 0
    statements: int = 0
    annotations: int = 0
    submitted: int = 0
    labels: Mapping[str, int] = field(default_factory=dict)
    answers: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Consequences:
    """Why a change is refused, and what it means if it is not: both empty if nothing is affected."""

    refused: tuple[Phrase, ...] = ()
    questions: tuple[Phrase, ...] = ()


def may_invalidate_spans(old: Scheme, new: Scheme) -> bool:
    """Whether spans that were valid may no longer be: then every span has to be checked."""
    rules = ((old.links, new.links), (old.discontinuous, new.discontinuous), (old.overlap, new.overlap))
    return any(before and not after for before, after in rules) or not set(old.sides) <= set(new.sides)


def removed_labels(old: Scheme, new: Scheme) -> set[str]:
    return set(old.keys) - set(new.keys)


def consequences(old: Scheme, new: Scheme, usage: Usage) -> Consequences:
    """What changing `old` to `new` does to the work described by `usage`. Shapes of spans are checked elsewhere."""
    refused = [
        field_problem(
            "scheme.labels",
            Phrase(
                "the label '%(label)s' is in use (spans: %(n)s); keep it, and change its name if need be",
                {"label": key, "n": str(usage.labels[key])},
            ),
        )
        for key in sorted(removed_labels(old, new))
        if usage.labels.get(key)
    ]
    if usage.annotations and old.default != new.default:
        reason = Phrase("unmarked words of existing work are called '%(name)s'; keep this", {"name": old.default})
        refused.append(field_problem("scheme.default", reason))
    if new.statement and usage.statements < usage.pairs:
        params = {"n": str(usage.pairs - usage.statements)}
        refused.append(field_problem("scheme.statement", Phrase("pairs without a statement: %(n)s", params)))
    new_questions = {question.key: question for question in new.questions}
    for question in old.questions:
        refused += _lost_answers(question, new_questions.get(question.key), usage.answers.get(question.key, {}))
    return Consequences(tuple(refused), tuple(_confirmations_needed(old, new, usage)))


def _lost_answers(old: Question, new: Question | None, counts: Mapping[str, int]) -> list[Phrase]:
    """Answers that a changed or removed question would no longer accept."""
    if not counts:
        return []
    if new is None:
        params = {"question": old.title, "n": str(sum(counts.values()))}
        reason = Phrase("the question '%(question)s' has answers (%(n)s); keep it", params)
        return [field_problem("scheme.questions", reason)]
    lost = {answer: n for answer, n in counts.items() if not new.accepts(answer)}
    if not lost:
        return []
    answer, n = next(iter(sorted(lost.items())))
    reason = Phrase(
        "'%(question)s' has been answered '%(answer)s' (%(n)s); keep this answer, and change its name if need be",
        {"question": old.title, "answer": answer[:80], "n": str(n)},
    )
    return [field_problem("scheme.questions", reason)]


def _confirmations_needed(old: Scheme, new: Scheme, usage: Usage) -> list[Phrase]:
    if not usage.annotations:
        return []
    reasons = []
    before = {label.key: label.value for label in old.labels}
    values = any(label.key in before and before[label.key] != label.value for label in new.labels)
    answers = {(question.key, choice.key): choice.value for question in old.questions for choice in question.choices}
    values |= any(
        answers.get((question.key, choice.key), choice.value) != choice.value
        for question in new.questions
        for choice in question.choices
    )
    if values:
        reasons.append(
            Phrase("Values change: agreement, gold by rules and exports will be computed with the new ones.")
        )
    removed = removed_labels(old, new)
    if removed:
        params = {"labels": ", ".join(sorted(removed))}
        reasons.append(
            Phrase(
                "Labels that no saved work uses are removed: %(labels)s. An annotator who has used one offline in"
                " the meantime will have to relabel those spans.",
                params,
            )
        )
    questions = {question.key for question in old.rated}
    added = [question for question in new.rated if question.key not in questions]
    if added and usage.submitted:
        params = {"n": str(usage.submitted)}
        reasons.append(
            Phrase(
                "There are new questions: submitted annotations (%(n)s) have no answer to them, and stay submitted.",
                params,
            )
        )
    return reasons
