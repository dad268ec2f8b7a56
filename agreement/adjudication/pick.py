"""Pick one, as SwissGov-RSD did: a pair with one annotation takes it; for a pair with several the lead picks one.

The picked annotation becomes the gold as it is, spans, links, fragments, overlaps and all.
"""

from __future__ import annotations

from dataclasses import replace

from agreement.adjudication.answers import unanimous
from agreement.adjudication.base import (
    REJECTIONS,
    Case,
    Decision,
    GoldAnswer,
    GoldSpan,
    Parameter,
    Rule,
    Settings,
    Vote,
)
from agreement.adjudication.reasons import Code, Reason, because
from annotation.text.schemes import Question
from annotation.text.spans import Span


def decide(case: Case, settings: Settings) -> Decision:
    """The picked annotation's spans; the pair is left out, saying so, while nobody has picked."""
    vote = picked(case, settings)
    return Decision(excluded=vote) if isinstance(vote, Reason) else taken(vote)


def answer(case: Case, question: Question, settings: Settings) -> GoldAnswer:
    """The picked annotation's answer."""
    vote = picked(case, settings)
    if isinstance(vote, Reason):
        return GoldAnswer("", unsure=vote)
    return unanimous(replace(case, votes=(vote,)), question, {})


def picked(case: Case, settings: Settings) -> Vote | Reason:
    """The annotation to take, or why there is none."""
    votes = case.submitted
    if len(votes) == 1:
        return votes[0]
    wanted = settings["choices"].get(case.pair) or settings["annotator"]
    if not wanted:
        return because(Code.NONE_PICKED, n=len(votes))
    absent = because(Code.PICKED_ABSENT, name=wanted)
    return next((vote for vote in votes if vote.annotator == wanted), absent)


def taken(vote: Vote) -> Decision:
    """One annotation as the gold, its spans numbered anew."""
    return Decision(
        tuple(
            GoldSpan(Span(f"g{number}", span.label, span.fragments), (vote.annotation,))
            for number, span in enumerate(vote.spans, 1)
        )
    )


RULE = Rule(
    name="pick",
    title="Pick one",
    summary="A pair with one annotation takes it; with several, the one the lead picks.",
    unsure="never: a pair without a picked annotation is excluded",
    decide=decide,
    answer=answer,
    parameters=(
        REJECTIONS,
        Parameter("annotator", "", "the annotator to use for pairs with several annotations and none picked"),
        Parameter("choices", {}, "the annotator picked for single pairs: {pair id: annotator}"),
    ),
)
