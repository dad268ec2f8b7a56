"""Intersection: only what every annotator marked.

By token: marked if all annotators marked it. By span: a group of similar spans is kept if every annotator has one in
it, with the tokens that all of them marked. The label is the most frequent one.
"""

from __future__ import annotations

from collections.abc import Sequence

from agreement.adjudication.base import RULES, Case, Decision, Rule, TieSettings
from agreement.adjudication.reasons import Code, Reason, make_reason
from agreement.adjudication.span_rules import GroupDecision, SpanGroup, decide_groups
from agreement.adjudication.token_rules import TokenDecision, by_token, decide_tokens, most_votes


def decide(case: Case, settings: TieSettings) -> Decision:
    """The tokens on which all agree, or the groups of spans if the scheme has links or overlaps."""
    scheme, ties = case.scheme, settings.ties

    def token(labels: Sequence[str]) -> TokenDecision:
        if scheme.default in labels:
            return scheme.default, None
        label, tied = most_votes(labels, scheme, ties)
        return label, _disagreement(labels, tied)

    def group(members: SpanGroup, annotators: int) -> GroupDecision:
        if len(members.members) < annotators:
            return GroupDecision("", 0)
        label, tied = most_votes(members.labels, scheme, ties)
        return GroupDecision(label, annotators, _disagreement(members.labels, tied))

    return decide_tokens(case, token) if by_token(scheme) else decide_groups(case, settings.similar, group)


def _disagreement(labels: Sequence[str], tied: bool) -> Reason | None:
    if tied:
        return make_reason(Code.TIE)
    return None if len(set(labels)) == 1 else make_reason(Code.LABELS_DIFFER)


RULE = RULES.register(
    Rule(
        name="intersection",
        title="Intersection",
        summary="Only what every annotator marked, with the most frequent label.",
        unsure="everyone marked it, with different labels",
        decide=decide,
        settings=TieSettings,
    )
)
