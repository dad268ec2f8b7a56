"""Plans: previewed before they are applied, and applied unchanged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, Pair, Project
from annotation.models.lifecycle import ProjectEventType
from annotation.models.messages import Thread
from annotation.planning.plans import (
    ExistingAssignment,
    Plan,
    PlanError,
    PlannedAssignment,
    PlanPair,
    PlanSettings,
    make_plan,
    units,
)
from annotation.reading_languages import unreadable_languages
from annotation.selectors.pairs import assigned_pairs, pairs_with_gold
from annotation.selectors.projects import options_of
from annotation.selectors.reading_languages import pair_languages, pair_readers, skills_by_annotator
from annotation.selectors.references import pairs_with_known_reference
from annotation.services.archive_check import changes_project
from annotation.services.assignments import assignments_create
from annotation.services.audit_events import event_record
from annotation.vocabulary import Phase, Status


def plan_preview(*, project: Project, annotators: Sequence[Annotator], settings: PlanSettings) -> Plan:
    """The plan for the unassigned pairs. Writes nothing. Raises Invalid if no such plan is possible."""
    pairs = _unassigned(project)
    if not pairs:
        raise Invalid(
            _("All pairs in this project are already assigned."),
            code="plan",
            hint=_("Import more pairs, or add people on the People page."),
        )
    try:
        plan = make_plan(
            pairs, sorted(annotator.pk for annotator in annotators), settings, pair_readers(project), _barred(project)
        )
    except PlanError as error:
        raise plan_refusal(error) from error
    if not plan.planned and plan.unassignable:
        raise Invalid(
            _("None of the selected people may annotate these pairs."),
            code="plan",
            where="people",
            hint=_(
                "Either they don't read the languages, or they have seen the reference, "
                "or these pairs were reassigned from them."
            ),
        )
    return plan


@changes_project()
@transaction.atomic
def plan_apply(*, project: Project, annotators: Sequence[Annotator], settings: PlanSettings, digest: str) -> Plan:
    """Apply the plan that was previewed under `digest`. Raises Conflict if pairs or people have changed since."""
    Project.objects.select_for_update().get(pk=project.pk)
    plan = plan_preview(project=project, annotators=annotators, settings=settings)
    if plan.digest != digest:
        raise plan_changed()
    created = assignments_create(project=project, planned=plan.planned)
    phases = Counter(str(each.phase) for each in plan.planned)
    event_record(
        project=project, what=ProjectEventType.PLANNED, assignments=created, phases=dict(sorted(phases.items()))
    )
    return plan


def plan_changed() -> Conflict:
    """A plan that is no longer what was shown."""
    return Conflict(
        _("Pairs, people or assignments have changed since this plan was shown."),
        code="plan",
        hint=_("Review the new plan."),
    )


@dataclass(frozen=True, slots=True)
class UnreadablePairs:
    """Planned pairs in languages that a person does not read well enough: how many, and the languages."""

    annotator: Annotator
    pairs: int
    languages: list[str]


def plan_unreadable_pairs(
    *, project: Project, annotators: Sequence[Annotator], planned: Sequence[PlannedAssignment]
) -> list[UnreadablePairs]:
    """Who would get pairs in languages that they don't read, in the order of `annotators`."""
    languages, skills = pair_languages(project), skills_by_annotator(project)
    minimum = options_of(project).reading_level
    unreadable = []
    for person in annotators:
        lacking = [
            missing
            for each in planned
            if each.annotator == person.pk
            and (missing := unreadable_languages(skills.get(person.pk, {}), languages[each.pair], minimum))
        ]
        if lacking:
            unreadable.append(UnreadablePairs(person, len(lacking), sorted({tag for tags in lacking for tag in tags})))
    return unreadable


def _unassigned(project: Project) -> list[PlanPair]:
    assigned = set(assigned_pairs(project).exclude(status=Status.REASSIGNED).values_list("pair_id", flat=True))
    return [pair for pair in plan_pairs(project) if pair.id not in assigned]


def _barred(project: Project) -> set[tuple[int, int]]:
    """(annotator, pair): whose reference they know, or which was reassigned from them."""
    gone = assigned_pairs(project).filter(status=Status.REASSIGNED).values_list("annotator_id", "pair_id")
    return pairs_with_known_reference(project) | set(gone)


def units_unassigned(*, project: Project) -> int:
    """How many unassigned pairs there are; one with its mirror counts as one."""
    return len(units(_unassigned(project)))


def plan_pairs(project: Project) -> list[PlanPair]:
    """A project's pairs as planning sees them, in order."""
    gold = pairs_with_gold(project)
    rows = Pair.objects.filter(project=project).order_by("position", "pk").values_list("pk", "mirror_id")
    return [PlanPair(pk, mirror, pk in gold) for pk, mirror in rows]


def existing_assignments(project: Project) -> list[ExistingAssignment]:
    """A project's assignments as planning sees them, without re-tests, which are never reassigned.

    One with messages counts as started: they are its annotator's, and nobody else gets to see them.
    """
    columns = ("pk", "pair_id", "annotator_id", "phase", "status", "order", "retry_id")
    discussed = set(Thread.objects.filter(assignment__pair__project=project).values_list("assignment_id", flat=True))
    assignments = []
    for pk, pair, annotator, phase, status, order, retry in (
        assigned_pairs(project).filter(round=0).values_list(*columns)
    ):
        now = Status.STARTED if status == Status.OPEN and pk in discussed else status
        assignments.append(ExistingAssignment(pk, pair, annotator, Phase(phase), now, order, retry is not None))
    return assignments


def plan_refusal(error: PlanError) -> Invalid:
    """The refusal of a plan for which there are not enough pairs or people, at the field that asks for too much."""
    fewer = _("Request fewer, or import more pairs.")
    where: str = error.what
    if error.what == "people":
        message, hint = _("Choose at least one person."), ""
    elif error.what == "second_person":
        where = "overlap"
        message = _("Overlapping pairs are annotated by at least 2 people, but only one is chosen.")
        hint = _("Set the overlap to 0, or choose a second person.")
    elif error.what == "overlap_people" and error.requested < 2:
        message = _("At least 2 annotators must share an overlapping pair.")
        hint = _("Enter 2 or more, or 0 for everyone.")
    elif error.what == "overlap_people":
        message = _("People needed for each overlapping pair: %(wanted)s. People chosen: %(there)s.")
        hint = _("Choose more people or a lower number.")
    elif error.what == "qualification":
        message, hint = _("Pairs with gold requested: %(wanted)s. Unassigned: %(there)s."), fewer
    elif error.what == "qualification_both":
        where = "qualification"
        message = _("Pairs with gold in both directions requested: %(wanted)s. Unassigned: %(there)s.")
        hint = _("Import or create gold for such pairs first, or request fewer.")
    elif error.what == "trial":
        message = _("Pairs requested: %(wanted)s. Remaining after qualification: %(there)s.")
        hint = fewer
    else:
        message = _("Pairs requested: %(wanted)s. Remaining for the overlap: %(there)s.")
        hint = fewer
    return Invalid(message % {"wanted": error.requested, "there": error.available}, code="plan", where=where, hint=hint)
