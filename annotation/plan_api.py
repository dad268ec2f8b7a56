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

from annotation.api import BODY_REFUSALS, REFUSALS, parsed
from annotation.api_docs import documented
from annotation.errors import NotFound
from annotation.models import Annotator, Phase, Project
from annotation.permissions import lead_access
from annotation.planning import Planned, PlanSettings
from annotation.project_serializers import PlanChangeRequestSerializer, PlanRequestSerializer, PlanSerializer
from annotation.selectors.plans import plan_table
from annotation.selectors.projects import assignable_annotators
from annotation.serializers import ErrorSerializer
from annotation.services.plan_changes import plan_change_apply, plan_change_preview, plan_now
from annotation.services.plans import existing_assignments, plan_apply, plan_preview

RESPONSES: dict[int, Any] = {200: PlanSerializer, **REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer}


class PlanView(APIView):
    @documented(operation_id="plan", request=PlanRequestSerializer, responses=RESPONSES, tags=["projects"])
    def post(self, request: Request, slug: str) -> Response:
        """Plan the assignment of all unassigned pairs. Without `digest` the plan is only shown.

        409: pairs or people have changed since the plan with this digest was shown. 422: there is no such plan.
        """
        project = lead_access(request.user, slug).project
        data = parsed(PlanRequestSerializer, request, closed=True)
        digest, people = data.pop("digest"), _annotators(project, data.pop("people"))
        existing = existing_assignments(project)
        settings = PlanSettings(**data)
        if digest:
            plan = plan_apply(project=project, annotators=people, settings=settings, digest=digest)
        else:
            plan = plan_preview(project=project, annotators=people, settings=settings)
        shown = {"applied": bool(digest), "digest": plan.digest, "unread": sorted(plan.unread)}
        return Response({**shown, **_outlook(project, people, existing, plan.planned)})


class PlanChangeView(APIView):
    @documented(operation_id="plan_change", request=PlanChangeRequestSerializer, responses=RESPONSES, tags=["projects"])
    def post(self, request: Request, slug: str) -> Response:
        """Change the assignments that nobody has begun. Without `digest` the change is only shown.

        What someone has begun stays with them; qualification pairs and re-tests stay, too. A number that is not given
        stays as it is. 409: pairs or people have
        changed since the change with this digest was shown, or there is nothing to change. 422: it can't be had.
        """
        project = lead_access(request.user, slug).project
        data = parsed(PlanChangeRequestSerializer, request, closed=True)
        digest, people = data.pop("digest"), _annotators(project, data.pop("people"))
        existing = existing_assignments(project)
        settings = replace(plan_now(project=project), **data)
        if digest:
            change = plan_change_apply(project=project, annotators=people, settings=settings, digest=digest)
        else:
            change = plan_change_preview(project=project, annotators=people, settings=settings)
        shown = {"applied": bool(digest), "digest": change.digest, "unread": sorted(change.unread)}
        return Response({**shown, **_outlook(project, people, existing, change.planned, change.withdrawn)})


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


def _outlook(
    project: Project,
    people: Sequence[Annotator],
    existing: Sequence[Any],
    planned: Sequence[Planned],
    withdrawn: Sequence[int] = (),
) -> dict[str, Any]:
    table = plan_table(project=project, chosen=people, existing=existing, planned=planned, withdrawn=withdrawn)
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
