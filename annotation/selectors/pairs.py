"""Reads of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Annotation, Assignment, Pair, Project, Source, Status, Verdict
from annotation.selectors.annotations import IS_GOLD
from annotation.text.quotes import quote
from annotation.text.schemes import Label, Scheme
from annotation.text.spans import Span
from annotation.vocabulary import FINISHED


class PairFilter(StrEnum):
    """Which pairs a list shows: those with a flag, with a rejection, without assignments, and so on."""

    FLAGGED = Verdict.FLAGGED.value
    REJECTED = Verdict.REJECTED.value
    UNASSIGNED = "unassigned"
    UNFINISHED = "unfinished"
    GOLD = Source.GOLD.value


def pair_list(project: Project) -> QuerySet[Pair]:
    """The pairs of a project with their texts, in order."""
    return Pair.objects.filter(project=project).select_related("a", "b").order_by("position", "pk")


def pair_get(project: Project, pk: int) -> Pair:
    """Raises NotFound."""
    pair = pair_list(project).select_related("a", "b", "statement", "mirror").filter(pk=pk).first()
    if pair is None:
        raise NotFound(_("There is no such pair in this project."), where=project.name)
    return pair


def pair_table(project: Project, *, source: Source, text: str, only: str) -> QuerySet[Pair]:
    """The pairs without tokens, each with `assigned`, `finished`, `flags`, `rejections` and `gold`.

    Flags and rejections are those of annotations from `source`. `text`: part of the id or of a text; `only`: a
    `PairFilter`; anything else means all.
    """
    annotations = Annotation.objects.filter(source=source)
    pairs = (
        Pair.objects.filter(project=project)
        .select_related("a", "b")
        .only("external_id", "split", "position", "project_id", "a__language", "a__content", "b__language")
        .annotate(
            assigned=_count(Assignment.objects.exclude(status=Status.REASSIGNED)),
            finished=_count(Assignment.objects.filter(status__in=FINISHED)),
            flags=_count(annotations.filter(verdict=Verdict.FLAGGED)),
            rejections=_count(annotations.filter(verdict=Verdict.REJECTED)),
            gold=Exists(Annotation.objects.filter(pair=OuterRef("pk"), source=Source.GOLD)),
        )
        .order_by("position", "pk")
    )
    if text:
        pairs = pairs.filter(
            Q(external_id__icontains=text) | Q(a__content__icontains=text) | Q(b__content__icontains=text)
        )
    filters: dict[str, Q] = {
        PairFilter.FLAGGED: Q(flags__gt=0),
        PairFilter.REJECTED: Q(rejections__gt=0),
        PairFilter.UNASSIGNED: Q(assigned=0),
        PairFilter.UNFINISHED: Q(assigned__gt=F("finished")),
        PairFilter.GOLD: Q(gold=True),
    }
    return pairs.filter(filters[only]) if only in filters else pairs


def _count(rows: QuerySet[Any]) -> Coalesce:
    """How many of `rows` a pair has; computed only for the pairs on one page."""
    counted = rows.filter(pair=OuterRef("pk")).order_by().values("pair").annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n")), 0)


@dataclass(frozen=True, slots=True)
class QuotedSpan:
    """A span as a list shows it: its label, its words on both sides, and its comment."""

    label: Label | None
    key: str
    a: str
    b: str
    comment: str
    origin: str


def quoted_spans(annotation: Annotation, pair: Pair, scheme: Scheme) -> list[QuotedSpan]:
    """An annotation's spans in text order, quoted; one without words on either side is broken."""
    labels = {label.key: label for label in scheme.labels}
    spans = sorted(annotation.parsed_spans, key=lambda span: (span.on("a") or [(10**9, 0)], span.on("b")))
    return [quoted_span(span, pair, labels.get(span.label)) for span in spans]


def quoted_span(span: Span, pair: Pair, label: Label | None) -> QuotedSpan:
    """A span of a pair, quoted; `label` is its label, None if the scheme no longer has it."""
    words = quote(span, "a", pair.a.content), quote(span, "b", pair.b.content)
    return QuotedSpan(label, span.label, *words, span.comment, span.origin)


def pairs_with_gold(project: Project) -> set[int]:
    """The pairs that have gold, imported or made here."""
    rows = Annotation.objects.filter(IS_GOLD, pair__project=project)
    return set(rows.values_list("pair_id", flat=True))


def assigned_pairs(project: Project) -> QuerySet[Assignment]:
    """All assignments of a project as planning needs them: pair, person, phase, status; nothing else is loaded."""
    return Assignment.objects.filter(pair__project=project).order_by("annotator_id", "order", "pk")


@dataclass(frozen=True, slots=True)
class ProjectSize:
    """How many pairs a project has, how many are unassigned, and how many have gold."""

    pairs: int
    unassigned: int
    gold: int


def project_size(project: Project) -> ProjectSize:
    assigned = Assignment.objects.filter(pair__project=project).exclude(status=Status.REASSIGNED)
    assigned_pairs = assigned.values("pair").distinct().count()
    pairs = Pair.objects.filter(project=project).count()
    return ProjectSize(pairs, pairs - assigned_pairs, len(pairs_with_gold(project)))
