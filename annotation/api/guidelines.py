"""A project's guidelines in the API: versions, the next one, and reopening what was submitted under older ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import BODY_REFUSALS, REFUSALS, page_json, requested_page, validated_body, validated_query
from annotation.api_docs import documented
from annotation.models import Project
from annotation.permissions import lead_access
from annotation.selectors.guidelines import outdated_annotations, submitted_by_version
from annotation.selectors.projects import guideline_list
from annotation.serializers.base import FIRST_PAGE, ErrorSerializer, PageSerializer
from annotation.serializers.guidelines import (
    GuidelineTextSerializer,
    GuidelineVersionsSerializer,
    ReopenedOutdatedSerializer,
    ReopenOutdatedSerializer,
)
from annotation.services.guidelines import guideline_write
from annotation.services.reopening import outdated_reopen


class GuidelinesView(APIView):
    @documented(
        operation_id="guidelines",
        parameters=[PageSerializer],
        responses={200: GuidelineVersionsSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["projects"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The versions of the guidelines, the newest first. For leads."""
        project = lead_access(request.user, slug).project
        return Response(_versions_json(project, validated_query(PageSerializer, request)))

    @documented(
        operation_id="guidelines_write",
        request=GuidelineTextSerializer,
        responses={200: GuidelineVersionsSerializer, **REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer},
        tags=["projects"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Write the next version. Unchanged text makes none. Returns the first page of the versions.

        409: someone wrote one since `base`.
        """
        project = lead_access(request.user, slug).project
        guideline_write(project=project, **validated_body(GuidelineTextSerializer, request, closed=True))
        return Response(_versions_json(project, FIRST_PAGE))


class ReopenOutdatedView(APIView):
    @documented(
        operation_id="guidelines_reopen",
        request=ReopenOutdatedSerializer,
        responses={200: ReopenedOutdatedSerializer, **REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer},
        tags=["projects"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Reopen what was submitted under older guidelines: the work stays, and has to be submitted again.

        Closed phases and final submissions are left alone. 409: there are newer guidelines than `version`.
        """
        access = lead_access(request.user, slug)
        data = validated_body(ReopenOutdatedSerializer, request, closed=True)
        return Response(asdict(outdated_reopen(project=access.project, by=access.user, version=data["version"])))


def _versions_json(project: Project, query: Mapping[str, Any]) -> dict[str, object]:
    page = requested_page(guideline_list(project), query)
    submitted = submitted_by_version(project)
    versions = [
        {"version": row.version, "made": row.made, "text": row.text, "submitted": submitted.get(row.version, 0)}
        for row in page
    ]
    outdated = sum(row.reopenable for row in outdated_annotations(project))
    return {**page_json(page), "versions": versions, "outdated": outdated}
