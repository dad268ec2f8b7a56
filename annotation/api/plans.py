"""Plans and their changes in the API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import BODY_REFUSALS, REFUSALS, validated_body
from annotation.api_docs import documented
from annotation.errors import NotFound
from annotation.forms.plan import KNOWN_PLANS
from annotation.models import Annotator, Phase, Project
from annotation.permissions import lead_access
from annotation.planning.plans import PlannedAssignment, PlanSettings
from annotation.planning.retests import RetestSettings
from annotation.selectors.plans import plan_table
from annotation.selectors.projects import assignable_annotators
from annotation.selectors.qualification import project_rule
from annotation.selectors.retries import too_few_to_pass, without_retry
from annotation.serializers.base import ErrorSerializer
from annotation.serializers.plans import (
    PlanChangeRequestSerializer,
    PlanNowSerializer,
    PlanRequestSerializer,
    PlanSerializer,
    RetestRequestSerializer,
    RetestsSerializer,
)
from annotation.services.plan_changes import current_plan_settings, plan_change_apply, plan_change_preview
from annotation.services.plans import (
    existing_assignments,
    plan_apply,
    plan_preview,
    plan_unreadable_pairs,
    units_unassigned,
)
from annotation.services.retests import retests_create, retests_preview

RESPONSES: dict[int, Any] = {200: PlanSerializer, **REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer}


class PlanView(APIView):
    @documented(operation_id="plan_now", responses={200: PlanNowSerializer, **REFUSALS}, tags=["projects"])
    def get(self, request: Request, slug: str) -> Response:
        """What is assigned now, the settings that come nearest to it, and the published plans."""
        project = lead_access(request.user, slug).project
        people, free = list(assignable_annotators(project)), units_unassigned(project=project)
        now = current_plan_settings(project=project)
        shown = _totals(project, people, existing_assignments(project), ())
        return Response(
            {
                "trial": now.trial,
                "overlap": now.overlap,
                "overlap_people": now.overlap_people,
                "unassigned": free,
                "people": shown["people"],
                "common": shown["common"],
                "presets": [
                    {"preset": name, "title": each.name, **each.values(free)} for name, each in KNOWN_PLANS.items()
                ],
            }
        )

    @documented(operation_id="plan", request=PlanRequestSerializer, responses=RESPONSES, tags=["projects"])
    def post(self, request: Request, slug: str) -> Response:
        """Plan the assignment of all unassigned pairs. Without `digest` the plan is only shown.

        409: pairs or people have changed since the plan with this digest was shown. 422: there is no such plan.
        """
        project = lead_access(request.user, slug).project
        data = validated_body(PlanRequestSerializer, request, closed=True)
        digest, people = data.pop("digest"), _annotators(project, data.pop("people"))
        minutes, preset = data.pop("minutes"), data.pop("preset", None)
        existing = existing_assignments(project)
        preset_values = KNOWN_PLANS[preset].values(units_unassigned(project=project)) if preset else {}
        settings = PlanSettings(**{**preset_values, **data})
        if digest:
            plan = plan_apply(project=project, annotators=people, settings=settings, digest=digest)
        else:
            plan = plan_preview(project=project, annotators=people, settings=settings)
        shown = {"applied": bool(digest), "digest": plan.digest, "unread": sorted(plan.unassignable)}
        return Response({**shown, **_planned_json(project, people, existing, plan.planned, minutes=minutes)})


class PlanChangeView(APIView):
    @documented(operation_id="plan_change", request=PlanChangeRequestSerializer, responses=RESPONSES, tags=["projects"])
    def post(self, request: Request, slug: str) -> Response:
        """Change the assignments that nobody has started. Without `digest` the change is only shown.

        What someone has started stays with them; qualification pairs and re-tests stay, too. A number that is not given
        stays as it is. 409: pairs or people have changed since the change with this digest was shown, or there is
        nothing to change. 422: there are not enough pairs or people for it.
        """
        project = lead_access(request.user, slug).project
        data = validated_body(PlanChangeRequestSerializer, request, closed=True)
        digest, people = data.pop("digest"), _annotators(project, data.pop("people"))
        minutes = data.pop("minutes")
        existing = existing_assignments(project)
        settings = replace(current_plan_settings(project=project), **data)
        if digest:
            change = plan_change_apply(project=project, annotators=people, settings=settings, digest=digest)
        else:
            change = plan_change_preview(project=project, annotators=people, settings=settings)
        shown = {"applied": bool(digest), "digest": change.digest, "unread": sorted(change.unassignable)}
        totals = _planned_json(project, people, existing, change.planned, change.withdrawn, minutes=minutes)
        return Response({**shown, **totals})


class RetestsView(APIView):
    @documented(
        operation_id="retests",
        request=RetestRequestSerializer,
        responses={200: RetestsSerializer, **REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer},
        tags=["projects"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Assign people some of their own pairs again. Without `digest` they are only shown.

        409: submissions have changed since those with this digest were shown. 422: nobody submitted that long ago.
        """
        project = lead_access(request.user, slug).project
        data = validated_body(RetestRequestSerializer, request, closed=True)
        digest, people = data.pop("digest"), _annotators(project, data.pop("people"))
        phase, settings = data.pop("phase"), RetestSettings(**data)
        if digest:
            plan = retests_create(project=project, phase=phase, annotators=people, settings=settings, digest=digest)
        else:
            plan = retests_preview(project=project, phase=phase, annotators=people, settings=settings)
        rows = [
            {"person": each.pk, "pairs": plan.load(each.pk), "available": plan.available.get(each.pk, 0)}
            for each in people
        ]
        shown = {"applied": bool(digest), "digest": plan.digest, "assignments": len(plan.planned)}
        return Response({**shown, "people": rows})


def _annotators(project: Project, keys: Sequence[int]) -> list[Annotator]:
    """The annotators with accounts that `keys` name. Raises NotFound for one that there is not."""
    people = {each.pk: each for each in assignable_annotators(project)}
    unknown = [str(key) for key in keys if key not in people]
    if unknown:
        raise NotFound(
            _("There is no annotator with this id in this project."),
            where="people",
            hint=", ".join(unknown[:10]),
        )
    return [people[key] for key in dict.fromkeys(keys)]


def _planned_json(
    project: Project,
    people: Sequence[Annotator],
    existing: Sequence[Any],
    planned: Sequence[PlannedAssignment],
    withdrawn: Sequence[int] = (),
    *,
    minutes: float | None,
) -> dict[str, Any]:
    """What a plan comes to, and who would get what they don't read."""
    lacking = plan_unreadable_pairs(project=project, annotators=people, planned=planned)
    rule = project_rule(project)
    return {
        **_totals(project, people, existing, planned, withdrawn, minutes=minutes),
        "unread_by": [
            {"person": each.annotator.pk, "pairs": each.pairs, "languages": each.languages} for each in lacking
        ],
        "without_retry": [
            each.pk for each in without_retry(project=project, annotators=list(people), planned=planned, rule=rule)
        ],
        "too_few_to_pass": too_few_to_pass(project=project, planned=planned, rule=rule),
    }


def _totals(
    project: Project,
    people: Sequence[Annotator],
    existing: Sequence[Any],
    planned: Sequence[PlannedAssignment],
    withdrawn: Sequence[int] = (),
    *,
    minutes: float | None = None,
) -> dict[str, Any]:
    table = plan_table(
        project=project,
        chosen=people,
        existing=existing,
        planned=planned,
        withdrawn=withdrawn,
        seconds_per_pair=None if minutes is None else minutes * 60,
    )
    new = Counter((each.annotator, each.phase) for each in planned)
    return {
        "assignments": len(planned),
        "withdrawn": len(withdrawn),
        "people": [
            {
                "person": row.person.pk,
                "phases": {phase: new[row.person.pk, phase] for phase in Phase.values},
                "to_do": row.share.to_do,
                "shared": row.share.shared,
                "finished": row.share.finished,
                "withdrawn": row.share.withdrawn,
                "seconds": row.seconds,
            }
            for row in table.rows
        ],
        "common": [{"people": list(two), "pairs": n} for two, n in table.common.items()],
    }
