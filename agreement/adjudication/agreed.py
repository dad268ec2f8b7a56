"""Agreed: only what all annotators marked alike; a person decides everything else.

The rule for manual adjudication. A region (see `regions_of`) in which everyone gave the same tokens the same labels is
kept as it is; the rule is unsure of every other region.
"""

from __future__ import annotations

from agreement.adjudication import answers
from agreement.adjudication.base import RULES, Case, Decision, Doubt, GoldSpan, Rule, RuleSettings
from agreement.adjudication.disputed_regions import regions_of
from agreement.adjudication.reasons import Code, make_reason
from annotation.text.schemes import SIDES
from annotation.text.spans import Span


def decide(case: Case, settings: RuleSettings) -> Decision:
    """The spans of agreed regions, numbered in order, and a doubt for each side of every other region."""
    spans: list[GoldSpan] = []
    doubts: list[Doubt] = []
    for region in regions_of(case):
        if region.state == "agreed":
            for gold in region.provisional:
                span = Span(f"g{len(spans) + 1}", gold.span.label, gold.span.fragments)
                spans.append(GoldSpan(span, gold.annotations))
            continue
        for side in SIDES:
            tokens = tuple(sorted(token for token_side, token in region.tokens if token_side == side))
            if tokens:
                doubts.append(Doubt(side, tokens, make_reason(Code.NOT_ALIKE)))
    return Decision(tuple(spans), tuple(doubts))


RULE = RULES.register(
    Rule(
        name="agreed",
        title="Unanimous",
        summary="What all annotators marked identically, word for word; a person decides the rest.",
        unsure="not everyone marked the same words with the same label",
        decide=decide,
        answer=answers.unanimous,
        answer_summary="The answer that everyone gave; a person decides the rest.",
        answer_unsure="not everyone gave the same answer",
    )
)
