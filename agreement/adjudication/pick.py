"""Pick one, as SwissGov-RSD did: a pair with one annotation takes it; for a pair with several the lead picks one.

The picked annotation becomes the gold as it is, spans, links, fragments, overlaps and all.
"""

from __future__ import annotations

from agreement.adjudication.base import REJECTIONS, Case, Decision, GoldSpan, Parameter, Rule, Settings, Vote
from annotation.text.spans import Span


def decide(case: Case, settings: Settings) -> Decision:
    """The picked annotation's spans; the pair is left out, saying so, while nobody has picked."""
    votes = case.submitted
    if len(votes) == 1:
        return taken(votes[0])
    wanted = settings["choices"].get(case.pair) or settings["annotator"]
    if not wanted:
        return Decision(excluded=f"{len(votes)} annotations and none picked")
    for vote in votes:
        if vote.annotator == wanted:
            return taken(vote)
    return Decision(excluded=f"{wanted} was picked and handed in no annotation of it")


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
    summary="A pair with one annotation takes it; of several, the one the lead picks.",
    unsure="never: a pair of which nobody picked one is left out",
    decide=decide,
    parameters=(
        REJECTIONS,
        Parameter("annotator", "", "the annotator to take where a pair has several annotations and none is picked"),
        Parameter("choices", {}, "the annotator picked for single pairs: {pair id: annotator}"),
    ),
)
