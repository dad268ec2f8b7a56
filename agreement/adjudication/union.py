"""Union: everything that anyone marked.

By token: marked if any annotator marked it. By span: every group of similar spans is kept, with every token of any
member. The label is the most frequent one of those who marked it.
"""

from __future__ import annotations

from collections.abc import Sequence

from agreement.adjudication.base import RULES, Case, Decision, Rule, TieSettings
from agreement.adjudication.reasons import Code, Reason, make_reason
from agreement.adjudication.span_rules import GroupDecision, SpanGroup, decide_groups
from agreement.adjudication.token_rules import TokenDecision, by_token, decide_tokens, most_votes


def decide(case: Case, settings: TieSettings) -> Decision:
    """All marked tokens, or all groups of spans if the scheme has links or overlaps."""
    scheme, ties = case.scheme, settings.ties

    def token(labels: Sequence[str]) -> TokenDecision:
        marked = [label for label in labels if label != scheme.default]
        if not marked:
            return scheme.default, None
        label, tied = most_votes(marked, scheme, ties)
        return label, make_reason(Code.TIE) if tied else _minority(len(marked), len(labels))

    def group(members: SpanGroup, annotators: int) -> GroupDecision:
        label, tied = most_votes(members.labels, scheme, ties)
        divided = make_reason(Code.LABEL_DISPUTED)
        return GroupDecision(label, 1, divided if tied else _minority(len(members.members), annotators))

    return decide_tokens(case, token) if by_token(scheme) else decide_groups(case, settings.similar, group)


def _minority(marked: int, annotators: int) -> Reason | None:
    return None if 2 * marked > annotators else make_reason(Code.MARKED_BY, n=marked, of=annotators)


RULE = RULES.register(
    Rule(
        name="union",
        title="Union",
        summary="Everything that any annotator marked, with the most frequent label.",
        unsure="no majority marked it, or labels are tied",
        decide=decide,
        settings=TieSettings,
    )
)
