"""Writes of what people make of a pair: save, hand in, reopen. Each writes whole or not at all, under a revision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.models import Annotation, Assignment, Pair, Revision, Source, Status, User, Verdict
from annotation.selectors.annotations import annotation_state
from annotation.selectors.assignments import FINISHED
from annotation.selectors.projects import guideline_current
from annotation.services.checks import (
    ValidWork,
    Work,
    check_can_reopen,
    check_can_submit,
    check_phase_open,
    check_still_assigned,
    validate_work,
)
from annotation.services.references import annotator_lock
from annotation.text.counts import Counts, counts
from annotation.text.spans import Span

Origins = Callable[[Sequence[Span], Annotation], Mapping[str, Any]]


def annotation_save(*, assignment: Assignment, by: User | None, base: int, work: Work) -> Annotation:
    """Keep `work` as the next revision after `base`, the revision the client began from.

    Raises Conflict (with the newer state) when there is a later revision that says something else, the work was
    handed in meanwhile or the pair reassigned; Invalid when scheme or texts forbid what was sent. Nothing changes
    then. Sending again what is there already is no conflict: a client whose answer was lost may repeat itself. A
    revision is made where spans, answers or comment change; ticks, dismissals and time are kept without one.
    """
    # Before the lock: on SQLite nobody else could save meanwhile.
    checked = validate_work(work, _with_texts(assignment.pair_id))
    with transaction.atomic():
        locked = _lock(assignment)
        check_still_assigned(locked)
        annotation = _current(locked)
        if annotation is not None and annotation.verdict:
            raise _submitted_conflict(annotation)
        check_phase_open(locked)
        if annotation is None:
            annotation = Annotation(source=Source.HUMAN, pair=locked.pair, assignment=locked)
        apply_work(annotation, by=by, base=base, checked=checked)
        if locked.status == Status.OPEN:
            locked.status = Status.STARTED
            locked.save(update_fields=["status"])
    return annotation


def apply_work(
    annotation: Annotation, *, by: User | None, base: int, checked: ValidWork, origins: Origins | None = None
) -> None:
    """Write checked work to an annotation (new or kept before, its row or what it hangs on held by the caller).

    `origins` names where the spans are from, given them and the annotation as it was; only gold has origins. Raises
    Conflict for a newer revision that says something else.
    """
    work = checked.work
    content = (checked.document, checked.answers, work.comment)
    same = content == (annotation.spans, annotation.answers, annotation.comment)
    if base != annotation.revision and not same:
        raise newer_revision_conflict(annotation)
    _apply_metadata(annotation, work, merge=base != annotation.revision)
    if annotation.pk is not None and same:
        annotation.save()
        return
    if origins is not None:
        annotation.provenance = dict(origins(checked.spans, annotation))
    annotation.spans, annotation.answers, annotation.comment = content
    annotation.guideline = guideline_current(annotation.pair.project)
    _set_counts(annotation, checked.counts)
    write_revision(annotation, by)


def annotation_submit(
    *, assignment: Assignment, by: User | None, base: int, verdict: str, reason: str = ""
) -> Assignment:
    """Hand in revision `base` with a verdict. A pair in which nothing was marked may be handed in unsaved (base 0).

    Raises Conflict when there is a newer revision; Invalid for an unknown verdict, a flag without a reason or a
    question without an answer; Forbidden where the project's limits or a closed phase are in the way. Handing in
    again with the same verdict changes nothing.
    """
    with transaction.atomic():
        locked = _lock(assignment)
        check_still_assigned(locked)
        annotation = _current(locked)
        if annotation is not None and annotation.verdict and annotation.verdict == verdict:
            return locked
        if annotation is None:
            annotation = Annotation(source=Source.HUMAN, pair=locked.pair, assignment=locked)
            annotation.guideline = guideline_current(locked.pair.project)
        if base != annotation.revision:
            raise newer_revision_conflict(annotation)
        if annotation.verdict:
            raise _submitted_conflict(annotation)
        check_phase_open(locked)
        check_can_submit(locked, annotation, verdict, reason)
        annotation.verdict, annotation.reason = verdict, reason
        write_revision(annotation, by)
        locked.status = Status.SKIPPED if verdict == Verdict.SKIPPED else Status.DONE
        locked.save(update_fields=["status"])
    return locked


def annotation_reopen(*, assignment: Assignment, by: User | None) -> Annotation:
    """Take submitted work back to go on with it. Conflict where it is not submitted.

    Forbidden once the phase is closed, and where there is a reference to copy: then the first submission counts.
    """
    with transaction.atomic():
        annotator_lock(assignment)
        locked = _lock(assignment)
        check_still_assigned(locked)
        annotation = _current(locked)
        if annotation is None or locked.status not in FINISHED:
            raise Conflict(_("This pair is not submitted."), code="not-handed-in", hint=_("Continue working on it."))
        check_phase_open(locked)
        check_can_reopen(locked)
        annotation.verdict, annotation.reason = Verdict.NONE, ""
        write_revision(annotation, by)
        locked.status = Status.STARTED
        locked.save(update_fields=["status"])
    return annotation


def annotation_reassign(*, assignment: Assignment, by: User | None, reason: str) -> Annotation:
    """End work that somebody had begun and somebody else was given: it is kept as it is, with the reason."""
    with transaction.atomic():
        locked = _lock(assignment)
        annotation = _current(locked)
        if annotation is None:
            annotation = Annotation(source=Source.HUMAN, pair=locked.pair, assignment=locked)
        annotation.verdict, annotation.reason = Verdict.SKIPPED, reason
        write_revision(annotation, by)
        locked.status = Status.REASSIGNED
        locked.save(update_fields=["status"])
    return annotation


def annotation_count(annotation: Annotation, spans: Sequence[Span]) -> None:
    """Set an annotation's counts to those of `spans`, for the caller to write in the same transaction."""
    _set_counts(annotation, counts(spans, annotation.pair.a.grid, annotation.pair.b.grid))


def _set_counts(annotation: Annotation, result: Counts) -> None:
    annotation.span_count, annotation.token_count, annotation.label_counts = result.spans, result.tokens, result.labels


def _with_texts(pair: int) -> Pair:
    """A pair with what its work is checked against. Texts never change, so that no lock is needed."""
    rows = Pair.objects.select_related("a", "b", "project")
    return rows.defer("a__sentences", "b__sentences", "metadata", "translations").get(pk=pair)


def _lock(assignment: Assignment) -> Assignment:
    """The assignment again, its row held until the transaction ends: two saves of one assignment queue."""
    return (
        Assignment.objects.select_for_update(of=("self",))
        .select_related("pair__project")
        .defer("pair__metadata", "pair__translations")
        .get(pk=assignment.pk)
    )


def _current(assignment: Assignment) -> Annotation | None:
    annotation = Annotation.objects.filter(assignment=assignment).first()
    if annotation is not None:
        annotation.pair = assignment.pair  # its project is read already
    return annotation


def write_revision(annotation: Annotation, by: User | None) -> None:
    """Save an annotation as its next revision, and keep that revision for good."""
    annotation.revision += 1
    annotation.save()
    Revision.objects.create(
        annotation=annotation,
        number=annotation.revision,
        spans=annotation.spans,
        answers=annotation.answers,
        verdict=annotation.verdict,
        comment=annotation.comment,
        made_by=by,
    )


def newer_revision_conflict(annotation: Annotation) -> Conflict:
    """The refusal that carries the newer work, so that whoever sent the older can be shown both."""
    return Conflict(
        _("A newer version was saved elsewhere."),
        where=_("revision %(number)s") % {"number": annotation.revision},
        hint=_("Review both versions and choose one."),
        # Of work that was never saved, a client may name any revision.
        payload={"annotation": annotation_state(annotation if annotation.pk else None)},
    )


def _submitted_conflict(annotation: Annotation) -> Conflict:
    return Conflict(
        _("This pair is submitted."),
        code="handed-in",
        where=_("revision %(number)s") % {"number": annotation.revision},
        hint=_("Reopen it to change it."),
    )


def _apply_metadata(annotation: Annotation, work: Work, *, merge: bool) -> None:
    """Ticks, what was put aside, and time. Time never goes back; from a stale tab, the others are only added to."""
    before = annotation.read_paragraphs if merge else {}
    annotation.read_paragraphs = {
        side: sorted({*work.read.get(side, ()), *before.get(side, ())}) for side in ("a", "b")
    }
    annotation.dismissed = sorted({*work.dismissed, *(annotation.dismissed if merge else ())})
    annotation.unmarked = sorted({*work.unmarked, *(annotation.unmarked if merge else ())})
    annotation.active_seconds = max(annotation.active_seconds, work.active_seconds)
