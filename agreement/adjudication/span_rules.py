"""Rules that keep spans whole: the annotators' spans are grouped, and each group becomes one gold span or none.

Two spans of different annotators belong together if the mean IoU of their sides reaches a threshold (as spans are
matched in `metrics.matching`); the most similar are joined first, and a group has at most one span of each annotator.
So links and fragments survive: a gold span has tokens on every side on which enough of its group have them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from agreement.adjudication.base import Case, Decision, GoldSpan
from agreement.adjudication.reasons import Reason
from agreement.metrics.matching import SpanPair, TokenSpan, span_pairs
from annotation.text.schemes import SIDES
from annotation.text.spans import Fragment, Span, ranges_of


@dataclass(frozen=True, slots=True)
class SpanGroup:
    """Similar spans of different annotators: (position of the vote, span), in the order of the votes.

    `tokens` are those of each member.
    """

    members: tuple[tuple[int, Span], ...]
    tokens: tuple[TokenSpan, ...]

    @property
    def labels(self) -> list[str]:
        return [span.label for _, span in self.members]


@dataclass(frozen=True, slots=True)
class GroupDecision:
    """A rule's decision on a group: a label ('' drops it), how many members a token needs, and why it was unsure."""

    label: str
    needed: int
    unsure: Reason | None = None


def decide_groups(case: Case, similar: int, choose: Callable[[SpanGroup, int], GroupDecision]) -> Decision:
    """Group the submitted spans and make each a gold span, as `choose` (group, number of annotators) decides.

    A group none of whose tokens has enough members is dropped, and so is a broken span (without a token).
    """
    votes = case.submitted
    spans: list[GoldSpan] = []
    for group in groups(case, similar):
        choice = choose(group, len(votes))
        if not choice.label:
            continue
        fragments = compose(case, group.tokens, choice.needed)
        if fragments:
            sources = tuple(votes[voter].annotation for voter, _ in group.members)
            spans.append(GoldSpan(Span(f"g{len(spans) + 1}", choice.label, fragments), sources, choice.unsure))
    return Decision(tuple(spans))


def groups(case: Case, similar: int) -> list[SpanGroup]:
    """The groups of a case's submitted spans, each span in exactly one, in the order of their first tokens."""
    return case.cached(("groups", similar), lambda: _groups(case, similar))


def _groups(case: Case, similar: int) -> list[SpanGroup]:
    items = [(voter, span) for voter, vote in enumerate(case.submitted) for span in vote.spans]
    on_tokens = [TokenSpan(0, *case.covered_tokens(span).values()) for _, span in items]
    group_of = list(range(len(items)))
    for _, one, other in sorted(_candidates(items, on_tokens, similar)):
        members = [index for index, group in enumerate(group_of) if group in (group_of[one], group_of[other])]
        annotators = [items[index][0] for index in members]
        if len(set(annotators)) == len(annotators):
            for index in members:
                group_of[index] = group_of[one]
    result = [
        SpanGroup(tuple(items[index] for index in members), tuple(on_tokens[index] for index in members))
        for members in _members(group_of)
    ]
    return sorted(result, key=_position)


def _candidates(
    items: Sequence[tuple[int, Span]], on_tokens: Sequence[TokenSpan], similar: int
) -> list[tuple[float, int, int]]:
    """(minus similarity, index, index) for every two spans of different annotators that are similar enough."""
    by_annotator: dict[int, list[int]] = {}
    for index, (voter, _) in enumerate(items):
        by_annotator.setdefault(voter, []).append(index)
    voters = sorted(by_annotator)
    result: list[tuple[float, int, int]] = []
    for number, one in enumerate(voters):
        for other in voters[number + 1 :]:
            rows, columns = by_annotator[one], by_annotator[other]
            overlaps: list[SpanPair] = span_pairs(
                [on_tokens[index] for index in rows], [on_tokens[index] for index in columns]
            )
            result.extend(
                (-pair.similarity, rows[pair.one], columns[pair.other]) for pair in overlaps if pair.reaches(similar)
            )
    return result


def _members(group_of: Sequence[int]) -> list[list[int]]:
    """The indices of each group, ascending."""
    members: dict[int, list[int]] = {}
    for index, group in enumerate(group_of):
        members.setdefault(group, []).append(index)
    return [members[group] for group in sorted(members)]


def _position(group: SpanGroup) -> tuple[tuple[int, str], ...]:
    return tuple(
        min(((f.start, f.side) for _, span in group.members for f in span.fragments if f.side == side), default=(0, ""))
        for side in SIDES
    )


def compose(case: Case, spans: Sequence[TokenSpan], needed: int) -> tuple[Fragment, ...]:
    """The tokens that at least `needed` of `spans` cover, as fragments on both sides."""
    fragments: list[Fragment] = []
    for side, token_sets in zip(SIDES, ([span.a for span in spans], [span.b for span in spans]), strict=True):
        counts = Counter(chain.from_iterable(token_sets))
        shared = [token for token, count in counts.items() if count >= needed]
        fragments.extend(Fragment(side, start, end) for start, end in ranges_of(shared, case.tokens[side]))
    return tuple(fragments)
