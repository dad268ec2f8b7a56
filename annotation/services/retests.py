"""Re-tests: the same pair assigned to the same person once more, previewed before they are created."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, Assignment, Pair, Project
from annotation.models.lifecycle import ProjectEventType
from annotation.planning.retests import PastSubmission, RetestPlan, RetestSettings, make_retests
from annotation.selectors.assignments import rounds_of
from annotation.selectors.references import pairs_with_known_reference
from annotation.services.archive_check import changes_project
from annotation.services.assignments import shows_highlights
from annotation.services.audit_events import event_record


def retests_preview(
    *, project: Project, phase: str, annotators: Sequence[Annotator], settings: RetestSettings
) -> RetestPlan:
    """The re-tests that `annotators` would get in a phase. Writes nothing. Raises Invalid if there would be none.

    Nobody gets texts whose reference they know.
    """
    now, known = timezone.now(), pairs_with_known_reference(project)
    submissions = [
        PastSubmission(
            row.pair,
            row.annotator,
            row.round,
            (now - row.changed).total_seconds() / 86_400 if row.changed else 0.0,
            row.waiting,
        )
        for row in rounds_of(project, phase)
        if (row.annotator, row.pair) not in known
    ]
    plan = make_retests(submissions, sorted(annotator.pk for annotator in annotators), settings)
    if not plan.planned:
        raise Invalid(
            _("None of the selected people submitted anything that long ago."),
            code="retests",
            hint=_("Wait, choose a shorter interval, or select other people."),
        )
    return plan


@changes_project()
@transaction.atomic
def retests_create(
    *, project: Project, phase: str, annotators: Sequence[Annotator], settings: RetestSettings, digest: str
) -> RetestPlan:
    """Create the re-tests that were previewed under `digest`. They come after all of a person's other assignments.

    Each shows highlights if the first round did. Raises Conflict if work has changed since.
    """
    Project.objects.select_for_update().get(pk=project.pk)
    plan = retests_preview(project=project, phase=phase, annotators=annotators, settings=settings)
    if plan.digest != digest:
        raise Conflict(
            _("Submissions have changed since these pairs were shown."),
            code="retests",
            hint=_("Review the new selection."),
        )
    people = {person.pk: person for person in annotators}
    pairs = Pair.objects.only("external_id", "project_id").in_bulk({each.pair for each in plan.planned})
    last = dict(
        Assignment.objects.filter(annotator__in=people)
        .values_list("annotator_id")
        .annotate(last=Max("order"))
        .order_by()
    )
    Assignment.objects.bulk_create(
        [
            Assignment(
                pair=pairs[each.pair],
                annotator=people[each.annotator],
                phase=phase,
                round=each.round,
                order=last.get(each.annotator, -1) + 1 + each.order,
                highlights_shown=shows_highlights(project, pairs[each.pair], people[each.annotator]),
            )
            for each in plan.planned
        ],
        batch_size=500,
    )
    event_record(project=project, what=ProjectEventType.RETESTS, assignments=len(plan.planned))
    return plan
