"""Changes of a plan: previewed before they are applied, and applied unchanged; nothing that was started is touched."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.models import Annotator, Assignment, Pair, Project
from annotation.models.lifecycle import ProjectEventType
from annotation.planning.changes import PlanChange, change_plan, current_settings
from annotation.planning.plans import PlanError, PlanSettings
from annotation.selectors.reading_languages import pair_readers
from annotation.selectors.references import pairs_with_known_reference
from annotation.services.archive_check import changes_project
from annotation.services.assignments import assignments_lock, shows_highlights
from annotation.services.audit_events import event_record
from annotation.services.plans import existing_assignments, plan_changed, plan_pairs, plan_refusal
from annotation.vocabulary import Status

BATCH = 500


def current_plan_settings(*, project: Project) -> PlanSettings:
    """The settings that come nearest to a project's assignments, from which a change begins."""
    return current_settings(plan_pairs(project), existing_assignments(project))


def plan_change_preview(*, project: Project, annotators: Sequence[Annotator], settings: PlanSettings) -> PlanChange:
    """What would change. Writes nothing. Raises Invalid if there are not enough pairs or people for the settings."""
    try:
        return change_plan(
            plan_pairs(project),
            existing_assignments(project),
            sorted(annotator.pk for annotator in annotators),
            settings,
            pair_readers(project),
            pairs_with_known_reference(project),
        )
    except PlanError as error:
        raise plan_refusal(error) from error


@changes_project()
@transaction.atomic
def plan_change_apply(
    *, project: Project, annotators: Sequence[Annotator], settings: PlanSettings, digest: str
) -> PlanChange:
    """Apply the change that was previewed under `digest`.

    Raises Conflict if pairs or people have changed since, or if someone has started one of the pairs.
    """
    Project.objects.select_for_update().get(pk=project.pk)
    assignments_lock(project, Assignment.objects.filter(annotator__project=project, status=Status.OPEN))
    change = plan_change_preview(project=project, annotators=annotators, settings=settings)
    if change.digest != digest:
        raise plan_changed()
    if not change.withdrawn and not change.planned:
        raise Conflict(
            _("The assignments already match this plan."), code="plan", hint=_("Change a number or a person.")
        )
    _write(project, change)
    phases = dict(sorted(Counter(str(each.phase) for each in change.planned).items()))
    new, gone = len(change.planned), len(change.withdrawn)
    event_record(project=project, what=ProjectEventType.REPLANNED, assignments=new, withdrawn=gone, phases=phases)
    return change


def _write(project: Project, change: PlanChange) -> None:
    people = {person.pk: person for person in Annotator.objects.filter(project=project)}
    orders = _orders(change)
    for start in range(0, len(change.withdrawn), BATCH):
        Assignment.objects.filter(pk__in=change.withdrawn[start : start + BATCH]).delete()
    assignments = list(Assignment.objects.in_bulk(list(change.positions)).values())
    for row in assignments:
        row.order = orders[row.annotator_id][change.positions[row.pk]]
    Assignment.objects.bulk_update(assignments, ["order"], batch_size=BATCH)
    pair_keys = {each.pair for each in change.planned}
    pairs = Pair.objects.filter(project=project).only("external_id", "project_id").in_bulk(pair_keys)
    rows = [
        Assignment(
            pair=pairs[each.pair],
            annotator=people[each.annotator],
            phase=each.phase,
            order=orders[each.annotator][each.order],
            highlights_shown=shows_highlights(project, pairs[each.pair], people[each.annotator]),
        )
        for each in change.planned
    ]
    Assignment.objects.bulk_create(rows, batch_size=BATCH)


def _orders(change: PlanChange) -> dict[int, list[int]]:
    """By person who gets something new, the orders of their pairs not started: those they have, then the next."""
    people = {each.annotator for each in change.planned}
    assignments = Assignment.objects.filter(annotator__in=people).order_by()
    own: dict[int, list[int]] = defaultdict(list)
    for person, order in assignments.filter(status=Status.OPEN, round=0, threads=None).values_list(
        "annotator_id", "order"
    ):
        own[person].append(order)
    last = dict(assignments.values_list("annotator_id").annotate(last=Max("order")))
    new = Counter(each.annotator for each in change.planned)
    orders = {}
    for person in people:
        free, after = sorted(set(own[person])), last.get(person, -1) + 1
        more = len(own[person]) + new[person] - len(free)
        orders[person] = [*free, *range(after, after + more)]
    return orders
