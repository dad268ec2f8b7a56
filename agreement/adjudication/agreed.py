"""Agreed: only what all annotators marked alike; everything else is for a person to decide.

The rule for adjudication by hand. A place (see `places`) on which all gave the same tokens the same labels stands; of
every other place the rule says that it is unsure.
"""

from __future__ import annotations

from agreement.adjudication import answers
from agreement.adjudication.base import Case, Decision, Doubt, GoldSpan, Rule, RuleSettings
from agreement.adjudication.disputed_regions import places
from agreement.adjudication.reasons import Code, because
from annotation.text.schemes import SIDES
from annotation.text.spans import Span


def decide(case: Case, settings: RuleSettings) -> Decision:
    """The spans of agreed places, numbered in their order, and a doubt a side for every other place."""
    spans: list[GoldSpan] = []
    doubts: list[Doubt] = []
    for place in places(case):
        if place.state == "agreed":
            for gold in place.taken:
                span = Span(f"g{len(spans) + 1}", gold.span.label, gold.span.fragments)
                spans.append(GoldSpan(span, gold.annotations))
            continue
        for side in SIDES:
            tokens = tuple(sorted(token for of, token in place.tokens if of == side))
            if tokens:
                doubts.append(Doubt(side, tokens, because(Code.NOT_ALIKE)))
    return Decision(tuple(spans), tuple(doubts))


RULE = Rule(
    name="agreed",
    title="Unanimous",
    summary="What all annotators marked identically, word for word; a person decides the rest.",
    unsure="not everyone marked the same words with the same label",
    decide=decide,
    answer=answers.unanimous,
)
