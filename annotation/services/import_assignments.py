"""Assignments, annotations and gold of an import, as unsaved rows."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from annotation.display_names import natural_sort_key
from annotation.formats.implied_scheme import labels_and_answers, scheme_covers
from annotation.formats.record import AnnotationRecord, PairRecord
from annotation.formats.source_warnings import EXISTING_KEPT, LABEL_MERGED, NO_GUIDELINES, REFERENCE_SEEN
from annotation.models import Annotation, Annotator, Assignment, Guideline, Pair, Revision, Source, Status
from annotation.selectors.annotations import IMPORTED
from annotation.selectors.references import KnownReferences
from annotation.services.assignments import shows_highlights
from annotation.services.gold import Gold, gold_row
from annotation.services.import_report import ImportReport
from annotation.text.schemes import PRESETS, SIDES, Scheme
from annotation.text.span_counts import counts
from annotation.text.spans import Span, count_covered, spans_document
from annotation.vocabulary import Verdict

AssignmentKey = tuple[int | None, str, str, int]


@dataclass(slots=True)
class ExistingAnnotations:
    """What the project already has: assignments by pair, alias, phase and round; pairs with imported gold."""

    assignments: dict[AssignmentKey, Assignment] = field(default_factory=dict)
    gold: set[int] = field(default_factory=set)

    def has(self, pair: Pair, item: AnnotationRecord) -> bool:
        """Whether this person's annotation of a pair exists already."""
        assignment = self.assignments.get(_assignment_key(pair, item))
        return assignment is not None and hasattr(assignment, "annotation")


@dataclass(slots=True)
class AnnotationContext:
    """State shared by all pairs: the annotators of staged work by alias, and the next position in their order.

    `keys` are those of the project's own people by alias, `references` the gold that they have seen. `on_annotation`
    is called before each annotation; it may raise ClaimLost.
    """

    people: Mapping[str, Annotator]
    guidelines: Mapping[int, Guideline]
    report: ImportReport
    keys: Mapping[str, int] = field(default_factory=dict)
    references: KnownReferences = field(default_factory=KnownReferences)
    orders: Counter[str] = field(default_factory=Counter)
    on_annotation: Callable[[], None] = lambda: None


@dataclass(slots=True)
class AnnotationRows:
    """Rows of work. `twins`: a staged assignment, and the key of the open one that gets its annotation."""

    assignments: list[Assignment] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    twins: list[tuple[Assignment, int]] = field(default_factory=list)


def existing_annotations(pairs: Iterable[Pair]) -> ExistingAnnotations:
    """The existing annotations of these pairs."""
    keys = [pair.pk for pair in pairs]
    if not keys:
        return ExistingAnnotations()
    assignments = Assignment.objects.filter(pair__in=keys).select_related("annotation", "annotator")
    gold = Annotation.objects.filter(source=Source.GOLD, gold_version=IMPORTED, pair__in=keys)
    return ExistingAnnotations(
        {(item.pair_id, item.annotator.alias, item.phase, item.round): item for item in assignments},
        set(gold.values_list("pair_id", flat=True)),
    )


def merge_labels(
    record: PairRecord, pair: Pair, merged_labels: Mapping[str, str], existing: ExistingAnnotations, lost: Counter[str]
) -> PairRecord:
    """The record, with labels that the scheme lacks replaced by those they are imported as.

    `lost` counts the spans of new work by the label that they lose.
    """
    if not merged_labels:
        return record
    annotations = []
    for item in record.annotations:
        spans, changed = _merged(item.spans, merged_labels)
        annotations.append(dataclasses.replace(item, spans=spans) if changed else item)
        if not existing.has(pair, item):
            lost.update(changed)
    gold, changed = _merged(record.gold or (), merged_labels)
    if pair.pk not in existing.gold:
        lost.update(changed)
    return dataclasses.replace(record, annotations=annotations, gold=None if record.gold is None else gold)


def _merged(spans: Iterable[Span], merged_labels: Mapping[str, str]) -> tuple[list[Span], Counter[str]]:
    result: list[Span] = []
    changed: Counter[str] = Counter()
    for span in spans:
        if span.label in merged_labels:
            changed[span.label] += 1
            span = dataclasses.replace(span, label=merged_labels[span.label])
        result.append(span)
    return result, changed


def warn_of_merged_labels(lost: Mapping[str, int], merged_labels: Mapping[str, str], report: ImportReport) -> None:
    for label, count in lost.items():
        report.source_warnings[LABEL_MERGED.with_params(label=label, other=merged_labels[label]).text()] += count


def annotation_rows(
    record: PairRecord,
    pair: Pair,
    existing: ExistingAnnotations,
    holder: Callable[[], Pair],
    context: AnnotationContext,
) -> AnnotationRows:
    """The assignments and annotations of a record that the project lacks; `holder` returns the pair they belong to."""
    rows, report = AnnotationRows(), context.report
    for item in record.annotations:
        context.on_annotation()
        status = _status(item)
        twin = existing.assignments.get(_assignment_key(pair, item))
        if twin is not None and hasattr(twin, "annotation"):
            report.annotations_known += 1
            if twin.annotation.spans != spans_document(item.spans):
                report.source_warnings[EXISTING_KEPT.text()] += 1
            continue
        if twin is not None and status == Status.OPEN:
            continue
        unfinished = status in (Status.OPEN, Status.STARTED)
        key = context.keys.get(item.annotator)
        if twin is None and unfinished and key is not None and context.references.has(key, pair):
            report.source_warnings[REFERENCE_SEEN.text()] += 1
            continue
        person = context.people[item.annotator]
        # Work finished before the import was done without highlights.
        assignment = Assignment(
            pair=holder(),
            annotator=person,
            phase=item.phase,
            round=item.round,
            order=context.orders[item.annotator],
            status=status,
            highlights_shown=unfinished and shows_highlights(pair.project, pair, person),
        )
        rows.assignments.append(assignment)
        if twin is not None:
            rows.twins.append((assignment, twin.pk))
        else:
            context.orders[item.annotator] += 1
        if status == Status.OPEN:
            continue
        if item.guideline is not None and item.guideline not in context.guidelines:
            report.source_warnings[NO_GUIDELINES.text()] += 1
        annotation = _annotation(pair, assignment, item, report)
        annotation.guideline = context.guidelines.get(item.guideline or 0)
        rows.annotations.append(annotation)
        report.annotations_new += 1
    return rows


def gold_rows(
    record: PairRecord, pair: Pair, existing: ExistingAnnotations, holder: Callable[[], Pair], report: ImportReport
) -> list[Annotation]:
    """The record's gold as version 0, if the pair has none of that version."""
    if record.gold is None:
        return []
    if pair.pk in existing.gold:
        report.gold_known += 1
        return []
    report.gold_new += 1
    report.gold_spans += len(record.gold)
    row = gold_row(version=IMPORTED, item=Gold(pair, record.gold, answers=record.gold_answers))
    row.pair = holder()
    return [row]


def revisions(annotations: Sequence[Annotation]) -> list[Revision]:
    """The first revision of each annotation that was written."""
    return [
        Revision(
            annotation=annotation,
            number=1,
            spans=annotation.spans,
            answers=annotation.answers,
            verdict=annotation.verdict,
            comment=annotation.comment,
        )
        for annotation in annotations
    ]


def aliases_of(records: Iterable[PairRecord]) -> list[str]:
    """Everyone named in the records, sorted by name: in this order they join a project."""
    return sorted({item.annotator for record in records for item in record.annotations}, key=natural_sort_key)


def better_preset(
    records: Iterable[PairRecord], scheme: Scheme, merged_labels: Mapping[str, str], lost: Set[str]
) -> str:
    """The name of a built-in scheme that has all labels and answers of the records.

    '' if nothing is lost under `scheme`: it has all labels but those in `merged_labels`, and new work has
    none of those (`lost`).
    """
    labels, answers = labels_and_answers(records)
    if not lost and labels <= {*scheme.keys, *merged_labels}:
        return ""
    return next((preset.name for preset in PRESETS.values() if scheme_covers(preset, labels, answers)), "")


def _assignment_key(pair: Pair, item: AnnotationRecord) -> AssignmentKey:
    return pair.pk, item.annotator, item.phase, item.round


def _status(item: AnnotationRecord) -> str:
    if item.status:
        return item.status
    if not item.verdict:
        return Status.STARTED
    return Status.SKIPPED if item.verdict == Verdict.SKIPPED else Status.DONE


def _annotation(pair: Pair, assignment: Assignment, item: AnnotationRecord, report: ImportReport) -> Annotation:
    a, b = pair.a.grid, pair.b.grid
    result = counts(item.spans, a, b)
    report.spans += result.spans
    report.broken += sum(not span.fragments for span in item.spans)
    grids = {"a": a, "b": b}
    distinct = (
        count_covered([part for span in item.spans for part in span.on(side)], grids[side].tokens) for side in SIDES
    )
    report.overlaps += result.tokens - sum(distinct)
    return Annotation(
        source=Source.HUMAN,
        pair=assignment.pair,
        assignment=assignment,
        revision=1,
        spans=spans_document(item.spans),
        answers=item.answers,
        verdict=item.verdict,
        reason=item.reason,
        comment=item.comment,
        active_seconds=item.active_seconds,
        span_count=result.spans,
        token_count=result.tokens,
        label_counts=result.labels,
    )
