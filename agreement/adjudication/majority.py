"""Majority: what more than half of a pair's annotators say.

By token: the label with the most votes, the unmarked one included. By span: a group of similar spans is kept if more
than half of the annotators have one in it, with the tokens that more than half of them marked and the most frequent
label of its members.
"""

from __future__ import annotations

from collections.abc import Sequence

from agreement.adjudication import answers
from agreement.adjudication.base import RULES, Case, Decision, Rule, TieSettings
from agreement.adjudication.reasons import Code, make_reason
from agreement.adjudication.span_rules import GroupDecision, SpanGroup, decide_groups
from agreement.adjudication.token_rules import TokenDecision, by_token, decide_tokens, most_votes


def decide(case: Case, settings: TieSettings) -> Decision:
    """The majority's tokens, or spans if the scheme has links or overlaps."""
    scheme, ties = case.scheme, settings.ties

    def token(labels: Sequence[str]) -> TokenDecision:
        label, tied = most_votes(labels, scheme, ties)
        if tied:
            return label, make_reason(Code.TIE)
        return label, None if 2 * labels.count(label) > len(labels) else make_reason(Code.NO_MAJORITY)

    def group(members: SpanGroup, annotators: int) -> GroupDecision:
        if 2 * len(members.members) <= annotators:
            return GroupDecision("", 0)
        label, tied = most_votes(members.labels, scheme, ties)
        return GroupDecision(label, annotators // 2 + 1, make_reason(Code.LABEL_DISPUTED) if tied else None)

    return decide_tokens(case, token) if by_token(scheme) else decide_groups(case, settings.similar, group)


RULE = RULES.register(
    Rule(
        name="majority",
        title="Majority",
        summary="What more than half of the annotators marked, with the most frequent label.",
        unsure="labels are tied, or the winner has no majority",
        decide=decide,
        answer=answers.majority,
        answer_summary="The most frequent answer.",
        answer_unsure="two answers are tied, or the most frequent one has no majority",
        settings=TieSettings,
    )
)
