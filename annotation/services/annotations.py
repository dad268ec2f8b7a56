"""Writes of annotations: save, submit, reopen. Each writes everything or nothing, under a revision number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from annotation.cached_statements import PreparedQuery, row_insert, row_update
from annotation.errors import Conflict
from annotation.models import Annotation, Assignment, Pair, Revision, Source, Status, User, Verdict
from annotation.selectors.annotations import annotation_state
from annotation.selectors.assignments import no_assignment
from annotation.selectors.projects import guideline_current_key
from annotation.selectors.texts import texts_to_check
from annotation.services.accepted_suggestions import keep_true_predictions
from annotation.services.annotation_checks import (
    AnnotationInput,
    ValidAnnotation,
    check_can_reopen,
    check_can_submit,
    check_not_held,
    check_phase_open,
    check_still_assigned,
    recheck,
    validate_annotation,
)
from annotation.services.archive_check import check_loaded_not_archived
from annotation.services.highlights import dismissals_write
from annotation.services.qualification import advance_if_passed
from annotation.services.references import annotator_lock
from annotation.services.time import DAY_SECONDS, worktime_add
from annotation.services.webhook_events import submission_write
from annotation.text.span_counts import SpanCounts, counts
from annotation.text.spans import Span
from annotation.vocabulary import FINISHED, Phase

_OF_GOLD = ("feedback", "decided", "decided_by", "provenance")
"""What annotators' work has nothing of, and a save of it neither reads nor writes."""
Origins = Callable[[Sequence[Span], Annotation], Mapping[str, Any]]


def annotation_save(*, assignment: Assignment, by: User | None, base: int, sent: AnnotationInput) -> Annotation:
    """Save what was `sent` as the next revision after `base`, the revision that the client started from.

    Raises Conflict (with the newer state) if a later revision has other content, the work was submitted in the meantime
    or the pair was reassigned; Invalid if scheme or texts forbid it. Then nothing is changed. Sending what
    is already saved is no conflict: a client that lost the response may repeat the request. A revision is created if
    spans, answers or comment change; ticks, dismissals and time are saved without one.
    """
    # Before the lock: on SQLite nobody else could save in the meantime.
    checked = validate_annotation(sent, _with_texts(assignment))
    with transaction.atomic():
        locked, guideline = _lock(assignment)
        check_still_assigned(locked)
        checked = recheck(checked, assignment.annotator.project, lambda: _with_texts(assignment))
        annotation = _current(locked)
        if annotation is not None and annotation.verdict:
            raise _submitted_conflict(annotation)
        check_phase_open(locked)
        check_not_held(locked, assignment.annotator)
        if annotation is None:
            annotation = Annotation(source=Source.HUMAN, pair=locked.pair, assignment=locked)
        seconds = annotation.active_seconds
        # A page counts it, but whoever sends a save can claim any: of one save, a day counts at most.
        if checked.sent.active_seconds > seconds + DAY_SECONDS:
            checked = replace(checked, sent=replace(checked.sent, active_seconds=seconds + DAY_SECONDS))
        apply_annotation_input(annotation, by=by, base=base, checked=checked, guideline=guideline)
        worktime_add(annotator=locked.annotator_id, phase=locked.phase, seconds=annotation.active_seconds - seconds)
        if locked.status == Status.OPEN:
            locked.status = Status.STARTED
            locked.save(update_fields=["status"])
    return annotation


def apply_annotation_input(
    annotation: Annotation,
    *,
    by: User | None,
    base: int,
    checked: ValidAnnotation,
    guideline: int | None,
    origins: Origins | None = None,
) -> None:
    """Write a checked input to a new or existing annotation; the caller holds a lock on its row or its assignment.

    `guideline` is the key of the project's current guidelines. `origins` returns the origins of spans, given the spans
    and the previous annotation; only gold has origins. Raises Conflict for a newer revision with other content.
    """
    sent = checked.sent
    checked = keep_true_predictions(checked, annotation)
    content = (checked.spans_document, checked.answers, sent.comment, sorted({*sent.unmarked}))
    # An annotation that was never saved has no newer revision to compare with.
    same = annotation.pk is not None and content == (
        annotation.spans,
        annotation.answers,
        annotation.comment,
        annotation.unmarked,
    )
    if base != annotation.revision and not same:
        raise newer_revision_conflict(annotation)
    dismissed = annotation.dismissed
    _apply_metadata(annotation, sent, merge=base != annotation.revision)
    if same:
        row_update(annotation)
        if annotation.dismissed != dismissed:
            dismissals_write(annotation)
        return
    if origins is not None:
        annotation.provenance = dict(origins(checked.spans, annotation))
    annotation.spans, annotation.answers, annotation.comment, annotation.unmarked = content
    annotation.guideline_id = guideline
    _set_counts(annotation, checked.counts)
    write_revision(annotation, by)
    if annotation.dismissed != dismissed:
        dismissals_write(annotation)


def annotation_submit(
    *, assignment: Assignment, by: User | None, base: int, verdict: str, reason: str = ""
) -> Assignment:
    """Submit revision `base` with a verdict. A pair in which nothing was marked may be submitted without a save (base
    0).

    Raises Conflict if there is a newer revision; Invalid for an unknown verdict, a flag without a reason or an
    unanswered question; Forbidden if the project's limits or a closed phase do not allow it. Submitting again with the
    same verdict changes nothing.
    """
    with transaction.atomic():
        if assignment.phase == Phase.QUALIFICATION:
            # Before the assignment's row, as reopening and decisions of leads do. Whatever the pass rule was when the
            # pair was opened: a new one waits for this submission, or this submission for it.
            annotator_lock(assignment)
        locked, guideline = _lock(assignment)
        check_still_assigned(locked)
        annotation = _current(locked)
        if annotation is not None and annotation.verdict and annotation.verdict == verdict:
            return locked
        check_loaded_not_archived(locked.pair.project)
        if annotation is None:
            annotation = Annotation(source=Source.HUMAN, pair=locked.pair, assignment=locked)
        if base != annotation.revision:
            raise newer_revision_conflict(annotation)
        if annotation.verdict:
            raise _submitted_conflict(annotation)
        check_phase_open(locked)
        check_not_held(locked, assignment.annotator)
        check_can_submit(locked, annotation, verdict, reason)
        annotation.verdict, annotation.reason = verdict, reason
        # Whoever submits says that it is so under the guidelines of now, even if nothing had to be changed.
        annotation.guideline_id = guideline
        write_revision(annotation, by)
        locked.status = Status.SKIPPED if verdict == Verdict.SKIPPED else Status.DONE
        locked.save(update_fields=["status"])
        submission_write(assignment=locked, annotation=annotation, project=assignment.annotator.project)
        if assignment.phase == Phase.QUALIFICATION:
            advance_if_passed(annotator=assignment.annotator)
    return locked


def annotation_reopen(*, assignment: Assignment, by: User | None) -> Annotation:
    """Reopen a submitted annotation. Raises Conflict if it is not submitted.

    Forbidden once the phase is closed, and if there is a reference to copy: then the first submission counts.
    """
    with transaction.atomic():
        annotator_lock(assignment)
        locked, _guideline = _lock(assignment)
        check_loaded_not_archived(locked.pair.project)
        check_still_assigned(locked)
        annotation = _current(locked)
        if annotation is None or locked.status not in FINISHED:
            raise Conflict(_("This pair is not submitted."), code="not-submitted", hint=_("Continue working on it."))
        check_phase_open(locked)
        check_can_reopen(locked)
        annotation.verdict, annotation.reason = Verdict.NONE, ""
        write_revision(annotation, by)
        locked.status = Status.STARTED
        locked.save(update_fields=["status"])
    return annotation


def annotation_reassign(*, assignment: Assignment, by: User | None, reason: str) -> Annotation:
    """End started work whose pair was reassigned: it is kept unchanged, with the reason."""
    with transaction.atomic():
        locked, _guideline = _lock(assignment)
        annotation = _current(locked)
        if annotation is None:
            annotation = Annotation(source=Source.HUMAN, pair=locked.pair, assignment=locked)
        annotation.verdict, annotation.reason = Verdict.SKIPPED, reason
        write_revision(annotation, by)
        locked.status = Status.REASSIGNED
        locked.save(update_fields=["status"])
    return annotation


def annotation_count(annotation: Annotation, spans: Sequence[Span]) -> None:
    """Set an annotation's counts to those of `spans`; the caller saves them in the same transaction."""
    _set_counts(annotation, counts(spans, annotation.pair.a.grid, annotation.pair.b.grid))


def _set_counts(annotation: Annotation, result: SpanCounts) -> None:
    annotation.span_count, annotation.token_count, annotation.label_counts = result.spans, result.tokens, result.labels


def _with_texts(assignment: Assignment) -> Pair:
    """A pair with everything that its work is checked against. Texts never change, so no lock is needed."""
    a, b = texts_to_check(assignment.pair)
    # The project was loaded when permission was checked.
    return Pair(pk=assignment.pair_id, project=assignment.annotator.project, a=a, b=b)


def _lock(assignment: Assignment) -> tuple[Assignment, int | None]:
    """The assignment, read again and locked until the end of the transaction: two saves of one assignment wait.

    Also the key of the project's current guidelines.
    """
    locked: Any = _LOCKED.first(pk=assignment.pk)
    if locked is None:
        raise no_assignment(assignment.pk)  # it was deleted a moment ago
    return locked, locked.guideline


_OF_PROJECT = ("project__settings", "project__archived", "project__name")


def _to_lock(pk: int) -> QuerySet[Assignment]:
    rows = Assignment.objects.filter(pk=pk).select_for_update(of=("self",)).select_related("pair__project").order_by()
    pair = ("external_id", "project_id", "a_id", "b_id", "mirror_id", *_OF_PROJECT)
    own = ("pair_id", "annotator_id", "phase", "round", "order", "status")
    rows = rows.only(*own, *(f"pair__{column}" for column in pair))
    return rows.annotate(guideline=Subquery(guideline_current_key(OuterRef("pair__project"))[:1]))


_LOCKED: PreparedQuery[Assignment] = PreparedQuery(_to_lock, pk=int)


def _current(assignment: Assignment) -> Annotation | None:
    annotation = _CURRENT.first(assignment=assignment.pk)
    if annotation is not None:
        annotation.pair = assignment.pair  # its project is loaded already
    return annotation


_CURRENT: PreparedQuery[Annotation] = PreparedQuery(
    lambda assignment: Annotation.objects.filter(assignment=assignment).defer(*_OF_GOLD).order_by(), assignment=int
)


def write_revision(annotation: Annotation, by: User | None) -> None:
    """Save an annotation as its next revision, and a permanent copy of that revision."""
    annotation.revision += 1
    if annotation._state.adding:
        annotation.save()
    else:
        row_update(annotation)
    row_insert(
        Revision(
            annotation=annotation,
            number=annotation.revision,
            spans=annotation.spans,
            answers=annotation.answers,
            verdict=annotation.verdict,
            comment=annotation.comment,
            made_by=by,
        )
    )


def newer_revision_conflict(annotation: Annotation) -> Conflict:
    """The error with the newer work, so that the client can show both versions."""
    return Conflict(
        _("A newer version was saved elsewhere."),
        where=_("revision %(number)s") % {"number": annotation.revision},
        hint=_("Review both versions and choose one."),
        # A client may name any revision of work that was never saved.
        payload={"annotation": annotation_state(annotation if annotation.pk else None)},
    )


def _submitted_conflict(annotation: Annotation) -> Conflict:
    return Conflict(
        _("This pair is submitted."),
        code="submitted",
        where=_("revision %(number)s") % {"number": annotation.revision},
        hint=_("Reopen it to change it."),
    )


def _apply_metadata(annotation: Annotation, sent: AnnotationInput, *, merge: bool) -> None:
    """Update ticks, dismissals and time. Time never decreases; an outdated tab only adds ticks and dismissals."""
    before = annotation.read_paragraphs if merge else {}
    annotation.read_paragraphs = {
        side: sorted({*sent.read.get(side, ()), *before.get(side, ())}) for side in ("a", "b")
    }
    annotation.dismissed = sorted({*sent.dismissed, *(annotation.dismissed if merge else ())})
    annotation.active_seconds = max(annotation.active_seconds, sent.active_seconds)
