"""Rules that decide token by token, for schemes in which labels exclude each other on a token and spans do not link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from agreement.adjudication.base import Case, Decision, Doubt, GoldSpan
from agreement.adjudication.reasons import Reason
from annotation.text.schemes import Scheme, Side
from annotation.text.spans import Fragment, Span

TokenDecision = tuple[str, Reason | None]
"""A token's label, and why the rule was unsure of it (None: it was sure)."""


def by_token(scheme: Scheme) -> bool:
    """Whether a scheme's gold is a label for every token: no links and no overlaps."""
    return not scheme.links and not scheme.overlap


def token_labels(case: Case, spans: Sequence[Span], side: Side) -> list[str]:
    """One annotator's label for every token of a side; if published spans overlap, the scheme's last label wins."""
    labels = [case.scheme.default] * len(case.tokens[side])
    order = {key: rank for rank, key in enumerate(case.scheme.keys)}
    for span in sorted(spans, key=lambda span: order.get(span.label, -1)):
        for token in case.covered_tokens(span)[side]:
            labels[token] = span.label
    return labels


def votes_of(case: Case, side: Side) -> list[list[str]]:
    """The labels of every token of a side: one list for each submitted annotation."""
    return case.cached(("labels", side), lambda: [token_labels(case, vote.spans, side) for vote in case.submitted])


def decide_tokens(case: Case, decide: Callable[[Sequence[str]], TokenDecision]) -> Decision:
    """Apply `decide` to the labels of every token, one from each submitted annotation; equal labels are decided once.

    The results go to `join_passages`.
    """
    decisions: dict[tuple[str, ...], TokenDecision] = {}

    def cached(labels: tuple[str, ...]) -> TokenDecision:
        if labels not in decisions:
            decisions[labels] = decide(labels)
        return decisions[labels]

    return join_passages(
        case,
        {side: [cached(labels) for labels in zip(*votes_of(case, side), strict=True)] for side in case.scheme.sides},
    )


def join_passages(case: Case, decisions: Mapping[Side, list[TokenDecision]]) -> Decision:
    """The gold from the decisions on tokens: neighbours with one label are joined.

    A gold span is a longest passage with one label. It comes from the annotations that gave any of its tokens its label
    or, if nobody gave that label, from all that marked a token of it.
    """
    spans: list[GoldSpan] = []
    doubts: list[Doubt] = []
    for side, decided in decisions.items():
        votes = votes_of(case, side)
        for first, last in _passages([label for label, _ in decided]):
            label = decided[first][0]
            if label != case.scheme.default:
                spans.append(_gold_span(case, side, votes, decided, (first, last), len(spans) + 1))
        for first, last in _passages([why for _, why in decided]):
            if (why := decided[first][1]) is not None:
                doubts.append(Doubt(side, tuple(range(first, last)), why))
    return Decision(tuple(spans), tuple(doubts))


def _gold_span(
    case: Case, side: Side, votes: list[list[str]], decided: list[TokenDecision], passage: tuple[int, int], number: int
) -> GoldSpan:
    first, last = passage
    label = decided[first][0]
    sources = [vote for vote, labels in zip(case.submitted, votes, strict=True) if label in labels[first:last]]
    if not sources:
        sources = [
            vote
            for vote, labels in zip(case.submitted, votes, strict=True)
            if any(each != case.scheme.default for each in labels[first:last])
        ]
    tokens = case.tokens[side]
    fragment = Fragment(side, tokens[first][0], tokens[last - 1][1])
    unsure = next((why for _, why in decided[first:last] if why), None)
    return GoldSpan(Span(f"g{number}", label, (fragment,)), tuple(vote.annotation for vote in sources), unsure)


def _passages(values: Sequence[object]) -> list[tuple[int, int]]:
    """The longest passages of one value, as half-open index ranges."""
    starts = [index for index, value in enumerate(values) if index == 0 or values[index - 1] != value]
    return list(zip(starts, [*starts[1:], len(values)], strict=True))


def most_votes(labels: Sequence[str], scheme: Scheme, ties: str) -> tuple[str, bool]:
    """The label with the most votes, and whether there was a tie, which `ties` decides by the higher or lower value."""
    votes = Counter(labels)
    most = max(votes.values())
    best = sorted((label for label, count in votes.items() if count == most), key=scheme.value)
    return best[-1 if ties == "higher" else 0], len(best) > 1


def median_label(labels: Sequence[str], scheme: Scheme, ties: str) -> tuple[str, bool]:
    """The median label by value, and whether the two middle ones differ, in which case `ties` decides."""
    ordered = sorted(labels, key=scheme.value)
    lower, higher = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return (higher if ties == "higher" else lower), lower != higher
