"""A rule in a module of its own: whoever marked the most, or answered at all, is right."""

from __future__ import annotations

from agreement.adjudication.base import RULES, Case, Decision, GoldAnswer, GoldSpan, Rule, RuleSettings
from agreement.adjudication.reasons import Code, make_reason
from annotation.settings_model import setting
from annotation.text.schemes import Question


class MarksSettings(RuleSettings):
    """The settings of the rule."""

    fewest: int = setting(0, "Fewest spans", "the rule is unsure of a pair with fewer spans than this", low=0)


def decide(case: Case, settings: MarksSettings) -> Decision:
    """The spans of the annotation that has the most."""
    chosen = max(case.submitted, key=lambda vote: len(vote.spans))
    unsure = make_reason(Code.TIE) if len(chosen.spans) < settings.fewest else None
    return Decision(tuple(GoldSpan(span, (chosen.annotation,), unsure) for span in chosen.spans))


def answer(case: Case, question: Question, settings: MarksSettings) -> GoldAnswer:
    """The first answer that was given."""
    vote = next((vote for vote in case.submitted if question.key in vote.answers), None)
    return (
        GoldAnswer(vote.answers[question.key], (vote.annotation,))
        if vote
        else GoldAnswer("", (), make_reason(Code.TIE))
    )


RULE = RULES.register(
    Rule(
        name="most-marks",
        title="Most marks",
        summary="The work of whoever marked the most.",
        unsure="it has fewer spans than the minimum",
        decide=decide,
        settings=MarksSettings,
        answer=answer,
        answer_summary="The first answer that was given.",
    )
)
