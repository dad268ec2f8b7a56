"""A project's life in the API: what it still needs, its archive, copies of it, its deletion."""

from __future__ import annotations

from dataclasses import asdict

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import BODY_REFUSALS, REFUSALS, page_json, validated_body, validated_query
from annotation.api_docs import documented
from annotation.models import JobStatus
from annotation.permissions import lead_access, project_creator_access
from annotation.selectors.audit import AuditTrail, audit_person
from annotation.selectors.checklist import project_checklist
from annotation.serializers.base import ErrorSerializer
from annotation.serializers.lifecycle import (
    ArchivedSerializer,
    ChangesQuerySerializer,
    ChecklistSerializer,
    DeletedSerializer,
    DeletionCountsSerializer,
    DeletionSerializer,
    DuplicateSerializer,
    ProjectChangesSerializer,
    ProjectNamedSerializer,
)
from annotation.services.archiving import project_archive, project_unarchive
from annotation.services.deletion import deletion_counts, project_delete
from annotation.services.duplicates import project_duplicate


class ChecklistView(APIView):
    @documented(operation_id="checklist", responses={200: ChecklistSerializer, **REFUSALS}, tags=["projects"])
    def get(self, request: Request, slug: str) -> Response:
        """What the project still needs before people annotate in it. For leads."""
        checklist = project_checklist(lead_access(request.user, slug).project)
        steps = [
            {
                "step": step.name.value,
                "done": step.finished,
                "optional": step.optional,
                "count": step.count,
                "lacking": step.lacking,
            }
            for step in checklist.steps
        ]
        return Response({"running": checklist.running, "steps": steps})


class ArchivedView(APIView):
    @documented(
        operation_id="project_archived",
        request=ArchivedSerializer,
        responses={200: ArchivedSerializer, **REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer},
        tags=["projects"],
        example={"archived": True},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Archive the project, or unarchive it. For leads. 409: already in that state.

        An archived project can be read and published; every change is refused with 409 and the code `archived`.
        """
        access = lead_access(request.user, slug)
        archived = validated_body(ArchivedSerializer, request, closed=True)["archived"]
        service = project_archive if archived else project_unarchive
        return Response({"archived": bool(service(project=access.project, by=access.user).archived)})


class DuplicateView(APIView):
    @documented(
        operation_id="project_duplicate",
        request=DuplicateSerializer,
        responses={200: ProjectNamedSerializer, **REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer},
        tags=["projects"],
        example={"name": "Towns, second round", "slug": "towns-2", "glossary": True},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a project with this one's scheme, settings and current guidelines, without texts and people.

        For leads, who lead the new project. 409: there is a project with this slug.
        """
        access = lead_access(request.user, slug)
        project_creator_access(request.user)
        data = validated_body(DuplicateSerializer, request, closed=True)
        copy = project_duplicate(project=access.project, lead=access.user, **data)
        return Response({"name": copy.name, "slug": copy.slug})


class ChangesView(APIView):
    @documented(
        operation_id="changes",
        parameters=[ChangesQuerySerializer],
        responses={200: ProjectChangesSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["projects"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Who changed what in the project, newest first. For leads."""
        project = lead_access(request.user, slug).project
        query = validated_query(ChangesQuerySerializer, request)
        trail = AuditTrail(project, kind=query["kind"], person=audit_person(query["person"]))
        page = trail.page(query["page"], query["size"])
        changes = [asdict(change) for change in page]
        return Response({**page_json(page), "changes": changes})


class DeleteView(APIView):
    @documented(operation_id="deletion", responses={200: DeletionCountsSerializer, **REFUSALS}, tags=["projects"])
    def get(self, request: Request, slug: str) -> Response:
        """What deleting the project would remove. For leads."""
        return Response(deletion_counts(lead_access(request.user, slug).project))

    @documented(
        operation_id="project_delete",
        request=DeletionSerializer,
        responses={200: DeletedSerializer, **REFUSALS, **BODY_REFUSALS},
        tags=["projects"],
        example={"name": "library"},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Delete the project with everything in it. For leads. This can't be undone: publish it as `archive` first.

        422 (`name`) unless `name` is the project's full name. Afterwards all its addresses give 404.
        """
        access = lead_access(request.user, slug)
        name = validated_body(DeletionSerializer, request, closed=True)["name"]
        row = project_delete(project=access.project, name=name, by=access.user)
        return Response({"slug": slug, "done": row.status == JobStatus.DONE, "counts": row.counts})
