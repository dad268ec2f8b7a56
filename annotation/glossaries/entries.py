"""The entries of a bilingual word list in any format: words or phrases that translate each other."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace

from annotation.phrases import Phrase
from annotation.strict_json import display_text, has_visible_text, name_problem

MAX_ENTRIES = 20_000
"""Entries of one project's glossary."""
MAX_TERM_LENGTH = 200
"""Characters of a term, and of one translation."""
MAX_TRANSLATIONS = 20
"""Translations of one term."""
MAX_NOTE_LENGTH = 1_000
"""Characters of a note."""
SEPARATOR = ";"
"""Separates the translations of a term that are written in one field."""


@dataclass(frozen=True, slots=True)
class TermEntry:
    """A word of one language and its usual translations into another, as they would be written in a text.

    ``note`` is what people should know about it; '' in word lists made for machines.
    """

    word: str
    translations: tuple[str, ...]
    note: str = ""


def split_translations(text: str) -> tuple[str, ...]:
    """The translations in one field, without repetitions: 'house; home' -> ('house', 'home')."""
    return tuple(dict.fromkeys(part for each in text.split(SEPARATOR) if (part := normalise_spaces(each))))


def normalise_spaces(text: str) -> str:
    """A text with single spaces, and none at either end."""
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Problem:
    """The field of an entry that is invalid, `term`, `translations` or `note`, and why."""

    field: str
    reason: Phrase

    @property
    def phrase(self) -> Phrase:
        return Phrase("%(field)s: %(reason)s", {"field": _NAMES[self.field], "reason": self.reason})


_NAMES = {"term": Phrase("Term"), "translations": Phrase("Translations"), "note": Phrase("Note")}


def entry_problem(entry: TermEntry) -> Problem | None:
    """What is invalid in an entry, or None."""
    if not entry.word:
        return Problem("term", Phrase("empty"))
    if not entry.translations:
        return Problem("translations", Phrase("at least one is needed"))
    if len(entry.translations) > MAX_TRANSLATIONS:
        return Problem("translations", _too_many(len(entry.translations)))
    for name, text in (("term", entry.word), *(("translations", each) for each in entry.translations)):
        if reason := _term_problem(text):
            return Problem(name, reason)
    if len(entry.note) > MAX_NOTE_LENGTH:
        return Problem("note", _too_long(entry.note, MAX_NOTE_LENGTH))
    if entry.note and (reason := name_problem(entry.note)):
        return Problem("note", reason)
    return None


def _term_problem(text: str) -> Phrase | None:
    if len(text) > MAX_TERM_LENGTH:
        return _too_long(text, MAX_TERM_LENGTH)
    if reason := name_problem(text):
        return reason
    if not has_visible_text(text) or not any(character.isalnum() for character in text):
        return Phrase("“%(text)s” has no letter or digit", {"text": display_text(text)})
    if SEPARATOR in text:
        return Phrase(
            "“%(text)s” contains “%(character)s”, which separates translations",
            {"text": display_text(text), "character": SEPARATOR},
        )
    return None


def _too_many(count: int) -> Phrase:
    return Phrase("%(n)s; at most %(most)s are accepted", {"n": str(count), "most": str(MAX_TRANSLATIONS)})


def _too_long(text: str, limit: int) -> Phrase:
    return Phrase("%(n)s characters; at most %(most)s are accepted", {"n": str(len(text)), "most": str(limit)})


def alphabetical(text: str) -> tuple[str, str]:
    """Sorts texts as people do, whatever their capitals and accents: `éclair` beside `Eclair`, before `edge`."""
    letters = (each for each in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(each))
    return "".join(letters), text


def merge_entries(first: TermEntry, second: TermEntry) -> TermEntry:
    """One entry of two of the same word: the translations of both, and the first note."""
    translations = tuple(dict.fromkeys((*first.translations, *second.translations)))[:MAX_TRANSLATIONS]
    return replace(first, translations=translations, note=first.note or second.note)


def reverse_entries(entries: Iterable[TermEntry]) -> list[TermEntry]:
    """The same list in the opposite direction."""
    notes_by_translation: dict[str, dict[str, str]] = {}
    notes: dict[str, str] = {}
    for entry in entries:
        for translation in entry.translations:
            notes_by_translation.setdefault(translation, {})[entry.word] = ""
            notes[translation] = notes.get(translation, "") or entry.note
    return [TermEntry(word, tuple(translations), notes[word]) for word, translations in notes_by_translation.items()]
