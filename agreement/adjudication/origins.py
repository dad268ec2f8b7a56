"""Where manually decided gold spans come from: derived from the spans, not from what a client claims.

A span equal to the rule's comes from the rule. A span with exactly one person's tokens and label was taken from them;
one with all the tokens of several people's spans was joined; any other that shares tokens with annotators' spans was
changed from them; one that shares none is new. Spans unchanged since the last save keep their origin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agreement.adjudication.base import Case, GoldSpan
from agreement.adjudication.disputed_regions import Token, tokens_of
from annotation.text.spans import Span

MANUAL = "hand"
TAKEN, JOINED, CHANGED, ANEW = "taken", "joined", "changed", "anew"
Origin = dict[str, Any]


def origins(
    case: Case,
    spans: Sequence[Span],
    *,
    by: str,
    rule: str,
    proposed: Sequence[GoldSpan],
    before: Mapping[str, tuple[Span, Origin]],
) -> dict[str, Origin]:
    """The origin of every span by its id: {"annotations", "rule", "how"?, "unsure"?, "by"?}.

    `proposed` are the spans of `rule`; `before` holds the last revision's spans and their origins by id.
    """
    rules = {span_content(gold.span): gold for gold in proposed}
    result: dict[str, Origin] = {}
    for span in spans:
        old, origin = before.get(span.id, (None, {}))
        gold = rules.get(span_content(span))
        if old is not None and origin and span_content(old) == span_content(span):
            result[span.id] = origin
        elif gold is not None:
            result[span.id] = {"annotations": list(gold.annotations), "rule": rule}
            if gold.unsure:
                result[span.id] |= {"unsure": gold.unsure.to_json(), "by": by}
        else:
            how, sources = sources_of(case, span)
            result[span.id] = {"annotations": list(sources), "rule": MANUAL, "how": how, "by": by}
    return result


def span_content(span: Span) -> tuple[str, tuple[Any, ...]]:
    """What a span says: its label and its fragments."""
    return span.label, tuple(sorted(span.fragments))


def sources_of(case: Case, span: Span) -> tuple[str, tuple[int, ...]]:
    """How a span came about, and the annotations it came from, in the order of the votes."""
    own = tokens_of(case, span)
    overlapping: list[tuple[int, str, frozenset[Token]]] = []
    for vote in case.submitted:
        for other in vote.spans:
            tokens = tokens_of(case, other)
            if tokens & own:
                overlapping.append((vote.annotation, other.label, tokens))
    taken = _distinct(source for source, label, tokens in overlapping if tokens == own and label == span.label)
    if taken:
        return TAKEN, taken
    sources = _distinct(source for source, _, _ in overlapping)
    if not sources:
        return ANEW, ()
    sets = [tokens for _, _, tokens in overlapping]
    joined = len(sources) > 1 and own not in sets and frozenset[Token]().union(*sets) == own
    return (JOINED if joined else CHANGED), sources


def _distinct(sources: Any) -> tuple[int, ...]:
    return tuple(dict.fromkeys(sources))
