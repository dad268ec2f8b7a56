"""Writes about references: that somebody was shown one, after which they can't take their answer back."""

from __future__ import annotations

from django.db import transaction

from annotation.models import Annotation, Annotator, Assignment, ReferenceView, User
from annotation.selectors.references import reference_of, reference_waits


def reference_show(*, assignment: Assignment, by: User) -> Annotation | None:
    """The reference that `by` is shown beside an assignment, None for none; for its annotator this is written down.

    Its annotator is not shown it while the same texts wait for them elsewhere (the mirror, a re-test, another phase).
    """
    gold = reference_of(assignment)
    if gold is None or assignment.annotator.user_id != by.pk:
        return gold
    with transaction.atomic():
        annotator_lock(assignment)
        held = Assignment.objects.select_related("pair", "annotator").get(pk=assignment.pk)
        gold = None if reference_waits(held) else reference_of(held)
        if gold is not None:
            _record(held)
    return gold


@transaction.atomic
def reference_record(*, assignment: Assignment, by: User) -> None:
    """Write down that `by` is shown the gold of their own assignment on another page."""
    if assignment.annotator.user_id == by.pk:
        annotator_lock(assignment)
        _record(assignment)


def annotator_lock(assignment: Assignment) -> None:
    """Hold the place of an assignment's person until the transaction ends.

    Of showing a reference and reopening a pair, which may be two assignments of one person, one waits for the other.
    """
    Annotator.objects.select_for_update().get(pk=assignment.annotator_id)


def _record(assignment: Assignment) -> None:
    ReferenceView.objects.get_or_create(annotator_id=assignment.annotator_id, pair_id=assignment.pair_id)
