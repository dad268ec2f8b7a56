"""Gold of answers, for rating schemes: a rule's answer to one question, from the annotators' answers.

Majority: the most frequent answer. Median: the middle one by number. Unanimous: the answer that all gave. Picked: the
picked annotator's. Of two equally good answers (a tie, two different middle ones) `ties` chooses the higher or the
lower, and the rule is unsure. A question that a rule can't answer is left to a person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agreement.adjudication.base import (
    Case,
    Decision,
    GoldAnswer,
    RuleError,
    RuleSettings,
    State,
    TieSettings,
    Vote,
)
from agreement.adjudication.reasons import Code, Reason, make_reason
from annotation.text.schemes import Question

PROVENANCE = "answer:"
"""The prefix of a question's key in a gold annotation's provenance."""


def majority(case: Case, question: Question, settings: TieSettings) -> GoldAnswer:
    """The most frequent answer; of tied answers the higher or lower, by value or else by position in the scheme."""
    given = answers_given(case.submitted, question)
    if not given:
        return _no_gold_answer()
    counts = Counter(answer for _, answer in given)
    most = max(counts.values())
    best = sorted((answer for answer, count in counts.items() if count == most), key=question.rank)
    answer = best[-1 if settings.ties == "higher" else 0]
    if len(best) > 1:
        return _gold_answer(given, answer, make_reason(Code.ANSWERS_TIED))
    return _gold_answer(given, answer, None if 2 * most > len(given) else make_reason(Code.NO_ANSWER_MAJORITY))


def median(case: Case, question: Question, settings: TieSettings) -> GoldAnswer:
    """The middle answer by number. Raises RuleError if an answer has none."""
    if any(choice.value is None for choice in question.choices):
        raise RuleError(f"the rule 'median' needs answers with numbers; those of '{question.key}' have none")
    given = answers_given(case.submitted, question)
    if not given:
        return _no_gold_answer()
    ordered = sorted((answer for _, answer in given), key=question.rank)
    lower, higher = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    answer = higher if settings.ties == "higher" else lower
    return _gold_answer(given, answer, make_reason(Code.MIDDLE_ANSWERS_DIFFER) if lower != higher else None)


def unanimous(case: Case, question: Question, settings: RuleSettings) -> GoldAnswer:
    """The answer that all gave."""
    given = answers_given(case.submitted, question)
    if not given:
        return _no_gold_answer()
    if len({answer for _, answer in given}) > 1:
        return GoldAnswer("", unsure=make_reason(Code.ANSWERS_DIFFER))
    return _gold_answer(given, given[0][1])


@dataclass(frozen=True, slots=True)
class DisputedQuestion:
    """A question of a pair, like a disputed region: who gave which answer, and what the rule proposes ('': nothing).

    It is agreed when everyone who submitted the pair gave the same answer; ruled if the rule decided it and was sure;
    otherwise disputed, and a person decides. `provisional` is the answer until then, '' if disputed.
    """

    question: Question
    given: Mapping[str, tuple[int, ...]]
    proposed: str
    state: State
    why: Reason | None = None

    @property
    def provisional(self) -> str:
        agreed = next(iter(self.given), "")
        return "" if self.state == "disputed" else self.proposed or agreed


def questions_of(case: Case, decision: Decision) -> list[DisputedQuestion]:
    """Every question of a case that can have gold, given a rule's decision."""
    found = []
    for question in case.scheme.rated:
        given: dict[str, tuple[int, ...]] = {}
        for vote, answer in answers_given(case.submitted, question):
            given[answer] = (*given.get(answer, ()), vote.annotation)
        gold = decision.answers.get(question.key, GoldAnswer("", unsure=decision.excluded))
        agreed = len(given) == 1 and sum(map(len, given.values())) == len(case.submitted)
        state: State = "agreed" if agreed else "ruled" if gold.answer and not gold.unsure else "disputed"
        why = gold.unsure if state == "disputed" else None
        found.append(DisputedQuestion(question, given, gold.answer, state, why))
    return found


def answers_given(votes: Iterable[Vote], question: Question) -> list[tuple[Vote, str]]:
    """Who answered what; answers that the scheme no longer has are ignored."""
    known = {choice.key for choice in question.choices}
    found = ((vote, vote.answers.get(question.key, "")) for vote in votes)
    return [(vote, answer) for vote, answer in found if answer in known]


def _gold_answer(given: list[tuple[Vote, str]], answer: str, unsure: Reason | None = None) -> GoldAnswer:
    return GoldAnswer(answer, tuple(vote.annotation for vote, own in given if own == answer), unsure)


def _no_gold_answer() -> GoldAnswer:
    return GoldAnswer("", unsure=make_reason(Code.UNANSWERED))
