"""The rule behind X-PARADE's released labels (arXiv 2309.08873), as inferred from its files.

Per token, over the n annotators of the pair (S same, I inferable, N new, C connotation):

1. Some I: the token is I. Except: one I and all the others S, with n of 4 or more: S. (The paper's footnote has the
   exception for every n; the released labels have it only from four annotators on.)
2. No I: the label with the most votes; N wins a tie with S; C loses a tie with S and with N; a three-way tie is I. A
   token that C wins is I.

Any other label of an extended scheme (a reference) counts as S, since the rule does not know it. A pair is excluded if
two annotators rejected it, or if two marked nearly all of its tokens new; the tag that opens each text on X-PARADE's
page is counted as a token.
"""

from __future__ import annotations

from collections.abc import Sequence

from agreement.adjudication.base import RULES, Case, Decision, Rule, RuleError, RuleSettings
from agreement.adjudication.reasons import Code, make_reason
from agreement.adjudication.token_rules import TokenDecision, decide_tokens, token_labels
from annotation.settings_model import setting
from annotation.text.schemes import Scheme
from annotation.text.spans import Span

SAME, NEW, INFERABLE, CONNOTATION = "same", "new", "inferable", "connotation"


class XParadeSettings(RuleSettings):
    """When a pair counts as entirely new and is excluded."""

    near_all: int = setting(
        2,
        "Annotators who marked nearly all",
        "exclude a pair if this many annotators marked nearly all of it new (0: never)",
        low=0,
    )
    share: float = setting(95.0, "Nearly all", "threshold for “nearly all”: percentage of the tokens", low=0)
    tags: int = setting(
        1, "Opening tags", "number of opening tags counted as tokens of a text (X-PARADE showed one)", low=0
    )


def decide_token(labels: Sequence[str]) -> TokenDecision:
    """A token's label from its annotators' labels, and why the rule was unsure: no majority."""
    n, inferable = len(labels), labels.count(INFERABLE)
    new, connotation = labels.count(NEW), labels.count(CONNOTATION)
    same = n - inferable - new - connotation
    if inferable:
        if inferable == 1 and same == n - 1 and n >= 4:
            return SAME, None
        return INFERABLE, None if 2 * inferable > n else make_reason(Code.INFERABLE_BY, n=inferable, of=n)
    if connotation and new == same == connotation:
        return INFERABLE, make_reason(Code.THREE_WAY_TIE)
    if connotation > max(new, same):
        return INFERABLE, None if 2 * connotation > n else make_reason(Code.CONNOTATION_BY, n=connotation, of=n)
    if new >= same:
        return NEW, None if 2 * new > n else make_reason(Code.NEW_BY, n=new, of=n)
    return SAME, None if 2 * same > n else make_reason(Code.SAME_BY, n=same, of=n)


def decide(case: Case, settings: XParadeSettings) -> Decision:
    """The gold of one pair. Raises RuleError for a scheme without the rule's labels."""
    if not has_labels(case.scheme):
        raise RuleError(
            f"the rule 'xparade' needs the labels 'new' and 'inferable' and the default 'same'; the scheme "
            f"'{case.scheme.name}' has {', '.join(case.scheme.keys)} and '{case.scheme.default}'"
        )
    if settings.near_all > 0:
        marked = sum(nearly_all_new(case, vote.spans, settings) for vote in case.submitted)
        if marked >= settings.near_all:
            return Decision(excluded=make_reason(Code.NEARLY_ALL_NEW, n=marked, share=settings.share))
    return decide_tokens(case, decide_token)


def nearly_all_new(case: Case, spans: Sequence[Span], settings: XParadeSettings) -> bool:
    """Whether one annotator marked more than the share of the tokens new; opening tags count as tokens."""
    labels = [label for side in case.scheme.sides for label in token_labels(case, spans, side)]
    tokens = len(labels) + settings.tags * len(case.scheme.sides)
    return bool(tokens) and 100 * labels.count(NEW) > settings.share * tokens


def has_labels(scheme: Scheme) -> bool:
    """Whether a scheme has the labels of X-PARADE, whose unmarked words are the same."""
    return {NEW, INFERABLE} <= set(scheme.keys) and scheme.default == SAME


RULE = RULES.register(
    Rule(
        name="xparade",
        title="X-PARADE",
        summary="Token by token: inferable if any annotator marked it so, otherwise the label with the most votes.",
        unsure="no label had a majority",
        decide=decide,
        settings=XParadeSettings,
        has_labels=has_labels,
        made_for=has_labels,
    )
)
