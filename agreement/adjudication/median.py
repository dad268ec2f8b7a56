"""Median label, for schemes whose labels are graded: the middle one of all annotators' labels, unmarked being 0.

By token: the median of the annotators' labels. By span: the median of a group of similar spans, in which an annotator
without a span counts as 0, with the tokens that at least half of its members have; a median of 0 drops the group. If an
even number of annotators leaves two middle labels, `ties` chooses the higher or the lower: always a label that was
given.
"""

from __future__ import annotations

from collections.abc import Sequence

from agreement.adjudication import answers
from agreement.adjudication.base import RULES, Case, Decision, Rule, RuleError, TieSettings
from agreement.adjudication.reasons import Code, make_reason
from agreement.adjudication.span_rules import GroupDecision, SpanGroup, decide_groups
from agreement.adjudication.token_rules import TokenDecision, by_token, decide_tokens, median_label


def decide(case: Case, settings: TieSettings) -> Decision:
    """The median of tokens, or of groups of spans. Raises RuleError if labels have no numeric values."""
    scheme, ties = case.scheme, settings.ties
    if not scheme.graded:
        raise RuleError(
            f"the rule 'median' needs labels with numeric values; the scheme '{scheme.name}' has some without"
        )

    differ = make_reason(Code.MIDDLE_LABELS_DIFFER)

    def token(labels: Sequence[str]) -> TokenDecision:
        label, tied = median_label(labels, scheme, ties)
        return label, differ if tied else None

    def group(members: SpanGroup, annotators: int) -> GroupDecision:
        unmarked = [scheme.default] * (annotators - len(members.members))
        label, tied = median_label([*members.labels, *unmarked], scheme, ties)
        if label == scheme.default:
            return GroupDecision("", 0)
        return GroupDecision(label, (len(members.members) + 1) // 2, differ if tied else None)

    return decide_tokens(case, token) if by_token(scheme) else decide_groups(case, settings.similar, group)


RULE = RULES.register(
    Rule(
        name="median",
        title="Median label",
        summary="The median of the annotators' graded labels, counting unmarked as 0.",
        unsure="an even number of annotators gives two different median labels",
        decide=decide,
        answer=answers.median,
        answer_summary="The median of the answers.",
        answer_unsure="an even number of annotators gives two different median answers",
        settings=TieSettings,
        needs_values=True,
    )
)
