"""Turns records into unsaved rows: texts are tokenized, spans checked, and what the project already has is skipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.formats.checks import statement_problems
from annotation.formats.record import PairRecord, Rejection
from annotation.models import Annotation, Assignment, Pair, Text
from annotation.models.imports import LinkKind
from annotation.services.import_assignments import (
    AnnotationContext,
    AnnotationRows,
    ExistingAnnotations,
    annotation_rows,
    existing_annotations,
    gold_rows,
    merge_labels,
)
from annotation.services.import_checks import annotation_problems, known_pair_problems
from annotation.services.import_target import ImportTarget, pairs_by_id
from annotation.services.texts import texts_prepare

MAX_CHARACTERS = 300_000
"""A batch holds at most this much text (or one pair), so that memory does not grow with the import."""


@dataclass(slots=True)
class ImportBatch:
    """Unsaved rows of some records.

    `pairs` are new ones, and copies of existing pairs: a copy holds what is new about its pair until the import takes
    effect. `links` are (kind, staged row, key of the existing row).
    """

    pairs: list[Pair] = field(default_factory=list)
    links: list[tuple[LinkKind, Pair | Assignment, int]] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    gold: list[Annotation] = field(default_factory=list)

    @property
    def texts(self) -> list[Text]:
        """The texts of the pairs, with duplicates."""
        return [text for pair in self.pairs for text in (pair.a, pair.b, pair.statement) if text is not None]

    def add(self, rows: AnnotationRows) -> None:
        self.assignments += rows.assignments
        self.annotations += rows.annotations
        self.links += [(LinkKind.ASSIGNMENT, assignment, twin) for assignment, twin in rows.twins]


@dataclass(slots=True)
class Preparation:
    """State shared by all batches.

    `position` is the position of the next new pair among the new ones. Without `staging` nothing will be written, so
    sentences and paragraphs are not computed. `lost` counts spans by the label that they lose to `merged_labels`.
    """

    target: ImportTarget
    context: AnnotationContext
    merged_labels: Mapping[str, str]
    staging: bool
    position: int = 0
    lost: Counter[str] = field(default_factory=Counter)


def batch_end(records: Sequence[PairRecord], start: int, size: int) -> int:
    """Where the batch that begins at `start` ends: after `size` records, or earlier if it would have too much text."""
    end = min(start + size, len(records))
    characters = 0
    for index in range(start, end):
        characters += len(records[index].a.text) + len(records[index].b.text)
        if characters > MAX_CHARACTERS:
            return max(index, start + 1)
    return end


def prepare(preparation: Preparation, records: Sequence[PairRecord]) -> tuple[ImportBatch, list[Rejection]]:
    """The rows of a batch of records, or everything that is wrong with them. Reads the database and writes nothing."""
    report = preparation.context.report
    known = pairs_by_id(preparation.target.project, [record.id for record in records])
    batch = ImportBatch()
    rejections = known_pair_problems(records, known)
    unknown = [record for record in records if record.id not in known]
    rejections += statement_problems(unknown, preparation.target.scheme)
    wrong = {rejection.where for rejection in rejections}
    records = [record for record in records if record.where not in wrong]
    new = [record for record in records if record.id not in known]
    pairs = {**known, **_new_pairs(preparation, new)}
    existing = existing_annotations(known.values())
    records = [
        merge_labels(record, pairs[record.id], preparation.merged_labels, existing, preparation.lost)
        for record in records
    ]
    rejections += annotation_problems(records, pairs, preparation.target.scheme, preparation.context.on_annotation)
    if rejections:
        return batch, rejections
    report.pairs_known += len(known)
    report.pairs_new += len(pairs) - len(known)
    preparation.position += len(pairs) - len(known)
    for record in records:
        preparation.context.on_annotation()
        _add(batch, preparation, record, pairs[record.id], existing)
    return batch, []


def _add(
    batch: ImportBatch, preparation: Preparation, record: PairRecord, pair: Pair, existing: ExistingAnnotations
) -> None:
    copies: list[Pair] = []
    is_new = pair._state.adding

    def holder() -> Pair:
        """The staged row that holds what is new about the pair: the pair itself, or a copy of an existing one."""
        if is_new:
            return pair
        if not copies:
            copies.append(_copy(pair))
            batch.pairs.append(copies[0])
            batch.links.append((LinkKind.PAIR, copies[0], pair.pk))
        return copies[0]

    if is_new:
        batch.pairs.append(pair)
    elif record.translations.keys() - (supplied := pair.supplied_translations).keys():
        holder().translations = {**pair.translations, **record.translations, **supplied}
        batch.links.append((LinkKind.TRANSLATIONS, holder(), pair.pk))
    batch.add(annotation_rows(record, pair, existing, holder, preparation.context))
    batch.gold += gold_rows(record, pair, existing, holder, preparation.context.report)


def _new_pairs(preparation: Preparation, records: Sequence[PairRecord]) -> dict[str, Pair]:
    """A pair for each record, with its texts; texts are tokenized here, outside of every transaction."""
    texts_to_store = [text for record in records for text in (record.a, record.b, record.statement) if text is not None]
    texts = iter(texts_prepare(records=texts_to_store, segmented=preparation.staging))
    return {
        record.id: Pair(
            project=preparation.target.project,
            a=next(texts),
            b=next(texts),
            statement=next(texts) if record.statement is not None else None,
            external_id=record.id,
            split=record.split,
            metadata=record.metadata,
            translations=record.translations,
            position=preparation.position + index,
        )
        for index, record in enumerate(records)
    }


def _copy(pair: Pair) -> Pair:
    return Pair(
        project=pair.project,
        a=pair.a,
        b=pair.b,
        statement=pair.statement,
        external_id=pair.external_id,
        translations=pair.translations,
        position=0,
    )
