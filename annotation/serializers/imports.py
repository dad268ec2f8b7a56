"""The shapes of imports in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.models.imports import IMPORT_CHOICES, ImportStatus
from annotation.serializers.base import ErrorSerializer, Fields, PagedSerializer, PageSerializer
from annotation.text.schemes import PRESETS

LISTED_STATUSES = [value for value, _label in IMPORT_CHOICES if value != ImportStatus.SENDING]
"""Imports whose upload is not complete are not listed."""


class ImportFileSerializer(Fields):
    """A file: its name with the extension, and its content as text or, for binary formats, in Base64."""

    name = serializers.CharField(max_length=300)
    text = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    base64 = serializers.CharField(required=False, trim_whitespace=False)


class ImportRequestSerializer(Fields):
    """Files to import. `preview`: only say what was understood, and keep the files for a day to start the import."""

    files = ImportFileSerializer(many=True, allow_empty=False)
    format = serializers.CharField(required=False, allow_blank=True, help_text="Recognised by content if missing.")
    options = serializers.DictField(child=serializers.CharField(allow_blank=True), required=False)
    preview = serializers.BooleanField(required=False, default=True)


class ImportStartSerializer(Fields):
    """The import of what was previewed; `scheme` is a preset that a project without pairs changes to first."""

    scheme = serializers.ChoiceField(choices=sorted(PRESETS), required=False, allow_blank=True)


class RejectionSerializer(Fields):
    """A row that was rejected."""

    where = serializers.CharField()
    reason = serializers.CharField()


class ImportRefusedSerializer(ErrorSerializer):
    """A request that was refused at once, with everything that is wrong with it."""

    rejections = serializers.ListField(child=serializers.DictField(), required=False)


class ListedImportSerializer(Fields):
    """An import or preview in the list."""

    id = serializers.IntegerField()
    status = serializers.ChoiceField(choices=IMPORT_CHOICES)
    is_preview = serializers.BooleanField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    format = serializers.CharField(allow_blank=True)
    rejected = serializers.IntegerField(help_text="Rows.")
    problem = serializers.CharField(allow_blank=True)


class ImportsQuerySerializer(PageSerializer):
    """Which imports and previews are wanted."""

    status = serializers.ChoiceField(choices=LISTED_STATUSES, required=False)


class ListedImportsSerializer(PagedSerializer):
    """Imports and previews of a project, the newest first."""

    imports = ListedImportSerializer(many=True)


class ImportSerializer(Fields):
    """An import or preview: its progress, what was understood, and its result."""

    id = serializers.IntegerField()
    status = serializers.ChoiceField(choices=IMPORT_CHOICES)
    is_preview = serializers.BooleanField()
    done = serializers.IntegerField(help_text="Pairs prepared so far.")
    total = serializers.IntegerField()
    format = serializers.CharField(
        allow_blank=True, help_text="As requested; '' to have it recognised: then `preview.format` is what was found."
    )
    options = serializers.DictField(child=serializers.CharField(allow_blank=True))
    preview = serializers.DictField(
        allow_null=True,
        help_text="`format`, `table` (columns, mapping, guessed languages), `languages`, the first `pairs`, "
        "`missing_labels`; null until the files were read.",
    )
    report = serializers.DictField(allow_null=True, help_text="Counts of what was, or would be, imported.")
    warnings = serializers.DictField(child=serializers.IntegerField())
    better_scheme = serializers.CharField(allow_blank=True)
    rejections = RejectionSerializer(many=True)
    rejected = serializers.IntegerField()
    problem = serializers.CharField(allow_blank=True)
