"""Labels that a run carried over from another language pair, as arrays: beside their own gold, and beside what people
then submitted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

import numpy as np

from agreement.data.annotation_arrays import codes_of
from agreement.data.highlight_arrays import (
    BATCH,
    counted_tokens,
    labels_by_difference,
    languages_of,
    named_codes,
    values_of,
)
from agreement.metrics.arrays import Ints
from agreement.selectors import gold_annotations
from annotation.models import Annotation, Highlight, Project, Source, Verdict
from annotation.selectors.highlights import HighlightRun, highlight_list
from annotation.selectors.runs import RunOrigin, run_reader
from annotation.text.schemes import SIDES, Scheme, Side
from annotation.text.tokens import base_language

METHOD = "projection"
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(slots=True)
class Tokens:
    """Tokens of some documents by two sources of labels; all of shape (tokens,).

    `scores` are in [0, 1], `labels` are codes or -1 where only scores are known, `gold` the codes that they are
    compared with. `names` are the documents.
    """

    names: list[str] = field(default_factory=list)
    documents: list[Ints] = field(default_factory=list)
    scores: list[Any] = field(default_factory=list)
    labels: list[Ints] = field(default_factory=list)
    gold: list[Ints] = field(default_factory=list)

    def add(self, name: str, scores: Any, labels: Ints, gold: Ints) -> None:
        """Add a document."""
        self.documents.append(np.full(len(gold), len(self.names), dtype=np.int64))
        self.names.append(name)
        self.scores.append(np.asarray(scores, dtype=np.float64))
        self.labels.append(labels)
        self.gold.append(gold)


@dataclass(frozen=True, slots=True)
class RevisedAnnotation:
    """What a person submitted of a pair with carried labels: its tokens, and how many have another label now."""

    pair: int
    name: str
    languages: str
    annotator: str
    tokens: int
    changed: int


@dataclass(frozen=True, slots=True)
class Projections:
    """A run's carried labels. `values` says how great a difference each label (code) means.

    `carried`: by the pairs' languages, the tokens of the side that does not have the shared text, beside their own
    gold. `seen` pairs with gold are not among them: people worked on them with pre-labels before their eyes since the
    run was requested. `revised` are submissions made with pre-labels shown, after the labels were carried.
    """

    values: Any
    carried: Mapping[str, Tokens]
    seen: int
    revised: tuple[RevisedAnnotation, ...]


def is_projection(run: HighlightRun) -> bool:
    """Whether a run's labels were carried over from other pairs."""
    return run.method.partition(".")[0] == METHOD


def projections(project: Project, run: str, gold: int | None) -> Projections:
    """A run's carried labels, with the gold of a version (None: none); reads a batch of pairs at a time."""
    scheme = project.labels
    labels, codes = labels_by_difference(scheme)
    sources, requested, earliest = _run(project, run)
    decided = dict(gold_annotations(project, gold).values_list("pair", "pk")) if gold is not None else {}
    carried: dict[str, Tokens] = defaultdict(Tokens)
    revised: list[RevisedAnnotation] = []
    shown, pairs = _annotations_shown_prelabels(project), 0
    for highlight in highlight_list(project, run).iterator(BATCH):
        pair = highlight.pair
        shown_annotations = [each for each in shown[pair.pk] if each[1] >= requested]
        after = [
            pk
            for pk, changed, verdict in shown_annotations
            if verdict == Verdict.SUBMITTED and changed >= highlight.made
        ]
        revised += [one for pk in after if (one := _revised_annotation(highlight, pk, scheme, codes))]
        shared = sources.get(str(pair.pk), ())
        if pair.pk in decided and shared:
            side: Side = "b" if shared[0][1] == "a" else "a"
            # Labels of an earlier run may have become gold too: it is excluded from the comparison.
            if any(changed >= earliest for _pk, changed, _verdict in shown[pair.pk]):
                pairs += 1
            elif side in scheme.sides:
                _add(carried[languages_of(pair)], highlight, side, decided[pair.pk], codes)
    return Projections(values_of(scheme, labels), dict(sorted(carried.items())), pairs, tuple(revised))


def _run(project: Project, run: str) -> tuple[Mapping[str, Any], datetime, datetime]:
    """Where a run's labels come from, when it was requested, and when the project's first projection was.

    A run that is gone counts as requested after all work.
    """
    runs = run_reader(project)
    origin = runs.origin(run) or RunOrigin(NEVER, {})
    return origin.sources, origin.requested, runs.first_requested(METHOD) or NEVER


def _annotations_shown_prelabels(project: Project) -> Mapping[int, list[tuple[int, datetime, str]]]:
    """By pair, the work of people to whom pre-labels were shown: key, time and verdict. Imported work is never that."""
    rows = Annotation.objects.filter(pair__project=project, source=Source.HUMAN, assignment__highlights_shown=True)
    shown_annotations: dict[int, list[tuple[int, datetime, str]]] = defaultdict(list)
    for pair, pk, changed, verdict in rows.exclude(verdict="").values_list("pair", "pk", "changed", "verdict"):
        shown_annotations[pair].append((pk, changed, verdict))
    return shown_annotations


def _revised_annotation(
    highlight: Highlight, pk: int, scheme: Scheme, codes: Mapping[str, int]
) -> RevisedAnnotation | None:
    """The tokens whose label a person changed; None if the run has only scores."""
    pair = highlight.pair
    annotation = Annotation.objects.select_related("assignment__annotator").get(pk=pk)
    tokens = changed = 0
    for side in scheme.sides:
        text = pair.a if side == "a" else pair.b
        projected = named_codes(highlight, side, codes)
        if projected is None:
            return None
        counted = counted_tokens(pair, side) if scheme.graded else np.ones(len(projected), dtype=bool)
        now = codes_of(annotation.parsed_spans, side, text.tokens, codes)
        tokens += int(counted.sum())
        changed += int((projected != now)[counted].sum())
    assert annotation.assignment is not None, "people's work has an assignment"
    alias = annotation.assignment.annotator.alias
    return RevisedAnnotation(pair.pk, pair.external_id, languages_of(pair), alias, tokens, changed)


def _add(to: Tokens, highlight: Highlight, side: Side, annotation: int, codes: Mapping[str, int]) -> None:
    pair = highlight.pair
    spans = Annotation.objects.only("spans").get(pk=annotation).parsed_spans
    counted = counted_tokens(pair, side)
    gold = codes_of(spans, side, (pair.a if side == "a" else pair.b).tokens, codes)
    projected = named_codes(highlight, side, codes)
    scores = np.array(highlight.scores_a if side == "a" else highlight.scores_b, dtype=np.float64)
    unknown = np.full(len(gold), -1, dtype=np.int64)
    to.add(pair.external_id, scores[counted], (unknown if projected is None else projected)[counted], gold[counted])


@dataclass(frozen=True, slots=True)
class LanguageTriple:
    """Two language pairs on the same text: the language of that text, and their other languages in order."""

    shared: str
    one: str
    other: str


def shared_gold(project: Project, gold: int) -> dict[LanguageTriple, Tokens]:
    """How the gold of two language pairs labels the same texts, token by token: `labels` are those of the first.

    Texts are the same if they have the same words in the same language. In a scheme that marks one side they are on
    that side of both pairs.
    """
    scheme = project.labels
    labels, codes = labels_by_difference(scheme)
    values = values_of(scheme, labels)
    top = max(float(values.max()), 1.0)
    coupled: dict[LanguageTriple, Tokens] = defaultdict(Tokens)
    for couple, one, other in _gold_over_same_text(project, gold, scheme):
        (name, counted, own_labels), (_, _, other_labels) = (_codes(*each, codes) for each in (one, other))
        coupled[couple].add(name, values[own_labels[counted]] / top, own_labels[counted], other_labels[counted])
    return dict(sorted(coupled.items(), key=lambda each: (each[0].shared, each[0].one, each[0].other)))


_AnnotationSide = tuple[int, Side]
"""A gold annotation and a side of its pair."""


def _gold_over_same_text(
    project: Project, gold: int, scheme: Scheme
) -> Iterator[tuple[LanguageTriple, _AnnotationSide, _AnnotationSide]]:
    """Every two gold annotations of different language pairs on the same text."""
    columns = ("pk", "pair__a__digest", "pair__b__digest", "pair__a__language", "pair__b__language")
    by_text: dict[str, list[tuple[str, str, _AnnotationSide]]] = defaultdict(list)
    for pk, *row in gold_annotations(project, gold).select_related(None).values_list(*columns):
        for index, side in enumerate(SIDES):
            if side in scheme.sides:
                shared, opposite = base_language(row[2 + index]), base_language(row[3 - index])
                by_text[row[index]].append((shared, opposite, (pk, side)))
    for several in by_text.values():
        for one, other in combinations(several, 2):
            if one[1] != other[1]:
                first, second = sorted((one, other), key=lambda each: each[1])
                yield LanguageTriple(first[0], first[1], second[1]), first[2], second[2]


def _codes(annotation: int, side: Side, codes: Mapping[str, int]) -> tuple[str, Any, Ints]:
    """A pair's name, the tokens of a side that count, and the codes of their gold labels."""
    row = Annotation.objects.select_related("pair__a", "pair__b").get(pk=annotation)
    text = row.pair.a if side == "a" else row.pair.b
    gold = codes_of(row.parsed_spans, side, text.tokens, codes)
    return row.pair.external_id, counted_tokens(row.pair, side), gold
