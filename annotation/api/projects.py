"""Projects and their pairs in the API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import BODY_REFUSALS, REFUSALS, page_json, requested_page, validated_body, validated_query
from annotation.api_docs import documented
from annotation.errors import Invalid
from annotation.models import Assignment, Phase, Project, Role, Source, User
from annotation.permissions import (
    Access,
    accessible_projects,
    lead_access,
    member_access,
    project_creator_access,
    roles_in,
)
from annotation.selectors.annotations import annotations_of_pair
from annotation.selectors.assignments import assignments_of_pair
from annotation.selectors.pairs import pair_get, pair_table, project_size
from annotation.selectors.parallel_documents import ParallelDocumentPair, pairs_of_parallel_documents
from annotation.selectors.progress import ProgressCounts, project_progress
from annotation.serializers.base import ErrorSerializer, PageSerializer
from annotation.serializers.projects import (
    NewProjectSerializer,
    OwnProjectSerializer,
    PairsQuerySerializer,
    PairsSerializer,
    ProjectsSerializer,
    WholePairSerializer,
)
from annotation.services.projects import preset, project_create
from annotation.services.references import references_record

QUERY_REFUSALS: dict[int, Any] = {**REFUSALS, 422: ErrorSerializer}
COUNTS = ("assigned", "done", "skipped", "started", "flagged", "rejected", "seconds")


class ProjectsView(APIView):
    @documented(
        operation_id="projects",
        parameters=[PageSerializer],
        responses={200: ProjectsSerializer, **QUERY_REFUSALS},
        tags=["projects"],
    )
    def get(self, request: Request) -> Response:
        """The projects that one is in, by name; a token for one project sees that one alone.

        404: the parameter `format` is not `json`.
        """
        query = validated_query(PageSerializer, request)
        assert isinstance(request.user, User)
        page = requested_page(accessible_projects(request.user).order_by("name", "pk"), query)
        roles = roles_in(request.user, list(page))
        return Response({**page_json(page), "projects": [_listed_project_json(each, roles[each.pk]) for each in page]})

    @documented(
        operation_id="project_create",
        request=NewProjectSerializer,
        responses={200: OwnProjectSerializer, 403: ErrorSerializer, **BODY_REFUSALS, 409: ErrorSerializer},
        tags=["projects"],
        example={"name": "Town pages", "preset": "graded"},
    )
    def post(self, request: Request) -> Response:
        """Create a project with `preset` or `scheme`, and lead it. For staff and leads. 409: the slug is taken."""
        lead = project_creator_access(request.user)
        data = validated_body(NewProjectSerializer, request, closed=True)
        if ("preset" in data) == ("scheme" in data):
            raise Invalid(_("Give either a preset or a scheme."), where="scheme", hint="/api/docs/")
        scheme = preset(data["preset"]) if "preset" in data else data["scheme"]
        project = project_create(name=data["name"], slug=data["slug"], scheme=scheme, lead=lead)
        return Response(_project_json(member_access(lead, project.slug)))


class ProjectView(APIView):
    @documented(operation_id="project", responses={200: OwnProjectSerializer, **REFUSALS}, tags=["projects"])
    def get(self, request: Request, slug: str) -> Response:
        """A project and one's role in it; for leads also its size, and the progress of each phase."""
        return Response(_project_json(member_access(request.user, slug)))


class PairsView(APIView):
    @documented(
        operation_id="pairs",
        parameters=[PairsQuerySerializer],
        responses={200: PairsSerializer, **QUERY_REFUSALS},
        tags=["projects"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The project's pairs, in their order. For leads."""
        project = lead_access(request.user, slug).project
        query = validated_query(PairsQuerySerializer, request)
        table = pair_table(project, source=Source.HUMAN, text=query["q"], only=query.get("only", ""))
        page = requested_page(table, query)
        others = pairs_of_parallel_documents(project, [pair.pk for pair in page])
        return Response({**page_json(page), "pairs": [_listed_pair(pair, others.get(pair.pk, ())) for pair in page]})


class PairView(APIView):
    @documented(operation_id="pair", responses={200: WholePairSerializer, **REFUSALS}, tags=["projects"])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A pair with its texts and everyone's annotations as they were last saved. For leads.

        Who opens it has seen the annotations, which counts in agreement as on the page.
        """
        access = lead_access(request.user, slug)
        pair = pair_get(access.project, pk)
        references_record(project=access.project, pairs=[pk], by=access.user)
        annotations = [_annotation(each) for each in annotations_of_pair(pair, source=Source.HUMAN) if each.assignment]
        names = {name: getattr(pair, name) for name in ("external_id", "split", "metadata")}
        texts = {"language_a": pair.a.language, "text_a": pair.a.content}
        texts |= {"language_b": pair.b.language, "text_b": pair.b.content}
        assignments = [_assignment(each) for each in assignments_of_pair(pair)]
        return Response({"id": pair.pk, **names, **texts, "assignments": assignments, "annotations": annotations})


def _listed_project_json(project: Project, role: str) -> dict[str, Any]:
    return {"slug": project.slug, "name": project.name, "role": role, "created": project.created}


def _project_json(access: Access) -> dict[str, Any]:
    role = Role.LEAD if access.lead else Role.ADJUDICATOR if access.adjudicator else Role.ANNOTATOR
    listed = _listed_project_json(access.project, role)
    if not access.lead:
        return {**listed, **dict.fromkeys(("pairs", "unassigned", "gold", "progress"))}
    size, people = project_size(access.project), project_progress(access.project)
    totals = {
        phase: sum((each.phases.get(phase, ProgressCounts()) for each in people), ProgressCounts())
        for phase in Phase.values
    }
    progress = [
        {"phase": phase, **{name: getattr(counts, name) for name in COUNTS}}
        for phase, counts in totals.items()
        if counts.assigned
    ]
    return {
        **listed,
        "pairs": size.pairs,
        "unassigned": size.unassigned,
        "gold": size.gold,
        "progress": progress,
    }


def _listed_pair(pair: Any, others: Sequence[ParallelDocumentPair]) -> dict[str, Any]:
    return {
        "id": pair.pk,
        "external_id": pair.external_id,
        "split": pair.split,
        "language_a": pair.a.language,
        "language_b": pair.b.language,
        "assigned": pair.assigned,
        "finished": pair.finished,
        "flags": pair.flags,
        "rejections": pair.rejections,
        "gold": pair.gold,
        "document": others[0].document if others else "",
        "document_flags": sum(each.flags for each in others),
    }


def _assignment(assignment: Assignment) -> dict[str, Any]:
    names = ("phase", "round", "status")
    who = {"person": assignment.annotator_id, "alias": assignment.annotator.alias}
    return {**who, **{name: getattr(assignment, name) for name in names}}


def _annotation(row: Any) -> dict[str, Any]:
    names = ("revision", "verdict", "reason", "comment", "answers")
    return {
        **_assignment(row.assignment),
        **{name: getattr(row, name) for name in names},
        "seconds": row.active_seconds,
        "spans": row.spans["spans"],
    }
