"""What the analyses of a project count, read from its rows: labels, time, verdicts, and everyone's own work."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from django.db.models import Count, QuerySet

from agreement.data.annotation_arrays import codes_of, label_codes
from agreement.data.highlight_arrays import counted_tokens, languages_of
from agreement.metrics.arrays import Ints
from agreement.selectors import gold_annotations
from annotation.display_names import natural_sort_key
from annotation.models import Annotation, Project, Source, Verdict
from annotation.text.schemes import SIDES, Side

BATCH = 200


@dataclass(frozen=True, slots=True)
class PairAnnotation:
    """One submission, or the gold of a pair (then `annotator` and `phase` are '')."""

    pair: int
    name: str
    annotator: str = ""
    phase: str = ""


@dataclass(frozen=True, slots=True)
class TokensByLabel:
    """Tokens by label on one side of the pairs of two languages ('EN-DE'): the language of these texts is 'EN'.

    They are those of the gold, or if there is none of everything that was submitted.
    """

    pair: str
    side: Side
    language: str
    tokens: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LabelledSide:
    """The labels of one side of one piece of work: the code of each counted token, and the tokens' indices."""

    annotated: PairAnnotation
    languages: str
    side: Side
    language: str
    codes: Ints
    tokens: Ints


@dataclass(frozen=True, slots=True)
class TimedAnnotation:
    """The active time of one submission: of which languages, how long the two texts are, in tokens, and seconds."""

    annotated: PairAnnotation
    languages: str
    tokens: int
    seconds: int


def labelled_sides(project: Project, gold: int | None) -> Iterator[LabelledSide]:
    """Every side that the scheme marks: from the gold, or from all submissions if there is none."""
    scheme = project.labels
    codes = label_codes(scheme)[1]
    rows = gold_annotations(project, gold) if gold is not None else _with_texts(_submitted_annotations(project))
    for annotation in rows.iterator(BATCH):
        pair, spans = annotation.pair, annotation.parsed_spans
        annotated = PairAnnotation(pair.pk, pair.external_id) if gold is not None else _pair_annotation(annotation)
        for side in SIDES:
            if side in scheme.sides:
                text = pair.a if side == "a" else pair.b
                counted = counted_tokens(pair, side) if scheme.graded else np.ones(len(text.tokens), dtype=bool)
                labels = codes_of(spans, side, text.tokens, codes)[counted]
                where = np.flatnonzero(counted)
                yield LabelledSide(annotated, languages_of(pair), side, text.language.upper(), labels, where)


def label_counts(project: Project, gold: int | None) -> list[TokensByLabel]:
    """Tokens by label, language pair and side; of the gold, or if there is none of all submissions."""
    names = label_codes(project.labels)[0]
    totals: dict[tuple[str, Side, str], Counter[str]] = defaultdict(Counter)
    for each in labelled_sides(project, gold):
        counts = np.bincount(each.codes, minlength=len(names))
        totals[each.languages, each.side, each.language].update(dict(zip(names, map(int, counts), strict=True)))
    return [TokensByLabel(*key, dict(counts)) for key, counts in sorted(totals.items())]


def timed_annotations(project: Project) -> list[TimedAnnotation]:
    """Every submission with active time; work that was imported has none."""
    rows = _with_texts(_submitted_annotations(project).filter(active_seconds__gt=0)).defer("spans")
    return [
        TimedAnnotation(
            _pair_annotation(each),
            languages_of(each.pair),
            len(each.pair.a.tokens) + len(each.pair.b.tokens),
            each.active_seconds,
        )
        for each in rows.iterator(BATCH)
    ]


def annotations_by_person(project: Project) -> dict[str, dict[int, int]]:
    """By annotator, the key of what they submitted of each pair: the latest of several phases, without re-tests."""
    by_annotator: dict[str, dict[int, int]] = defaultdict(dict)
    rows = (
        _submitted_annotations(project)
        .filter(assignment__round=0)
        .values_list("assignment__annotator__alias", "pair", "pk")
    )
    for alias, pair, pk in rows.order_by("changed", "pk"):
        by_annotator[alias][pair] = pk
    return {alias: by_annotator[alias] for alias in sorted(by_annotator, key=natural_sort_key)}


def verdicts(project: Project) -> dict[str, int]:
    """How often people gave each verdict; pairs that nobody has decided about aren't counted."""
    rows = Annotation.objects.filter(pair__project=project, source=Source.HUMAN).exclude(verdict=Verdict.NONE)
    counts = dict(rows.values_list("verdict").annotate(n=Count("pk")).order_by("verdict"))
    return {verdict: counts[verdict] for verdict in Verdict.values if counts.get(verdict)}


def annotations_with_verdict(project: Project, verdict: str) -> list[PairAnnotation]:
    """All work with this verdict, in the order of the pairs."""
    rows = Annotation.objects.filter(pair__project=project, source=Source.HUMAN, verdict=verdict)
    rows = rows.select_related("pair", "assignment__annotator").defer("spans")
    return [_pair_annotation(each) for each in rows.order_by("pair__position", "pair_id", "pk").iterator(BATCH)]


def _pair_annotation(annotation: Annotation) -> PairAnnotation:
    pair, assignment = annotation.pair, annotation.assignment
    assert assignment is not None, "people's work has an assignment"
    return PairAnnotation(pair.pk, pair.external_id, assignment.annotator.alias, assignment.phase)


def _with_texts(rows: QuerySet[Annotation]) -> QuerySet[Annotation]:
    return rows.select_related("pair__a", "pair__b", "assignment__annotator")


def _submitted_annotations(project: Project) -> QuerySet[Annotation]:
    rows = Annotation.objects.filter(pair__project=project, source=Source.HUMAN, verdict=Verdict.SUBMITTED)
    return rows.order_by("pk")
