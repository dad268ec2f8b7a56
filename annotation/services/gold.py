"""Writes of gold: one annotation per pair and version. Version 0 was imported, the others come from adjudication."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Annotation, Pair, Source, Verdict
from annotation.services.annotation_checks import validate_answers
from annotation.services.archive_check import changes_project
from annotation.text.span_counts import counts
from annotation.text.spans import Span, check, spans_document

BATCH = 400


@dataclass(frozen=True, slots=True)
class Gold:
    """A pair's gold spans; `provenance` maps a span's id to its origin. The pair's texts and project must be loaded."""

    pair: Pair
    spans: Sequence[Span]
    provenance: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)


@transaction.atomic
def gold_write_many(*, version: int, items: Sequence[Gold]) -> list[Annotation]:
    """Write the gold of many pairs, replacing that of the same version; returns the rows in the order of `items`.

    Raises Invalid, and writes nothing, naming the first pair with a span that texts or labels forbid.
    """
    pairs = [item.pair.pk for item in items]
    existing: dict[int, Annotation] = {}
    for start in range(0, len(pairs), BATCH):
        annotations = Annotation.objects.filter(
            source=Source.GOLD, gold_version=version, pair__in=pairs[start : start + BATCH]
        ).select_for_update()
        existing.update({annotation.pair_id: annotation for annotation in annotations})
    rows = [gold_row(version=version, item=item, row=existing.get(item.pair.pk)) for item in items]
    Annotation.objects.bulk_create([row for row in rows if row.pk is None], batch_size=BATCH)
    Annotation.objects.bulk_update(
        [row for row in rows if row.pk in {old.pk for old in existing.values()}],
        ["spans", "answers", "provenance", "verdict", "revision", "span_count", "token_count", "label_counts"],
        batch_size=BATCH,
    )
    return rows


def gold_row(*, version: int, item: Gold, row: Annotation | None = None) -> Annotation:
    """One pair's gold as a row to write: a new one, or `row` changed. Raises Invalid for invalid spans."""
    problems = check(item.spans, item.pair.project.labels, item.pair.a.grid, item.pair.b.grid, imported=True)
    if problems:
        raise Invalid(
            "; ".join(each.text(_) for each in problems[:5]), code="spans", where=f"gold of {item.pair.external_id}"
        )
    if row is None:
        row = Annotation(source=Source.GOLD, pair=item.pair, gold_version=version)
    result = counts(item.spans, item.pair.a.grid, item.pair.b.grid)
    row.spans, row.provenance, row.verdict = spans_document(item.spans), dict(item.provenance), Verdict.SUBMITTED
    row.answers = validate_answers(item.answers, item.pair.project.labels)
    row.revision += 1
    row.span_count, row.token_count, row.label_counts = result.spans, result.tokens, result.labels
    return row


@changes_project("annotation.pair.project_id")
@transaction.atomic
def gold_explain(*, annotation: Annotation, feedback: str) -> Annotation:
    """Save a lead's feedback on a pair's gold, for annotators who had the pair in the qualification."""
    row = Annotation.objects.select_for_update().get(pk=annotation.pk, source=Source.GOLD)
    row.feedback = feedback.strip()
    row.save(update_fields=["feedback", "changed"])
    return row
