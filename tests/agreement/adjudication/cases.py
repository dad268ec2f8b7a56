"""Pairs for the rules: token grids of one-letter words, and annotators' spans in a short notation."""

from collections.abc import Sequence

from agreement.adjudication.base import Case, Decision, Vote
from annotation.text.schemes import PRESETS, SIDES, Scheme
from annotation.text.spans import Fragment, Span, covered_indices, ranges_of

GRID = [(2 * index, 2 * index + 1) for index in range(12)]


def span(label: str, a: Sequence[int] = (), b: Sequence[int] = (), name: str = "") -> Span:
    """A span over token indices of both sides."""
    fragments = [
        Fragment(side, start, end)
        for side, tokens in zip(SIDES, (a, b), strict=True)
        for start, end in ranges_of(tokens, GRID)
    ]
    return Span(name or f"{label}-{list(a)}-{list(b)}", label, tuple(fragments))


def case(*annotators: Sequence[Span], scheme: Scheme = PRESETS["graded"], verdicts: Sequence[str] = ()) -> Case:
    """One vote a list of spans; annotation ids from 10, aliases A1, A2, …; `verdicts` instead of 'submitted'."""
    given = [*verdicts, *["submitted"] * (len(annotators) - len(verdicts))]
    votes = tuple(
        Vote(10 + index, f"A{index + 1}", tuple(spans), verdict)
        for index, (spans, verdict) in enumerate(zip(annotators, given, strict=True))
    )
    return Case("p1", votes, {"a": GRID, "b": GRID}, scheme)


def letters(*annotators: str) -> Case:
    """A pair under the extended X-PARADE scheme: a letter a token of side B, S I N C or R, one string an annotator."""
    names = {"I": "inferable", "N": "new", "C": "connotation", "R": "reference"}
    spans = [
        [span(names[letter], b=[index]) for index, letter in enumerate(text) if letter != "S"] for text in annotators
    ]
    return case(*spans, scheme=PRESETS["xparade-extended"])


def shape(decision: Decision) -> list[tuple[str, list[int], list[int]]]:
    """The gold as (label, tokens of side A, tokens of side B)."""
    return [
        (gold.span.label, covered_indices(gold.span.on("a"), GRID), covered_indices(gold.span.on("b"), GRID))
        for gold in decision.spans
    ]
