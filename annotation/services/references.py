"""Writes about references: a record that someone was shown one, after which they can't reopen their answer."""

from __future__ import annotations

from django.db import transaction

from annotation.models import Annotation, Annotator, Assignment, Project, ReferenceView, User
from annotation.selectors.references import ShownPairs, is_reference_withheld, reference_of, references_unrecorded


def reference_show(*, assignment: Assignment, by: User) -> Annotation | None:
    """The reference to show `by` with an assignment, or None; showing it is recorded.

    Its annotator is not shown it while the same texts are still assigned to them elsewhere (the mirror, a re-test,
    another phase).
    """
    gold = reference_of(assignment)
    if gold is None:
        return None
    if assignment.annotator.user_id != by.pk:
        references_record(project=assignment.annotator.project, pairs=[assignment.pair_id], by=by)
        return gold
    with transaction.atomic():
        annotator_lock(assignment)
        fresh = Assignment.objects.select_related("pair", "annotator").get(pk=assignment.pk)
        gold = None if is_reference_withheld(fresh) else reference_of(fresh)
        if gold is not None:
            _record(fresh)
    return gold


@transaction.atomic
def reference_record(*, assignment: Assignment, by: User) -> None:
    """Record that `by` is shown the gold of their own assignment on another page."""
    if assignment.annotator.user_id == by.pk:
        annotator_lock(assignment)
        _record(assignment)


def references_record(*, project: Project, pairs: ShownPairs, by: User) -> None:
    """Record that `by`, a lead or adjudicator, is shown the gold of `pairs`.

    Only for texts in their own assignments: having seen the gold, they can't reopen those.
    """
    if not references_unrecorded(project, by, pairs):
        return  # the usual case
    with transaction.atomic():
        unrecorded = references_unrecorded(project, by, pairs)
        list(Annotator.objects.select_for_update().filter(pk__in={annotator for annotator, _pair in unrecorded}))
        rows = [ReferenceView(annotator_id=annotator, pair_id=pair) for annotator, pair in sorted(unrecorded)]
        ReferenceView.objects.bulk_create(rows, ignore_conflicts=True)


def annotator_lock(assignment: Assignment) -> None:
    """Lock the row of an assignment's annotator until the end of the transaction.

    Then showing a reference and reopening a pair, which may be two assignments of one person, wait for each other.
    """
    Annotator.objects.select_for_update().get(pk=assignment.annotator_id)


def _record(assignment: Assignment) -> None:
    ReferenceView.objects.get_or_create(annotator_id=assignment.annotator_id, pair_id=assignment.pair_id)
