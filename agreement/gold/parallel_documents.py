"""Parallel documents with the verdicts and comments on their pairs. Reads only."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from agreement.models import Exclusion
from annotation.models import Pair, Project
from annotation.selectors.parallel_documents import (
    ParallelDocumentPair,
    flagged_annotations,
    parallel_document_names,
    parallel_document_pairs,
    with_parallel_document,
)


@dataclass(frozen=True, slots=True)
class ParallelDocumentRow:
    """One parallel document: its pairs, each with the reason for its exclusion ('' if it is not excluded)."""

    name: str
    pairs: tuple[tuple[ParallelDocumentPair, str], ...]

    @property
    def subdomain(self) -> str:
        return next((pair.subdomain for pair, _reason in self.pairs if pair.subdomain), "")

    @property
    def flags(self) -> int:
        return sum(pair.flags for pair, _reason in self.pairs)

    @property
    def rejections(self) -> int:
        return sum(pair.rejections for pair, _reason in self.pairs)

    @property
    def excluded(self) -> int:
        """How many of its pairs are excluded."""
        return sum(bool(reason) for _pair, reason in self.pairs)

    @property
    def reasons(self) -> list[str]:
        return sorted({reason for _pair, reason in self.pairs if reason})


def parallel_documents_matching(project: Project, *, text: str = "", only: str = "") -> QuerySet[Any, Any]:
    """The names of the documents whose name has `text` in it; `only`: 'flagged', 'excluded', or all."""
    pairs = Pair.objects.filter(project=project)
    if text:
        pairs = with_parallel_document(pairs).filter(document__icontains=text)
    if only == "flagged":
        pairs = pairs.filter(Exists(flagged_annotations(project).filter(pair=OuterRef("pk"))))
    if only == "excluded":
        pairs = pairs.filter(Exists(Exclusion.objects.filter(pair=OuterRef("pk"))))
    return parallel_document_names(pairs)


def parallel_document_rows(project: Project, names: Collection[str]) -> list[ParallelDocumentRow]:
    """These documents, in their order."""
    pairs_by_name = parallel_document_pairs(project, names)
    keys = [pair.pk for pairs in pairs_by_name.values() for pair in pairs]
    reasons: Mapping[int, str] = dict(Exclusion.objects.filter(pair__in=keys).values_list("pair_id", "reason"))
    return [
        ParallelDocumentRow(name, tuple((pair, reasons.get(pair.pk, "")) for pair in pairs_by_name[name]))
        for name in names
    ]
