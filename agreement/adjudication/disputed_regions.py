"""Divides a pair into regions: where people marked something, who marked what, and whether a person must decide.

A region consists of spans that share a token, directly or through others, on either side: all annotators' spans, and
those that the rule proposes. So a decision in one region does not affect the others. A region is agreed when everyone
who submitted the pair gave the same tokens the same labels; ruled if the rule decided it and was sure; otherwise
disputed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agreement.adjudication.base import Case, Decision, GoldSpan, State, Vote
from agreement.adjudication.reasons import Reason
from agreement.adjudication.token_rules import by_token
from annotation.text.schemes import Side
from annotation.text.spans import Span

Token = tuple[Side, int]


@dataclass(frozen=True, slots=True)
class Variant:
    """The spans that one or more annotators marked in a region; no spans: they marked nothing there."""

    votes: tuple[Vote, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """Variants in the order of their first vote; `proposed` is the rule's, `why` its doubt.

    `provisional` is the gold until a person decides: what the rule proposes or, without a rule, what all agree on;
    empty if the region is disputed. `key` changes when an annotator changes their work in the region.
    """

    key: str
    variants: tuple[Variant, ...]
    proposed: tuple[GoldSpan, ...]
    provisional: tuple[GoldSpan, ...]
    tokens: frozenset[Token]
    state: State
    why: Reason | None = None


def regions_of(case: Case, decision: Decision | None = None) -> list[Region]:
    """The regions of a case, in text order, given a rule's decision (None: no rule).

    A broken span (without a token) is in no region. A rule that excludes the pair proposes nothing.
    """
    votes = case.submitted
    proposed = decision.spans if decision else ()
    marks = [(source, span, tokens_of(case, span)) for source, vote in enumerate(votes) for span in vote.spans]
    marks += [(len(votes) + number, gold.span, tokens_of(case, gold.span)) for number, gold in enumerate(proposed)]
    marks = [mark for mark in marks if mark[2]]
    regions = []
    for members in _connected_groups([tokens for _, _, tokens in marks]):
        spans: list[list[Span]] = [[] for _ in votes]
        golds = []
        for source, span, _ in (marks[index] for index in members):
            if source < len(votes):
                spans[source].append(span)
            else:
                golds.append(proposed[source - len(votes)])
        tokens = frozenset[Token]().union(*(marks[index][2] for index in members))
        regions.append(_region(case, spans, golds, tokens, decision))
    return sorted(regions, key=lambda region: min((token, side) for side, token in region.tokens))


def tokens_of(case: Case, span: Span) -> frozenset[Token]:
    """The tokens of both sides that a span covers."""
    return case.cached(
        (span.fragments, "both"),
        lambda: frozenset((side, token) for side, tokens in case.covered_tokens(span).items() for token in tokens),
    )


def is_decided(region: Region, gold: Iterable[frozenset[Token]], unmarked: Iterable[str]) -> bool:
    """Whether a region needs no further decision: the gold has a span there, or it was deliberately left unmarked."""
    return region.state != "disputed" or region.key in unmarked or any(tokens & region.tokens for tokens in gold)


def _region(
    case: Case,
    spans: Sequence[Sequence[Span]],
    golds: Sequence[GoldSpan],
    tokens: frozenset[Token],
    decision: Decision | None,
) -> Region:
    by_content: dict[frozenset[object], list[int]] = {}
    for number, marked in enumerate(spans):
        by_content.setdefault(_content(case, marked), []).append(number)
    variants = tuple(
        Variant(tuple(case.submitted[number] for number in people), tuple(spans[people[0]]))
        for people in by_content.values()
    )
    why = next((gold.unsure for gold in golds if gold.unsure), None)
    doubts = decision.doubts if decision else ()
    why = why or next((each.why for each in doubts if any((each.side, token) in tokens for token in each.tokens)), None)
    ruled = decision is not None and not decision.excluded
    state: State = "agreed" if len(variants) == 1 else "ruled" if ruled and not why else "disputed"
    provisional = tuple(golds) if state != "disputed" else ()
    if state == "agreed" and not ruled:
        sources = tuple(vote.annotation for vote in variants[0].votes)
        provisional = tuple(GoldSpan(span, sources) for span in variants[0].spans)
    # Made from positions, not annotations: ids can be guessed, and would reveal whose variant is whose.
    body = [(sorted(map(repr, key)), who) for key, who in by_content.items()]
    key = hashlib.sha256(repr(body).encode()).hexdigest()[:12]
    return Region(key, variants, tuple(golds), provisional, tokens, state, why if state == "disputed" else None)


def _content(case: Case, spans: Iterable[Span]) -> frozenset[object]:
    """What spans say, however they are divided: the label of every token or, if spans count, the spans."""
    if by_token(case.scheme):
        return frozenset((token, span.label) for span in spans for token in tokens_of(case, span))
    return frozenset((tokens_of(case, span), span.label) for span in spans)


def _connected_groups(sets: Sequence[frozenset[Token]]) -> list[list[int]]:
    """The indices of sets, grouped if they share an element, directly or through others."""
    group_of = list(range(len(sets)))

    def root(index: int) -> int:
        while group_of[index] != index:
            group_of[index] = group_of[group_of[index]]
            index = group_of[index]
        return index

    first: dict[Token, int] = {}
    for index, tokens in enumerate(sets):
        for token in tokens:
            one, other = sorted((root(first.setdefault(token, index)), root(index)))
            group_of[other] = one
    groups: dict[int, list[int]] = {}
    for index in range(len(sets)):
        groups.setdefault(root(index), []).append(index)
    return list(groups.values())
