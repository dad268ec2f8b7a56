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
    votes = answers_given(case.submitted, question)
    if not votes:
        return _no_gold_answer()
    counts = Counter(answer for _, answer in votes)
    most = max(counts.values())
    best = sorted((answer for answer, count in counts.items() if count == most), key=question.rank)
    answer = best[-1 if settings.ties == "higher" else 0]
    if len(best) > 1:
        return _gold_answer(votes, answer, make_reason(Code.ANSWERS_TIED))
    return _gold_answer(votes, answer, None if 2 * most > len(votes) else make_reason(Code.NO_ANSWER_MAJORITY))


def median(case: Case, question: Question, settings: TieSettings) -> GoldAnswer:
    """The middle answer by number. Raises RuleError if an answer has none."""
    if any(choice.value is None for choice in question.choices):
        raise RuleError(f"the rule 'median' needs answers with numbers; those of '{question.key}' have none")
    votes = answers_given(case.submitted, question)
    if not votes:
        return _no_gold_answer()
    ordered = sorted((answer for _, answer in votes), key=question.rank)
    lower, higher = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    answer = higher if settings.ties == "higher" else lower
    return _gold_answer(votes, answer, make_reason(Code.MIDDLE_ANSWERS_DIFFER) if lower != higher else None)


def unanimous(case: Case, question: Question, settings: RuleSettings) -> GoldAnswer:
    """The answer that all gave."""
    votes = answers_given(case.submitted, question)
    if not votes:
        return _no_gold_answer()
    if len({answer for _, answer in votes}) > 1:
        return GoldAnswer("", unsure=make_reason(Code.ANSWERS_DIFFER))
    return _gold_answer(votes, votes[0][1])


@dataclass(frozen=True, slots=True)
class DisputedQuestion:
    """A question of a pair, like a disputed region: who gave which answer, and what the rule proposes ('': nothing).

    It is agreed when everyone who submitted the pair gave the same answer; ruled if the rule decided it and was sure;
    otherwise disputed, and a person decides. `provisional` is the answer until then, '' if disputed.
    """

    question: Question
    annotations: Mapping[str, tuple[int, ...]]
    proposed: str
    state: State
    why: Reason | None = None

    @property
    def provisional(self) -> str:
        agreed = next(iter(self.annotations), "")
        return "" if self.state == "disputed" else self.proposed or agreed


def questions_of(case: Case, decision: Decision) -> list[DisputedQuestion]:
    """Every question of a case that can have gold, given a rule's decision."""
    questions = []
    for question in case.scheme.rated:
        annotations: dict[str, tuple[int, ...]] = {}
        for vote, answer in answers_given(case.submitted, question):
            annotations[answer] = (*annotations.get(answer, ()), vote.annotation)
        gold = decision.answers.get(question.key, GoldAnswer("", unsure=decision.excluded))
        agreed = len(annotations) == 1 and sum(map(len, annotations.values())) == len(case.submitted)
        state: State = "agreed" if agreed else "ruled" if gold.answer and not gold.unsure else "disputed"
        why = gold.unsure if state == "disputed" else None
        questions.append(DisputedQuestion(question, annotations, gold.answer, state, why))
    return questions


def answers_given(votes: Iterable[Vote], question: Question) -> list[tuple[Vote, str]]:
    """Who answered what; answers that the scheme no longer has are ignored."""
    keys = {choice.key for choice in question.choices}
    answers = ((vote, vote.answers.get(question.key, "")) for vote in votes)
    return [(vote, answer) for vote, answer in answers if answer in keys]


def _gold_answer(votes: list[tuple[Vote, str]], answer: str, unsure: Reason | None = None) -> GoldAnswer:
    return GoldAnswer(answer, tuple(vote.annotation for vote, own in votes if own == answer), unsure)


def _no_gold_answer() -> GoldAnswer:
    return GoldAnswer("", unsure=make_reason(Code.UNANSWERED))
