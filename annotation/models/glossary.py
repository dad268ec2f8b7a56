"""The entries of glossaries. Rows only, as in `core`."""

from __future__ import annotations

from django.db import models
from simple_history.models import HistoricalRecords

from annotation.glossaries.entries import MAX_NOTE_LENGTH, MAX_TERM_LENGTH
from annotation.models.core import Project


class GlossaryEntry(models.Model):
    """A project's agreed translation: a term in one language, its translations into another, and a note."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="glossary")
    term_language = models.CharField(max_length=35)
    translation_language = models.CharField(max_length=35)
    term = models.CharField(max_length=MAX_TERM_LENGTH)
    translations = models.JSONField()
    note = models.CharField(max_length=MAX_NOTE_LENGTH, blank=True)
    revision = models.PositiveIntegerField(default=1)
    history = HistoricalRecords()

    class Meta:
        ordering = ("project", "term_language", "translation_language", "term", "pk")
        verbose_name_plural = "glossary entries"
        constraints = (
            models.UniqueConstraint(
                fields=("project", "term_language", "translation_language", "term"), name="glossary_term_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.term} ({self.term_language}-{self.translation_language})"
