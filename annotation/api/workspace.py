"""The workspace's JSON. Each view parses, checks the permission, calls one service or selector, and responds."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import ACT_REFUSALS, BODY_REFUSALS, REFUSALS, validated_body, validated_query
from annotation.api_docs import documented
from annotation.models import Status, User
from annotation.permissions import account_access, assignment_to_read, assignment_to_write, member_access
from annotation.selectors.assignments import assignment_next, assignments_upcoming
from annotation.serializers.base import ErrorSerializer
from annotation.serializers.workspace import (
    AfterSerializer,
    AssignmentSerializer,
    ConflictSerializer,
    NextSerializer,
    OwnPreferencesSerializer,
    PreferencesSerializer,
    ReopenedSerializer,
    SavedSerializer,
    SaveSerializer,
    SubmitSerializer,
    SubmittedSerializer,
)
from annotation.services.accounts import preferences_set
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_reopen, annotation_save, annotation_submit
from annotation.services.references import reference_show
from annotation.workspace_payload import workspace_json

UPCOMING = 5
"""How many pairs a browser fetches ahead."""
WRITE_REFUSALS: dict[int, Any] = {**REFUSALS, **BODY_REFUSALS, 409: ConflictSerializer}


class AssignmentView(APIView):
    @documented(operation_id="assignment", responses={200: AssignmentSerializer, **REFUSALS}, tags=["workspace"])
    def get(self, request: Request, pk: int) -> Response:
        """An assignment with its texts, the work so far, highlights and guidelines.

        For its annotator, and (read-only) for leads and adjudicators of the project.
        """
        assignment = assignment_to_read(request.user, pk)
        assert isinstance(request.user, User)
        reference = reference_show(assignment=assignment, by=request.user)
        return Response(workspace_json(assignment, request.user, reference))


class AnnotationView(APIView):
    @documented(
        operation_id="annotation_save",
        request=SaveSerializer,
        responses={200: SavedSerializer, **WRITE_REFUSALS},
        tags=["workspace"],
    )
    def put(self, request: Request, pk: int) -> Response:
        """Save the work on an assignment, as a whole, on top of the revision that the client names.

        409 returns the newer work. Sending work that is already saved is accepted.
        """
        assignment, user = assignment_to_write(request.user, pk)
        data = validated_body(SaveSerializer, request)
        base = data.pop("revision")
        annotation = annotation_save(assignment=assignment, by=user, base=base, sent=AnnotationInput(**data))
        return Response({"revision": annotation.revision, "saved": annotation.changed.isoformat()})


class SubmitView(APIView):
    @documented(
        operation_id="assignment_submit",
        request=SubmitSerializer,
        responses={200: SubmittedSerializer, **WRITE_REFUSALS},
        tags=["workspace"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Submit a revision with a verdict. Returns the next assignment."""
        assignment, user = assignment_to_write(request.user, pk)
        data = validated_body(SubmitSerializer, request)
        submitted = annotation_submit(assignment=assignment, by=user, base=data.pop("revision"), **data)
        following = assignment_next(assignment.annotator, after=submitted)
        return Response({"status": submitted.status, "next": following.pk if following else None})


class ReopenView(APIView):
    @documented(
        operation_id="assignment_reopen",
        request=None,
        responses={200: ReopenedSerializer, **ACT_REFUSALS},
        tags=["workspace"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Reopen submitted work, while the phase is open.

        If the pair has a reference answer, the first submission is final: 403 with the code `final`.
        """
        assignment, user = assignment_to_write(request.user, pk)
        annotation = annotation_reopen(assignment=assignment, by=user)
        return Response({"status": Status.STARTED.value, "revision": annotation.revision})


class NextView(APIView):
    @documented(
        operation_id="assignment_next",
        parameters=[AfterSerializer],
        responses={200: NextSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["workspace"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The next assignment in a project, null if none remains; and the next few, to fetch ahead.

        With `after`, those that follow that assignment come first among the next few.
        """
        access = member_access(request.user, slug)
        after = validated_query(AfterSerializer, request).get("after")
        if access.membership is None:
            return Response({"assignment": None, "upcoming": []})
        following = assignment_next(access.membership, after=None)
        upcoming = assignments_upcoming(access.membership, after=after, limit=UPCOMING)
        return Response({"assignment": following.pk if following else None, "upcoming": upcoming})


class PreferencesView(APIView):
    @documented(
        operation_id="preferences",
        request=PreferencesSerializer,
        responses={200: OwnPreferencesSerializer, 403: ErrorSerializer, **BODY_REFUSALS},
        tags=["workspace"],
    )
    def put(self, request: Request) -> Response:
        """Save the user's own reading preferences, which apply on every device."""
        assert isinstance(request.user, User)
        user = account_access(request.user)
        return Response(preferences_set(user=user, values=validated_body(PreferencesSerializer, request)).preferences)
