"""A project's scheme in the API: read and replaced under a revision."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import BODY_REFUSALS, REFUSALS, validated_body
from annotation.api_docs import documented
from annotation.models import Project
from annotation.permissions import lead_access
from annotation.selectors.schemes import scheme_revision
from annotation.serializers.base import ErrorSerializer
from annotation.serializers.scheme import ProjectSchemeSerializer, SchemeChangeSerializer
from annotation.services.schemes import scheme_change


class SchemeView(APIView):
    @documented(operation_id="scheme", responses={200: ProjectSchemeSerializer, **REFUSALS}, tags=["projects"])
    def get(self, request: Request, slug: str) -> Response:
        """The project's scheme. For leads."""
        return Response(_scheme_json(lead_access(request.user, slug).project))

    @documented(
        operation_id="scheme_change",
        request=SchemeChangeSerializer,
        responses={200: ProjectSchemeSerializer, **REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer},
        tags=["projects"],
    )
    def put(self, request: Request, slug: str) -> Response:
        """Replace the project's scheme, from the revision that the client names.

        Nothing recorded becomes invalid: 422 says what work uses and the new scheme lacks. 409 with the code
        `scheme-changed`: someone changed it since. 409 with the code `confirm`: the change has consequences, which the
        message names; send it again with `confirmed`.
        """
        access = lead_access(request.user, slug)
        data = validated_body(SchemeChangeSerializer, request, closed=True)
        changed = scheme_change(
            project=access.project, scheme=data["scheme"], base=data["revision"], confirmed=data["confirmed"]
        )
        return Response(_scheme_json(changed))


def _scheme_json(project: Project) -> dict[str, object]:
    return {"revision": scheme_revision(project.scheme), "scheme": project.labels.to_json()}
