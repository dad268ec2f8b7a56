"""A project's name and settings in the API. For leads."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import BODY_REFUSALS, REFUSALS, validated_body
from annotation.api_docs import documented
from annotation.models import Project
from annotation.permissions import lead_access
from annotation.selectors.projects import options_of
from annotation.serializers.settings import SettingsChangeSerializer, SettingsSerializer
from annotation.services.projects import options_from, project_change


class SettingsView(APIView):
    @documented(operation_id="settings", responses={200: SettingsSerializer, **REFUSALS}, tags=["projects"])
    def get(self, request: Request, slug: str) -> Response:
        """The project's name and settings."""
        return Response(_settings_json(lead_access(request.user, slug).project))

    @documented(
        operation_id="settings_change",
        request=SettingsChangeSerializer,
        responses={200: SettingsSerializer, **REFUSALS, **BODY_REFUSALS},
        tags=["projects"],
        example={"highlights_share": 50, "closed_phases": ["trial"]},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Change some of them; omitted fields stay as they are."""
        project = lead_access(request.user, slug).project
        data = validated_body(SettingsChangeSerializer, request, closed=True)
        name = data.pop("name", project.name)
        values = {**options_of(project).to_json(), **data}
        options = options_from(
            **{key: tuple(dict.fromkeys(each)) if isinstance(each, list) else each for key, each in values.items()}
        )
        return Response(_settings_json(project_change(project=project, name=name, options=options)))


def _settings_json(project: Project) -> dict[str, Any]:
    return {"name": project.name, **options_of(project).to_json()}
