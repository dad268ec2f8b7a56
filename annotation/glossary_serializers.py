"""The shapes of a project's glossary in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.glossaries.entries import LONGEST_NOTE, LONGEST_TERM, MOST_TRANSLATIONS
from annotation.serializers import Fields


class GlossaryEntrySerializer(Fields):
    """An agreed translation: a term, its translations, the preferred one first, and a note for annotators."""

    term_language = serializers.CharField(max_length=35, help_text="A language tag (BCP 47), such as de-CH.")
    translation_language = serializers.CharField(max_length=35)
    term = serializers.CharField(max_length=LONGEST_TERM)
    translations = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_TERM), min_length=1, max_length=MOST_TRANSLATIONS
    )
    note = serializers.CharField(max_length=LONGEST_NOTE, allow_blank=True, required=False)


class SavedGlossaryEntrySerializer(Fields):
    """An entry of the glossary."""

    id = serializers.IntegerField()
    term_language = serializers.CharField()
    translation_language = serializers.CharField()
    term = serializers.CharField()
    translations = serializers.ListField(child=serializers.CharField())
    note = serializers.CharField()


class GlossarySerializer(Fields):
    """A project's glossary; `revision` is the same for the same entries, and empty if there are none."""

    revision = serializers.CharField()
    entries = SavedGlossaryEntrySerializer(many=True)
