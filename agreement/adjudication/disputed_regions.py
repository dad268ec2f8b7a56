"""A pair cut into places: where people marked something, who marked what there, and whether a person must decide.

A place is made of spans that share a token, directly or over others, on either side: everybody's, and those the rule
proposes. So whatever is decided in one place leaves all others as they are. A place is agreed when everybody who handed
in gave the same tokens the same labels; ruled when the rule decided it and was sure; else disputed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from agreement.adjudication.base import Case, Decision, GoldSpan, Vote
from agreement.adjudication.labels import by_token
from agreement.adjudication.reasons import Reason
from annotation.text.schemes import Side
from annotation.text.spans import Span

State = Literal["agreed", "ruled", "disputed"]
Token = tuple[Side, int]


@dataclass(frozen=True, slots=True)
class Version:
    """What one or more people made of a place: the same spans. None of them: they marked nothing there."""

    votes: tuple[Vote, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Versions in the order of their first vote; `proposed` is the rule's, `why` its doubt.

    `taken` is what stands before anybody has decided: what the rule proposes, or, without one, what all agree on;
    nothing where it is disputed. `key` changes when somebody changes their work on the place.
    """

    key: str
    versions: tuple[Version, ...]
    proposed: tuple[GoldSpan, ...]
    taken: tuple[GoldSpan, ...]
    tokens: frozenset[Token]
    state: State
    why: Reason | None = None


def places(case: Case, decision: Decision | None = None) -> list[Place]:
    """The places of a case, in the order of the texts, under what a rule decided (None: no rule).

    A broken span, without a token, is at no place. Where the rule leaves the pair out, it proposes nothing.
    """
    votes = case.submitted
    proposed = decision.spans if decision else ()
    marks = [(place, span, tokens_of(case, span)) for place, vote in enumerate(votes) for span in vote.spans]
    marks += [(len(votes) + place, gold.span, tokens_of(case, gold.span)) for place, gold in enumerate(proposed)]
    marks = [mark for mark in marks if mark[2]]
    found = []
    for members in _joined([tokens for _, _, tokens in marks]):
        spans: list[list[Span]] = [[] for _ in votes]
        golds = []
        for place, span, _ in (marks[index] for index in members):
            if place < len(votes):
                spans[place].append(span)
            else:
                golds.append(proposed[place - len(votes)])
        tokens = frozenset[Token]().union(*(marks[index][2] for index in members))
        found.append(_place(case, spans, golds, tokens, decision))
    return sorted(found, key=lambda place: min((token, side) for side, token in place.tokens))


def tokens_of(case: Case, span: Span) -> frozenset[Token]:
    """The tokens of both sides that a span covers."""
    return case.once(
        (span.fragments, "both"),
        lambda: frozenset((side, token) for side, tokens in case.touched(span).items() for token in tokens),
    )


def is_settled(place: Place, gold: Iterable[frozenset[Token]], left: Iterable[str]) -> bool:
    """Whether a place needs no decision any more: the gold has a span there, or somebody left it unmarked."""
    return place.state != "disputed" or place.key in left or any(tokens & place.tokens for tokens in gold)


def _place(
    case: Case,
    spans: Sequence[Sequence[Span]],
    golds: Sequence[GoldSpan],
    tokens: frozenset[Token],
    decision: Decision | None,
) -> Place:
    said: dict[frozenset[object], list[int]] = {}
    for place, given in enumerate(spans):
        said.setdefault(_said(case, given), []).append(place)
    versions = tuple(
        Version(tuple(case.submitted[place] for place in people), tuple(spans[people[0]])) for people in said.values()
    )
    why = next((gold.unsure for gold in golds if gold.unsure), None)
    doubts = decision.doubts if decision else ()
    why = why or next((each.why for each in doubts if any((each.side, token) in tokens for token in each.tokens)), None)
    ruled = decision is not None and not decision.excluded
    state: State = "agreed" if len(versions) == 1 else "ruled" if ruled and not why else "disputed"
    taken = tuple(golds) if state != "disputed" else ()
    if state == "agreed" and not ruled:
        sources = tuple(vote.annotation for vote in versions[0].votes)
        taken = tuple(GoldSpan(span, sources) for span in versions[0].spans)
    # Of positions, not of annotations: from ids, which can be guessed, somebody could work out whose version is whose.
    body = [(sorted(map(repr, key)), who) for key, who in said.items()]
    key = hashlib.sha256(repr(body).encode()).hexdigest()[:12]
    return Place(key, versions, tuple(golds), taken, tokens, state, why if state == "disputed" else None)


def _said(case: Case, spans: Iterable[Span]) -> frozenset[object]:
    """What spans say, however they are cut: the label of every token, or, where spans count, the spans."""
    if by_token(case.scheme):
        return frozenset((token, span.label) for span in spans for token in tokens_of(case, span))
    return frozenset((tokens_of(case, span), span.label) for span in spans)


def _joined(sets: Sequence[frozenset[Token]]) -> list[list[int]]:
    """The indices of sets that share an element, directly or over others, together."""
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
