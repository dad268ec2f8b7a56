"""Reads of a project's glossary."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.glossaries.entries import Entry
from annotation.models import GlossaryEntry, Project

Languages = tuple[str, str]
"""The language of terms and that of their translations, as tags."""


def glossary_list(project: Project, wanted: str = "") -> list[GlossaryEntry]:
    """The entries whose term, translations or note contain `wanted`, whatever its case; '' for all."""
    rows = _rows(project)
    if not wanted:
        return list(rows)
    part = wanted.casefold()
    return [row for row in rows if any(part in text.casefold() for text in (row.term, row.note, *row.translations))]


def _rows(project: Project) -> QuerySet[GlossaryEntry]:
    return GlossaryEntry.objects.filter(project=project).order_by("term_language", "translation_language", "term", "pk")


def glossary_entry_get(project: Project, pk: int) -> GlossaryEntry:
    """Raises NotFound."""
    entry = GlossaryEntry.objects.filter(project=project, pk=pk).first()
    if entry is None:
        raise NotFound(_("There is no such entry in this glossary."), where=project.name)
    return entry


def glossary_entries(project: Project) -> dict[Languages, list[Entry]]:
    """The entries by their languages, sorted by term."""
    found: dict[Languages, list[Entry]] = {}
    for row in _rows(project):
        entry = Entry(row.term, tuple(row.translations), row.note)
        found.setdefault((row.term_language, row.translation_language), []).append(entry)
    return found


def glossary_revision(entries: Mapping[Languages, list[Entry]]) -> str:
    """Names what a glossary holds: the same for the same entries; '' for none."""
    if not entries:
        return ""
    seed = [[*key, [[each.word, each.translations, each.note] for each in rows]] for key, rows in entries.items()]
    return hashlib.sha256(json.dumps(seed).encode()).hexdigest()[:12]


def glossary_last_change(project_id: int) -> int:
    """A number that grows with every change of the project's glossary; 0 where it was never written."""
    changes = GlossaryEntry.history.filter(project_id=project_id).order_by("-history_id")
    return int(changes.values_list("history_id", flat=True).first() or 0)


def glossary_languages(project: Project) -> Languages:
    """The languages that a new entry probably has: those of the newest entry, or else of the first pair."""
    newest = GlossaryEntry.objects.filter(project=project).order_by("-pk").first()
    if newest is not None:
        return newest.term_language, newest.translation_language
    pair = project.pairs.select_related("a", "b").order_by("position").first()
    return (pair.a.language, pair.b.language) if pair else ("", "")
