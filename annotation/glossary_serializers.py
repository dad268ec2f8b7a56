"""The shapes of a project's glossary in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.glossaries.entries import LONGEST_NOTE, LONGEST_TERM, MOST_TRANSLATIONS
from annotation.serializers import ErrorSerializer, Fields


class GlossaryEntrySerializer(Fields):
    """An agreed translation: a term, its translations, the preferred one first, and a note for annotators."""

    term_language = serializers.CharField(max_length=35, help_text="A language tag (BCP 47), such as de-CH.")
    translation_language = serializers.CharField(max_length=35)
    term = serializers.CharField(max_length=LONGEST_TERM)
    translations = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_TERM), min_length=1, max_length=MOST_TRANSLATIONS
    )
    note = serializers.CharField(max_length=LONGEST_NOTE, allow_blank=True, required=False)


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


class GlossarySerializer(Fields):
    """A project's glossary; `revision` is the same for the same entries, and empty if there are none."""

    revision = serializers.CharField()
    entries = SavedGlossaryEntrySerializer(many=True)
