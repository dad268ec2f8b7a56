"""Writes of assignments: create, reassign, and update which of them show highlights."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, QuerySet

from annotation.models import Annotator, Assignment, Pair, Project, Status
from annotation.models.messages import Thread
from annotation.models.qualification import QualificationStep
from annotation.planning.plans import PlannedAssignment, highlights_shown
from annotation.selectors.projects import options_of
from annotation.selectors.references import pairs_with_known_reference


def shows_highlights(project: Project, pair: Pair, annotator: Annotator) -> bool:
    """Whether this person sees highlights on this pair: determined by their names and the project's share."""
    share = options_of(project).highlights_share
    return highlights_shown(f"{project.slug}/{pair.external_id}", annotator.alias, share)


@transaction.atomic
def assignments_create(
    *, project: Project, planned: Sequence[PlannedAssignment], retry: QualificationStep | None = None
) -> int:
    """Create the planned assignments, after those that each person has; returns how many were created.

    `retry`: the decision that assigns them, if it is one that can be undone.

    Existing assignments in the same phase are left as they are, and nobody gets texts whose reference they know.
    """
    # Nobody else, and in one order: two leads may assign pairs to different people, or to the same ones, at once.
    locked = Annotator.objects.select_for_update().filter(project=project, pk__in={each.annotator for each in planned})
    people = {person.pk: person for person in locked.order_by("pk")}
    pairs = (
        Pair.objects.filter(project=project).only("external_id", "project_id").in_bulk({each.pair for each in planned})
    )
    existing = set(
        Assignment.objects.filter(pair__project=project, round=0).values_list("pair_id", "annotator_id", "phase")
    )
    last = dict(
        Assignment.objects.filter(annotator__project=project)
        .values_list("annotator_id")
        .annotate(last=Max("order"))
        .order_by()
    )
    known = pairs_with_known_reference(project)
    rows = [
        Assignment(
            pair=pairs[each.pair],
            annotator=people[each.annotator],
            phase=each.phase,
            order=last.get(each.annotator, -1) + 1 + each.order,
            retry=retry,
            highlights_shown=shows_highlights(project, pairs[each.pair], people[each.annotator]),
        )
        for each in planned
        if (each.pair, each.annotator, each.phase) not in existing and (each.annotator, each.pair) not in known
    ]
    Assignment.objects.bulk_create(rows, batch_size=500)
    return len(rows)


def assignments_lock(project: Project, assignments: QuerySet[Assignment]) -> None:
    """Lock a project's people, then some of its assignments: nothing is started or submitted before the caller writes.

    The order is that of a save and of a reopening.
    """
    list(Annotator.objects.select_for_update().filter(project=project).order_by("pk"))
    list(assignments.select_for_update().order_by("pk"))


@transaction.atomic
def assignments_move(*, project: Project, ids: Sequence[int], to: Annotator) -> int:
    """Reassign assignments that were not started, in the order of `ids`; returns how many were moved.

    An assignment that was started in the meantime is not moved, nor one with messages, which are for its annotator, nor
    one whose reference the other person knows.
    """
    free = Assignment.objects.filter(pair__project=project, status=Status.OPEN)
    discussed = Thread.objects.filter(assignment=OuterRef("pk"))
    rows = free.exclude(Exists(discussed)).select_for_update().in_bulk(ids)
    last = Assignment.objects.filter(annotator=to).aggregate(last=Max("order"))["last"]
    order = -1 if last is None else last
    known = pairs_with_known_reference(project)
    moved = [rows[pk] for pk in ids if pk in rows and (to.pk, rows[pk].pair_id) not in known]
    pairs = Pair.objects.only("external_id", "project_id").in_bulk({row.pair_id for row in moved})
    for row in moved:
        order += 1
        row.annotator, row.order = to, order
        row.highlights_shown = shows_highlights(project, pairs[row.pair_id], to)
    Assignment.objects.bulk_update(moved, ["annotator", "order", "highlights_shown"], batch_size=500)
    return len(moved)


@transaction.atomic
def assignments_refresh_highlights(*, project: Project) -> int:
    """Update assignments that were not started to the project's current share; returns how many changed.

    Started ones keep what their annotator saw, because the effect of highlights is computed from it.
    """
    rows = Assignment.objects.select_for_update().filter(pair__project=project, status=Status.OPEN)
    changed = []
    for row in rows.select_related("pair", "annotator").defer("pair__metadata", "pair__translations"):
        shown = shows_highlights(project, row.pair, row.annotator)
        if shown != row.highlights_shown:
            row.highlights_shown = shown
            changed.append(row)
    Assignment.objects.bulk_update(changed, ["highlights_shown"], batch_size=500)
    return len(changed)
