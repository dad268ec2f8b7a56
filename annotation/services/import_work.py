"""The people's side of an import: annotators, their assignments and annotations, and gold that came along."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence

from django.db.models import Max

from annotation.formats.record import AnnotationRecord, PairRecord, Rejection
from annotation.models import Annotation, Annotator, Assignment, Guideline, Pair, Project, Revision, Source, Status
from annotation.services.assignments import shows_highlights
from annotation.services.gold import IMPORTED, Gold, gold_write_many
from annotation.services.import_report import ImportReport
from annotation.services.texts import BATCH
from annotation.text.counts import counts
from annotation.text.schemes import SIDES, Scheme
from annotation.text.spans import Span, check, covered, document

Place = tuple[int, int, str, int]


def fold_labels(records: Sequence[PairRecord], scheme: Scheme, folds: Mapping[str, str], report: ImportReport) -> None:
    """Read labels that the project's scheme has not as the ones the format says they may be read as; count them."""
    folds = {label: to for label, to in folds.items() if label not in scheme.keys and to in scheme.keys}
    if not folds:
        return
    for record in records:
        for annotation in record.annotations:
            annotation.spans = _folded(annotation.spans, folds, report)
        if record.gold is not None:
            record.gold = _folded(record.gold, folds, report)


def _folded(spans: Sequence[Span], folds: Mapping[str, str], report: ImportReport) -> list[Span]:
    result = []
    for span in spans:
        if span.label in folds:
            to = folds[span.label]
            report.oddities[f"spans labelled {span.label}, read as {to}: the scheme has no such label"] += 1
            span = dataclasses.replace(span, label=to)
        result.append(span)
    return result


def work_problems(records: Sequence[PairRecord], pairs: Mapping[str, Pair], scheme: Scheme) -> list[Rejection]:
    """Everything in the records' spans and answers that labels, sides or texts forbid."""
    questions = {question.key: {choice.key for choice in question.choices} for question in scheme.questions}
    rejections: list[Rejection] = []
    for record in records:
        pair = pairs[record.id]
        sources = [(f"annotations of '{item.annotator}'", item.spans) for item in record.annotations]
        sources.append(("gold", record.gold or []))
        for name, spans in sources:
            problems = check(spans, scheme, pair.a.grid, pair.b.grid, imported=True)
            for index, span in enumerate(spans):
                wrong = [side for side in span.sides if side not in scheme.sides]
                problems.extend(f"spans[{index}]: the scheme does not mark side {side}" for side in wrong)
            rejections.extend(Rejection(record.where, f"pair '{record.id}', {name}, {item}") for item in problems)
        for answers in (*(item.answers for item in record.annotations), record.gold_answers):
            for key, choice in answers.items():
                if choice not in questions.get(key, ()):
                    reason = f"pair '{record.id}', answer {key}: {choice!r} is no answer that the scheme knows"
                    rejections.append(Rejection(record.where, reason))
    return rejections


def import_work(
    project: Project, records: Sequence[PairRecord], pairs: Mapping[str, Pair], report: ImportReport
) -> None:
    """Make annotators, assignments and annotations that are not there yet; what is there stays as it is."""
    people = _people(project, records, report)
    there = _assignments(project)
    guidelines = {guideline.version: guideline for guideline in Guideline.objects.filter(project=project)}
    last = Assignment.objects.filter(annotator__project=project).values_list("annotator").annotate(last=Max("order"))
    order: Counter[int] = Counter({pk: highest + 1 for pk, highest in last.order_by()})
    assignments: list[Assignment] = []
    annotations: list[Annotation] = []
    for record in records:
        pair = pairs[record.id]
        for item in record.annotations:
            person = people[item.annotator]
            assignment = there.get((pair.pk, person.pk, item.phase, item.round))
            if assignment is None:
                assignment = _assignment(pair, person, item, order[person.pk])
                order[person.pk] += 1
                assignments.append(assignment)
            elif hasattr(assignment, "annotation"):
                report.annotations_known += 1
                if assignment.annotation.spans != document(item.spans):
                    report.oddities["annotations that differ from the project's own, which are kept"] += 1
                continue
            elif _status(item) != Status.OPEN:
                assignment.status = _status(item)
                assignment.save(update_fields=["status"])
            if _status(item) == Status.OPEN:
                continue
            if item.guideline is not None and item.guideline not in guidelines:
                report.oddities["annotations by a version of the guidelines that the project has not"] += 1
            annotation = _annotation(pair, assignment, item, report)
            annotation.guideline = guidelines.get(item.guideline or 0)
            annotations.append(annotation)
    Assignment.objects.bulk_create(assignments, batch_size=BATCH)
    Annotation.objects.bulk_create(annotations, batch_size=BATCH)
    Revision.objects.bulk_create([_revision(annotation) for annotation in annotations], batch_size=BATCH)
    report.annotations_new += len(annotations)


def import_gold(records: Sequence[PairRecord], pairs: Mapping[str, Pair], report: ImportReport) -> None:
    """Keep the records' gold as version 0, where a pair has none of that version."""
    project = next((pair.project_id for pair in pairs.values()), None)
    rows = Annotation.objects.filter(source=Source.GOLD, gold_version=IMPORTED, pair__project=project)
    there = set(rows.values_list("pair", flat=True))
    given = [record for record in records if record.gold is not None]
    new = [record for record in given if pairs[record.id].pk not in there]
    items = [Gold(pairs[record.id], record.gold or [], answers=record.gold_answers) for record in new]
    gold_write_many(version=IMPORTED, items=items)
    report.gold_new, report.gold_known = len(new), len(given) - len(new)
    report.gold_spans = sum(len(item.spans) for item in items)


def _people(project: Project, records: Sequence[PairRecord], report: ImportReport) -> dict[str, Annotator]:
    """Annotators by alias; those who are not there are made without a log-in, in the order of their names."""
    people = {person.alias: person for person in Annotator.objects.filter(project=project)}
    for alias in sorted({item.annotator for record in records for item in record.annotations} - set(people)):
        people[alias] = Annotator.objects.create(project=project, alias=alias)
        report.annotators_new.append(alias)
    return people


def _assignments(project: Project) -> dict[Place, Assignment]:
    found = Assignment.objects.filter(pair__project=project).select_related("annotation")
    return {(item.pair_id, item.annotator_id, item.phase, item.round): item for item in found}


def _status(item: AnnotationRecord) -> str:
    if item.status:
        return item.status
    if not item.verdict:
        return Status.STARTED
    return Status.SKIPPED if item.verdict == "skipped" else Status.DONE


def _assignment(pair: Pair, person: Annotator, item: AnnotationRecord, order: int) -> Assignment:
    status = _status(item)
    # Nobody saw highlights on work that was finished before it came here.
    shown = status in (Status.OPEN, Status.STARTED) and shows_highlights(pair.project, pair, person)
    return Assignment(
        pair=pair,
        annotator=person,
        phase=item.phase,
        round=item.round,
        order=order,
        status=status,
        highlights_shown=shown,
    )


def _annotation(pair: Pair, assignment: Assignment, item: AnnotationRecord, report: ImportReport) -> Annotation:
    a, b = pair.a.grid, pair.b.grid
    result = counts(item.spans, a, b)
    report.spans += result.spans
    report.broken += sum(not span.fragments for span in item.spans)
    grids = {"a": a, "b": b}
    distinct = (covered([part for span in item.spans for part in span.on(side)], grids[side].tokens) for side in SIDES)
    report.overlaps += result.tokens - sum(map(len, distinct))
    return Annotation(
        source=Source.HUMAN,
        pair=pair,
        assignment=assignment,
        revision=1,
        spans=document(item.spans),
        answers=item.answers,
        verdict=item.verdict,
        reason=item.reason,
        comment=item.comment,
        active_seconds=item.active_seconds,
        span_count=result.spans,
        token_count=result.tokens,
        label_counts=result.labels,
    )


def _revision(annotation: Annotation) -> Revision:
    return Revision(
        annotation=annotation,
        number=1,
        spans=annotation.spans,
        answers=annotation.answers,
        verdict=annotation.verdict,
        comment=annotation.comment,
    )
