"""The shapes of a project's guidelines in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.serializers.base import Fields, PagedSerializer


class GuidelineVersionSerializer(Fields):
    """A version of the guidelines; `submitted` counts the pairs that are submitted under it."""

    version = serializers.IntegerField()
    made = serializers.DateTimeField()
    text = serializers.CharField(help_text="Markdown.")
    submitted = serializers.IntegerField()


class GuidelineVersionsSerializer(PagedSerializer):
    """Versions, newest first; `outdated` counts what can be reopened because it was submitted under older ones."""

    versions = GuidelineVersionSerializer(many=True)
    outdated = serializers.IntegerField()


class GuidelineTextSerializer(Fields):
    """The next version, written from version `base` (0: there is none yet)."""

    text = serializers.CharField(trim_whitespace=False, help_text="Markdown.")
    base = serializers.IntegerField(min_value=0)


class ReopenOutdatedSerializer(Fields):
    """`version`: the current version, under which everything is to be submitted again."""

    version = serializers.IntegerField(min_value=1)


class ReopenedOutdatedSerializer(Fields):
    """How many pairs were reopened, how many stay because the first submission counts; `more`: send it again."""

    reopened = serializers.IntegerField()
    final = serializers.IntegerField()
    more = serializers.BooleanField()
