"""Gold of answers, for rating schemes: a rule's answer to one question, from the annotators' answers.

Majority: the most frequent answer. Median: the middle one by number. Unanimous: the answer that all gave. Picked: the
picked annotator's. If two answers are equally good (a tie, two different middle ones), no rule chooses: a person
decides the pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from agreement.adjudication.base import Case, GoldAnswer, RuleError, RuleSettings, Vote
from agreement.adjudication.reasons import Code, Reason, because
from annotation.text.schemes import Question

PROVENANCE = "answer:"
"""The prefix of a question's key in a gold annotation's provenance."""


def majority(case: Case, question: Question, settings: RuleSettings) -> GoldAnswer:
    """The most frequent answer."""
    given = answered(case.submitted, question)
    counts = Counter(answer for _, answer in given).most_common(2)
    if len(counts) > 1 and counts[0][1] == counts[1][1]:
        return GoldAnswer("", unsure=because(Code.ANSWERS_TIED))
    if not counts:
        return _none()
    answer, count = counts[0]
    return _of(given, answer, None if 2 * count > len(given) else because(Code.NO_ANSWER_MAJORITY))


def median(case: Case, question: Question, settings: RuleSettings) -> GoldAnswer:
    """The middle answer by number. Raises RuleError if an answer has none."""
    values = {choice.key: choice.value for choice in question.choices if choice.value is not None}
    if len(values) < len(question.choices):
        raise RuleError(f"the rule 'median' needs answers with numbers; those of '{question.key}' have none")
    given = answered(case.submitted, question)
    if not given:
        return _none()
    ordered = sorted((answer for _, answer in given), key=lambda answer: values[answer])
    lower, higher = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    if lower != higher:
        return GoldAnswer("", unsure=because(Code.MIDDLE_ANSWERS_DIFFER))
    return _of(given, lower)


def unanimous(case: Case, question: Question, settings: RuleSettings) -> GoldAnswer:
    """The answer that all gave."""
    given = answered(case.submitted, question)
    if not given:
        return _none()
    if len({answer for _, answer in given}) > 1:
        return GoldAnswer("", unsure=because(Code.ANSWERS_DIFFER))
    return _of(given, given[0][1])


def answered(votes: Iterable[Vote], question: Question) -> list[tuple[Vote, str]]:
    """Who answered what; answers that the scheme no longer has are ignored."""
    known = {choice.key for choice in question.choices}
    found = ((vote, vote.answers.get(question.key, "")) for vote in votes)
    return [(vote, answer) for vote, answer in found if answer in known]


def _of(given: list[tuple[Vote, str]], answer: str, unsure: Reason | None = None) -> GoldAnswer:
    return GoldAnswer(answer, tuple(vote.annotation for vote, own in given if own == answer), unsure)


def _none() -> GoldAnswer:
    return GoldAnswer("", unsure=because(Code.UNANSWERED))
