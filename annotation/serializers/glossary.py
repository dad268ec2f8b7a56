"""The shapes of a project's glossary in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.glossaries.entries import MAX_NOTE_LENGTH, MAX_TERM_LENGTH, MAX_TRANSLATIONS
from annotation.serializers.base import ErrorSerializer, Fields, PagedSerializer
from annotation.serializers.imports import ImportFileSerializer


class GlossaryEntrySerializer(Fields):
    """An agreed translation: a term, its translations, the preferred one first, and a note for annotators."""

    term_language = serializers.CharField(max_length=35, help_text="A language tag (BCP 47), such as de-CH.")
    translation_language = serializers.CharField(max_length=35)
    term = serializers.CharField(max_length=MAX_TERM_LENGTH)
    translations = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TERM_LENGTH), min_length=1, max_length=MAX_TRANSLATIONS
    )
    note = serializers.CharField(max_length=MAX_NOTE_LENGTH, allow_blank=True, required=False)


class ChangedGlossaryEntrySerializer(GlossaryEntrySerializer):
    """A change of an entry; `revision` is the one it is based on."""

    revision = serializers.IntegerField(min_value=0)


class SavedGlossaryEntrySerializer(Fields):
    """An entry of the glossary."""

    id = serializers.IntegerField()
    revision = serializers.IntegerField(help_text="Counts the changes of the entry, from 1.")
    term_language = serializers.CharField()
    translation_language = serializers.CharField()
    term = serializers.CharField()
    translations = serializers.ListField(child=serializers.CharField())
    note = serializers.CharField()


class NamedRevisionSerializer(Fields):
    """The revision of an entry that is to be deleted."""

    revision = serializers.IntegerField(
        min_value=0, required=False, help_text="Without it, the entry is deleted whatever it is by now."
    )


class GlossaryConflictSerializer(ErrorSerializer):
    """Someone changed the entry since: `entry` is what it is now. Nothing was changed."""

    entry = SavedGlossaryEntrySerializer(required=False)


class GlossarySerializer(PagedSerializer):
    """Entries of a project's glossary, by their languages and in the order of the alphabet."""

    revision = serializers.CharField(
        allow_blank=True, help_text="Of the whole glossary: the same for the same entries, and '' if there are none."
    )
    entries = SavedGlossaryEntrySerializer(many=True)


class GlossaryFileSerializer(Fields):
    """A glossary file (TSV, TBX or CC-CEDICT), its languages, and what is done with it."""

    file = ImportFileSerializer()
    term_language = serializers.CharField(max_length=35)
    translation_language = serializers.CharField(max_length=35)
    replace = serializers.BooleanField(
        required=False, default=False, help_text="Delete the entries of these languages that the file lacks."
    )
    deletes = serializers.IntegerField(
        required=False,
        default=0,
        min_value=0,
        help_text="How many entries may be deleted; if it is another number, nothing is done and `removed` lists them.",
    )
    preview = serializers.BooleanField(required=False, default=True)


class RejectedRowSerializer(Fields):
    """A row that is no entry."""

    line = serializers.IntegerField()
    reason = serializers.CharField()


class GlossaryUploadSerializer(Fields):
    """What a file changed, or would change."""

    new = serializers.IntegerField(help_text="Entries.")
    changed = serializers.IntegerField()
    same = serializers.IntegerField()
    removed = serializers.ListField(child=serializers.CharField(), help_text="The terms of deleted entries.")
    rejected = serializers.IntegerField(help_text="Rows.")
    rejections = RejectedRowSerializer(many=True, help_text="The first of them.")
    written = serializers.BooleanField(help_text="Whether it was done.")


class RestoredGlossarySerializer(Fields):
    """Entries that were deleted and are there again."""

    restored = SavedGlossaryEntrySerializer(many=True)
