"""The shapes of a project's scheme in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.serializers.base import Fields
from annotation.serializers.workspace import SchemeSerializer


class ProjectSchemeSerializer(Fields):
    """A project's scheme; `revision` names its content, and a change names the revision that it is based on."""

    revision = serializers.CharField()
    scheme = SchemeSerializer()


class SchemeChangeSerializer(Fields):
    """A scheme that replaces the project's; what is omitted of labels and questions is chosen, as in the editor."""

    revision = serializers.CharField()
    scheme = serializers.DictField(help_text="As `GET` returns it, or as docs/formats.md describes custom schemes.")
    confirmed = serializers.BooleanField(
        required=False, default=False, help_text="Whether consequences, which a 409 `confirm` names, are accepted."
    )
