"""What serializers of all endpoints share: refusals, and pages of lists."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.number_parsing import MAX_INTEGER

Fields = serializers.Serializer[Any]
MAX_PAGE_SIZE = 200
FIRST_PAGE = {"page": 1, "size": 100}
"""What `PageSerializer` makes of a request that names neither."""


class ErrorBodySerializer(Fields):
    code = serializers.CharField()
    message = serializers.CharField()
    where = serializers.CharField()
    hint = serializers.CharField()


class ErrorSerializer(Fields):
    """A refusal; nothing was changed."""

    error = ErrorBodySerializer()


class PageSerializer(Fields):
    """Which part of a list is wanted."""

    page = serializers.IntegerField(
        required=False, default=FIRST_PAGE["page"], min_value=1, max_value=MAX_INTEGER, help_text="From 1."
    )
    size = serializers.IntegerField(required=False, default=FIRST_PAGE["size"], min_value=1, max_value=MAX_PAGE_SIZE)


class PagedSerializer(Fields):
    """Which part of a list this is."""

    count = serializers.IntegerField(help_text="Of the whole list.")
    page = serializers.IntegerField()
    pages = serializers.IntegerField(help_text="Empty lists have one.")
