"""Pick one, as SwissGov-RSD did: a pair's only annotation, or the one that the lead picks.

The picked annotation becomes the gold unchanged, with its spans, links, fragments and overlaps.
"""

from __future__ import annotations

from dataclasses import replace

from agreement.adjudication.answers import unanimous
from agreement.adjudication.base import RULES, Case, Decision, GoldAnswer, GoldSpan, Rule, RuleSettings, Vote
from agreement.adjudication.reasons import Code, Reason, make_reason
from annotation.settings_model import setting
from annotation.text.schemes import Question
from annotation.text.spans import Span


class PickSettings(RuleSettings):
    """Whose annotation is picked."""

    annotator: str = setting("", "Annotator", "the annotator to use for pairs with several annotations and none picked")
    choices: dict[str, str] = setting(
        {}, "Annotators of single pairs", "the annotator picked for single pairs: {pair id: annotator}"
    )


def decide(case: Case, settings: PickSettings) -> Decision:
    """The picked annotation's spans; until one is picked, the pair is excluded with that as the reason."""
    vote = picked_annotation(case, settings)
    return Decision(excluded=vote) if isinstance(vote, Reason) else annotation_as_decision(vote)


def answer(case: Case, question: Question, settings: PickSettings) -> GoldAnswer:
    """The picked annotation's answer."""
    vote = picked_annotation(case, settings)
    if isinstance(vote, Reason):
        return GoldAnswer("", unsure=vote)
    return unanimous(replace(case, votes=(vote,)), question, settings)


def picked_annotation(case: Case, settings: PickSettings) -> Vote | Reason:
    """The annotation to take, or why there is none."""
    votes = case.submitted
    if len(votes) == 1:
        return votes[0]
    annotator = settings.choices.get(case.pair) or settings.annotator
    if not annotator:
        return make_reason(Code.NONE_PICKED, n=len(votes))
    absent = make_reason(Code.PICKED_ABSENT, name=annotator)
    return next((vote for vote in votes if vote.annotator == annotator), absent)


def annotation_as_decision(vote: Vote) -> Decision:
    """One annotation as the gold, its spans renumbered."""
    return Decision(
        tuple(
            GoldSpan(Span(f"g{number}", span.label, span.fragments), (vote.annotation,))
            for number, span in enumerate(vote.spans, 1)
        )
    )


RULE = RULES.register(
    Rule(
        name="pick",
        title="Pick one",
        summary="If a pair has one annotation, that annotation becomes gold; if it has several, the lead picks one.",
        unsure="never: a pair without a picked annotation is excluded",
        decide=decide,
        answer=answer,
        answer_summary="The answer of the chosen annotator.",
        answer_unsure="never, unless the chosen annotator did not answer",
        settings=PickSettings,
    )
)
