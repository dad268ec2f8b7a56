"""Reads of a project's glossary."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.cached_statements import PreparedQuery
from annotation.errors import NotFound
from annotation.glossaries.entries import TermEntry, alphabetical
from annotation.glossaries.matching import Finder
from annotation.models import Pair, Project
from annotation.models.glossary import GlossaryEntry
from annotation.text.tokens import base_language

Languages = tuple[str, str]
"""The language of terms and that of their translations, as tags."""


def glossary_list(project: Project, query: str = "") -> list[GlossaryEntry]:
    """The entries whose term, translations or note contain `query`, ignoring case; '' for all."""
    rows = sorted(_rows(project), key=_order)
    if not query:
        return rows
    part = query.casefold()
    return [row for row in rows if any(part in text.casefold() for text in (row.term, row.note, *row.translations))]


def _order(row: GlossaryEntry) -> tuple[str, str, tuple[str, str]]:
    return row.term_language, row.translation_language, alphabetical(row.term)


def _rows(project: Project) -> QuerySet[GlossaryEntry]:
    return GlossaryEntry.objects.filter(project=project).order_by("term_language", "translation_language", "term", "pk")


def glossary_entry_get(project: Project, pk: int) -> GlossaryEntry:
    """Raises NotFound."""
    entry = GlossaryEntry.objects.filter(project=project, pk=pk).first()
    if entry is None:
        raise NotFound(_("There is no such entry in this glossary."), where=project.name)
    return entry


@dataclass(frozen=True, slots=True)
class EntryChange:
    """The last change of an entry: the username, '' if unknown, and when."""

    by: str
    at: datetime


def glossary_entry_change(entry: GlossaryEntry) -> EntryChange:
    """Who made an entry what it is."""
    row = GlossaryEntry.history.filter(id=entry.pk).select_related("history_user").latest()
    return EntryChange(row.history_user.get_username() if row.history_user else "", row.history_date)


@dataclass(frozen=True, slots=True)
class Deletion:
    """The entries that were deleted last, together, and are not back; when, and by whom ('': unknown)."""

    entries: list[GlossaryEntry]
    at: datetime
    by: str


def glossary_last_deletion(project: Project) -> Deletion | None:
    """What can be restored; None if nothing was deleted, or all of it is back."""
    rows = GlossaryEntry.history.filter(project=project, history_type="-").select_related("history_user")
    last = rows.order_by("-history_date", "-history_id").first()
    if last is None:
        return None
    existing = {(row.term_language, row.translation_language, row.term) for row in _rows(project)}
    deleted = [row.instance for row in rows.filter(history_date=last.history_date)]
    entries = [row for row in deleted if (row.term_language, row.translation_language, row.term) not in existing]
    by = last.history_user.get_username() if last.history_user else ""
    return Deletion(sorted(entries, key=_order), last.history_date, by) if entries else None


def glossary_entry_json(row: GlossaryEntry) -> dict[str, Any]:
    """An entry in the API's JSON."""
    return {
        "id": row.pk,
        "revision": row.revision,
        "term_language": row.term_language,
        "translation_language": row.translation_language,
        "term": row.term,
        "translations": row.translations,
        "note": row.note,
    }


def glossary_entries(project: Project) -> dict[Languages, list[TermEntry]]:
    """The entries by their languages, sorted by term."""
    entries: dict[Languages, list[TermEntry]] = {}
    for row in _rows(project):
        entry = TermEntry(row.term, tuple(row.translations), row.note)
        entries.setdefault((row.term_language, row.translation_language), []).append(entry)
    return entries


def glossary_revision(entries: Mapping[Languages, list[TermEntry]]) -> str:
    """A digest of a glossary's entries; '' if there are none."""
    if not entries:
        return ""
    seed = [[*key, [[each.word, each.translations, each.note] for each in rows]] for key, rows in entries.items()]
    return hashlib.sha256(json.dumps(seed).encode()).hexdigest()[:12]


def glossary_last_change(project_id: int) -> tuple[int, datetime] | None:
    """The number and time of the last change of the project's glossary; None if it was never written."""
    return _LAST_CHANGE.first(project=project_id)


_LAST_CHANGE: PreparedQuery[tuple[int, datetime]] = PreparedQuery(
    lambda project: (
        GlossaryEntry.history.filter(project_id=project)
        .order_by("-history_id")
        .values_list("history_id", "history_date")[:1]
    ),
    project=int,
)


def glossary_in_pair(pair: Pair) -> dict[str, Any] | None:
    """The glossary entries that occur in a pair's texts, and where: token ranges by side; None if there is no glossary.

    Matches are `[first token, one after the last, number of the entry]`.
    """
    change = glossary_last_change(pair.project_id)
    finders = _finders(pair.project_id, change, pair.a.language, pair.b.language) if change else None
    if finders is None:
        return None
    matches_by_side = {
        side: finders.sides[side].find(text.content, text.tokens) for side, text in (("a", pair.a), ("b", pair.b))
    }
    used = sorted({entry for matches in matches_by_side.values() for _, _, entry in matches})
    number = {entry: index for index, entry in enumerate(used)}
    return {
        "entries": [finders.entries[entry] for entry in used],
        "matches": {
            side: [[start, end, number[entry]] for start, end, entry in matches]
            for side, matches in matches_by_side.items()
        },
    }


@dataclass(frozen=True)
class _Finders:
    """The entries of two languages as the workspace gets them, and the finder for each side."""

    entries: list[dict[str, Any]]
    sides: dict[str, Finder]


@lru_cache(maxsize=16)
def _finders(project: int, _change: tuple[int, datetime], language_a: str, language_b: str) -> _Finders | None:
    """The finders of the glossary's entries in pairs of these languages; cached until the glossary changes."""
    bases = {"a": base_language(language_a), "b": base_language(language_b)}
    rows = [
        row
        for row in GlossaryEntry.objects.filter(project=project).order_by("term", "pk")
        if {base_language(row.term_language), base_language(row.translation_language)} == set(bases.values())
    ]
    if not rows:
        return None
    entries = [
        {
            "term": row.term,
            "term_language": row.term_language,
            "translations": row.translations,
            "translation_language": row.translation_language,
            "note": row.note,
        }
        for row in rows
    ]

    def phrases(side: str) -> Iterator[tuple[str, int]]:
        for number, row in enumerate(rows):
            if base_language(row.term_language) == bases[side]:
                yield row.term, number
            if base_language(row.translation_language) == bases[side]:
                for translation in row.translations:
                    yield translation, number

    return _Finders(entries, {side: Finder(phrases(side), base) for side, base in bases.items()})


def glossary_languages(project: Project) -> Languages:
    """The languages that a new entry probably has: those of the first pair, or else of the newest entry."""
    pair = project.pairs.select_related("a", "b").order_by("position").first()
    if pair is not None and pair.a.language != pair.b.language:
        return pair.a.language, pair.b.language
    newest = GlossaryEntry.objects.filter(project=project).order_by("-pk").first()
    return (newest.term_language, newest.translation_language) if newest else ("", "")
