"""One run's highlights and the gold, as arrays: the bridge from rows to the scores of pre-labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement.data.annotation_arrays import label_codes
from agreement.metrics.arrays import Bools, Floats, Ints
from agreement.metrics.suggestion_matches import count_matched_spans
from agreement.selectors import gold_annotations
from annotation.models import Annotation, Highlight, Pair, Project, Text
from annotation.selectors.highlights import highlight_list
from annotation.text.schemes import SIDES, Scheme, Side
from annotation.text.spans import Span, covered_indices
from annotation.text.tokens import is_ascii_punctuation

NEW = "new"
BATCH = 200


@dataclass(frozen=True, slots=True)
class ScoredTokens:
    """Tokens (n,) of all documents that have both gold and a highlight, on the sides that the scheme marks.

    `codes` are gold labels as positions in `labels`, the default first, then from the smallest to the greatest
    difference; `values` (labels,) says how great, `graded` whether these are grades. `named` are the labels that the
    method itself predicted, or None. `position` is a token's position in its text, in [0, 1). `counted` are the tokens
    that correlations include, `labelled` those that have a gold label (in a graded scheme punctuation has none),
    `suggested` those that the workspace underlines. By document: `splits` (documents,); `suggestions` (documents,), how
    many; `linked` (documents, 2): gold spans with fragments on both sides that a suggestion touches, and how many of
    these a single suggestion touches on both sides; and `saved` (documents, 3): gold spans, those suggested exactly,
    and those suggested except for one change. `languages` ('EN-DE'), `lengths`, in tokens of both texts, and
    `pairs`, their keys, are by document too.
    """

    labels: tuple[str, ...]
    values: Floats
    splits: tuple[str, ...]
    documents: Ints
    scores: Floats
    codes: Ints
    named: Ints | None
    position: Floats
    counted: Bools
    labelled: Bools
    suggested: Bools
    suggestions: Ints
    linked: Ints
    saved: Ints
    graded: bool
    languages: tuple[str, ...]
    lengths: Ints
    pairs: tuple[int, ...]

    @property
    def new(self) -> Bools:
        """Which tokens are new: the label with that name or, if there is none, any label above the default."""
        if NEW in self.labels:
            return np.asarray(self.codes == self.labels.index(NEW))
        return np.asarray(self.codes > 0)

    def tokens_of(self, *splits: str) -> Bools:
        """The tokens of documents in some splits."""
        in_splits = np.array([split in splits for split in self.splits], dtype=bool)
        return np.asarray(in_splits[self.documents] if len(in_splits) else np.zeros(0, dtype=bool))


def scored_run(project: Project, run: str, gold: int) -> ScoredTokens:
    """The highlights of `run` with the gold of version `gold`; reads a batch of pairs at a time."""
    return scored_highlights(project, highlight_list(project, run).iterator(BATCH), gold)


def scored_highlights(project: Project, highlights: Iterable[Highlight], gold: int) -> ScoredTokens:
    """These highlights, one for each pair and saved or not, with the gold of version `gold`."""
    decided = gold_annotations(project, gold).select_related(None).order_by().values_list("pair", "pk")
    return _scored(project, highlights, dict(decided))


def scored_against(project: Project, run: str, decided: Mapping[int, int]) -> ScoredTokens:
    """The highlights of `run` with one annotation of each pair (both by key) as if it were the gold."""
    return _scored(project, highlight_list(project, run).iterator(BATCH), decided)


def _scored(project: Project, highlights: Iterable[Highlight], decided: Mapping[int, int]) -> ScoredTokens:
    scheme = project.labels
    labels, codes = labels_by_difference(scheme)
    rows: list[_Rows] = []
    splits: list[str] = []
    counts: list[tuple[int, ...]] = []
    texts: list[tuple[str, int, int]] = []
    for highlight in highlights:
        if highlight.pair_id in decided:
            spans = Annotation.objects.only("spans").get(pk=decided[highlight.pair_id]).parsed_spans
            proposals = [proposal["fragments"] for proposal in highlight.proposals]
            suggested = [_tokens(highlight.pair, fragments) for fragments in proposals]
            rows.extend(
                _rows(highlight, side, spans, suggested, codes, scheme.graded, len(splits)) for side in scheme.sides
            )
            splits.append(highlight.pair.split.strip().casefold())
            size = len(highlight.scores_a) + len(highlight.scores_b)
            texts.append((languages_of(highlight.pair), size, highlight.pair_id))
            marked = [_marked_tokens(highlight.pair, span, scheme) for span in spans]
            counts.append(
                (
                    len(suggested),
                    *_count_two_sided(marked, suggested),
                    len(spans),
                    *count_matched_spans(marked, suggested),
                )
            )
    named = [row.named for row in rows]
    everything = [array for array in named if array is not None]
    return ScoredTokens(
        labels=labels,
        values=values_of(scheme, labels),
        splits=tuple(splits),
        documents=_concatenated([row.documents for row in rows], np.int64),
        scores=_concatenated([row.scores for row in rows], np.float64),
        codes=_concatenated([row.codes for row in rows], np.int64),
        named=_concatenated(everything, np.int64) if rows and len(everything) == len(rows) else None,
        position=_concatenated([row.position for row in rows], np.float64),
        counted=_concatenated([row.counted for row in rows], np.bool_),
        labelled=_concatenated([row.labelled for row in rows], np.bool_),
        suggested=_concatenated([row.suggested for row in rows], np.bool_),
        suggestions=np.array([each[0] for each in counts], dtype=np.int64),
        linked=np.array([each[1:3] for each in counts], dtype=np.int64).reshape(-1, 2),
        saved=np.array([each[3:] for each in counts], dtype=np.int64).reshape(-1, 3),
        graded=scheme.graded,
        languages=tuple(languages for languages, _, _ in texts),
        lengths=np.array([tokens for _, tokens, _ in texts], dtype=np.int64),
        pairs=tuple(pair for *_, pair in texts),
    )


def languages_of(pair: Pair) -> str:
    """'EN-DE'."""
    return f"{pair.a.language}-{pair.b.language}".upper()


_TokensBySide = dict[Side, set[int]]


def _tokens(pair: Pair, fragments: Sequence[Mapping[str, Any]]) -> _TokensBySide:
    """The tokens of each side that fragments cover."""
    ranges = {side: [(part["start"], part["end"]) for part in fragments if part["side"] == side] for side in SIDES}
    return {
        "a": set(covered_indices(ranges["a"], pair.a.tokens)),
        "b": set(covered_indices(ranges["b"], pair.b.tokens)),
    }


def _marked_tokens(pair: Pair, span: Span, scheme: Scheme) -> _TokensBySide:
    """The tokens of a span on the sides that may be marked."""
    texts: tuple[tuple[Side, Text], ...] = (("a", pair.a), ("b", pair.b))
    return {
        side: set(covered_indices(span.on(side), text.tokens) if side in scheme.sides else ()) for side, text in texts
    }


def _count_two_sided(spans: Sequence[_TokensBySide], suggested: Sequence[_TokensBySide]) -> tuple[int, int]:
    """Spans with fragments on both sides: how many a suggestion touches, and how many one touches on both."""
    touched = both = 0
    for span in spans:
        a, b = span["a"], span["b"]
        if a and b:
            touched += any(each["a"] & a or each["b"] & b for each in suggested)
            both += any(each["a"] & a and each["b"] & b for each in suggested)
    return touched, both


def _difference(scheme: Scheme, label: str) -> float:
    """How great a difference a label means: its grade. Without grades 'new' is the greatest; all others are equal."""
    if scheme.graded or label == scheme.default:
        return scheme.value(label) if scheme.graded else 0.0
    return 2.0 if label == NEW else 1.0


def values_of(scheme: Scheme, labels: Sequence[str]) -> Floats:
    """How great a difference each label means: shape (labels,)."""
    return np.array([_difference(scheme, label) for label in labels], dtype=np.float64)


def labels_by_difference(scheme: Scheme) -> tuple[tuple[str, ...], dict[str, int]]:
    """The labels from the smallest to the greatest difference, and the code of every label key."""
    labels, codes = label_codes(scheme)
    ordered = tuple(sorted(labels, key=lambda label: _difference(scheme, label)))
    return ordered, {key: ordered.index(labels[code]) for key, code in codes.items()}


@dataclass(frozen=True, slots=True)
class _Rows:
    """One side of one document; see ScoredTokens."""

    documents: Ints
    scores: Floats
    codes: Ints
    named: Ints | None
    position: Floats
    counted: Bools
    labelled: Bools
    suggested: Bools


def _rows(
    highlight: Highlight, side: Side, spans: Sequence[Span], suggested: Sequence[_TokensBySide], codes: dict[str, int],
    graded: bool, document: int,
) -> _Rows:  # fmt: skip
    pair = highlight.pair
    text = pair.a if side == "a" else pair.b
    size = len(text.tokens)
    gold = np.zeros(size, dtype=np.int64)
    for span in spans:
        touched = covered_indices(span.on(side), text.tokens)
        gold[touched] = np.maximum(gold[touched], codes[span.label])
    counted = counted_tokens(pair, side)
    underlined = np.zeros(size, dtype=bool)
    for each in suggested:
        underlined[list(each[side])] = True
    return _Rows(
        documents=np.full(size, document, dtype=np.int64),
        scores=np.array(highlight.scores_a if side == "a" else highlight.scores_b, dtype=np.float64),
        codes=gold,
        named=named_codes(highlight, side, codes),
        position=np.arange(size) / max(size, 1),
        counted=counted,
        labelled=counted if graded else np.ones(size, dtype=bool),
        suggested=underlined,
    )


def counted_tokens(pair: Pair, side: Side) -> Bools:
    """The tokens of a side that correlations include: those that are more than ASCII punctuation."""
    text = pair.a if side == "a" else pair.b
    words = [text.content[start:end] for start, end in text.tokens]
    counted = np.array([not is_ascii_punctuation(word) for word in words], dtype=bool)
    # A source of token labels may score punctuation and leave words unscored; the import recorded which.
    counted[_metadata_token_indices(pair, "scored", side)] = True
    counted[_metadata_token_indices(pair, "unscored", side)] = False
    return counted


def named_codes(highlight: Highlight, side: Side, codes: Mapping[str, int]) -> Ints | None:
    """The codes of the labels that a method predicted for a side; None if it predicted none that the scheme has."""
    labels, size = highlight.labels.get(side), len(highlight.scores_a if side == "a" else highlight.scores_b)
    if not isinstance(labels, list) or len(labels) != size or not all(label in codes for label in labels):
        return None
    return np.array([codes[label] for label in labels], dtype=np.int64)


def _metadata_token_indices(pair: Pair, key: str, side: str) -> list[int]:
    listed = pair.metadata.get(key)
    return list(listed.get(side, [])) if isinstance(listed, dict) else []


def _concatenated(arrays: Sequence[Any], kind: Any) -> Any:
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=kind)
