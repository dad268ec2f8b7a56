"""Parallel documents: pairs of one page in several languages, with one name in their metadata (`document`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, F, Func, IntegerField, Min, Q, QuerySet, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Length

from annotation.models import Annotation, Pair, Project, Source, Verdict
from annotation.text.text_sizes import SizeRow, TextSize, size_rows

MAX_NAME_LENGTH = 300


def with_parallel_document(pairs: QuerySet[Pair]) -> QuerySet[Any]:
    """The pairs with the name of their `document`, '' for none."""
    return pairs.annotate(document=_text("document"))


def parallel_document_names(pairs: QuerySet[Pair]) -> QuerySet[Any, Any]:
    """The names of the documents that these pairs belong to, each once, in the order of their first pairs."""
    named = (
        with_parallel_document(pairs)
        .annotate(length=Length("document"))
        .filter(length__gt=0, length__lte=MAX_NAME_LENGTH)
    )
    ordered = named.order_by().values("document").annotate(first=Min("position")).order_by("first", "document")
    names: QuerySet[Any, Any] = ordered.values_list("document", flat=True)
    return names


@dataclass(frozen=True, slots=True)
class ParallelDocumentPair:
    """One of a document's pairs: flags and rejections are those of annotators."""

    pk: int
    external_id: str
    document: str
    subdomain: str
    languages: tuple[str, str]
    flags: int
    rejections: int


def parallel_document_pairs(project: Project, names: Collection[str]) -> dict[str, list[ParallelDocumentPair]]:
    """The pairs of these documents, by document, in the order of the pairs."""
    pairs_by_name: dict[str, list[ParallelDocumentPair]] = {name: [] for name in names}
    pairs = with_parallel_document(Pair.objects.filter(project=project)).filter(document__in=list(names))
    columns = ("pk", "external_id", "document", "subdomain", "a__language", "b__language")
    rows = list(pairs.annotate(subdomain=_text("subdomain")).order_by("position", "pk").values_list(*columns))
    counts = _verdicts([row[0] for row in rows])
    for pk, name, document, subdomain, a, b in rows:
        pairs_by_name[document].append(
            ParallelDocumentPair(pk, name, document, subdomain, (a, b), *counts.get(pk, (0, 0)))
        )
    return pairs_by_name


def pairs_of_parallel_documents(project: Project, pairs: Iterable[int]) -> dict[int, list[ParallelDocumentPair]]:
    """The other pairs of the documents of these pairs, by pair; pairs without any are excluded."""
    keys = set(pairs)
    names = set(parallel_document_names(Pair.objects.filter(project=project, pk__in=keys)))
    if not names:
        return {}
    others: dict[int, list[ParallelDocumentPair]] = {}
    for group in parallel_document_pairs(project, names).values():
        for pair in group:
            if pair.pk in keys and len(group) > 1:
                others[pair.pk] = [each for each in group if each.pk != pair.pk]
    return others


def parallel_document_count(project: Project) -> int:
    """How many documents a project has."""
    return parallel_document_names(Pair.objects.filter(project=project)).count()


def text_sizes(project: Project) -> list[SizeRow]:
    """Documents and tokens by languages, side and subdomain, over all pairs. One statement."""
    function = "jsonb_array_length" if connection.vendor == "postgresql" else "json_array_length"
    lengths = (Func(F(f"{side}__tokens"), function=function, output_field=IntegerField()) for side in "ab")
    pairs = Pair.objects.filter(project=project).annotate(subdomain=_text("subdomain")).order_by("position", "pk")
    rows = pairs.values_list("a__language", "b__language", "subdomain", *lengths)
    return size_rows(
        TextSize((a, b), side, subdomain if len(subdomain) <= MAX_NAME_LENGTH else "", count)
        for a, b, subdomain, *counts in rows
        for side, count in zip("ab", counts, strict=True)
    )


def flagged_annotations(project: Project) -> QuerySet[Annotation]:
    """The annotations of a project by which an annotator flagged a pair."""
    return Annotation.objects.filter(pair__project=project, source=Source.HUMAN, verdict=Verdict.FLAGGED)


def _text(key: str) -> Coalesce:
    """A value of a pair's metadata as text, '' for none."""
    return Coalesce(Cast(KT(f"metadata__{key}"), TextField()), Value(""), output_field=TextField())


def _verdicts(pairs: Collection[int]) -> dict[int, tuple[int, int]]:
    """How often annotators flagged and rejected each of these pairs."""
    annotated = Annotation.objects.filter(pair__in=pairs, source=Source.HUMAN).order_by().values_list("pair")
    counted = annotated.annotate(
        flags=Count("pk", filter=Q(verdict=Verdict.FLAGGED)), rejections=Count("pk", filter=Q(verdict=Verdict.REJECTED))
    )
    verdicts: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    verdicts.update({pair: (flags, rejections) for pair, flags, rejections in counted})
    return verdicts
