"""The entries of a bilingual word list in any format: words or phrases that translate each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from annotation.strict_json import is_seen, shown, unprintable

MOST_ENTRIES = 20_000
"""Entries of one project's glossary."""
LONGEST_TERM = 200
"""Characters of a term, and of one translation."""
MOST_TRANSLATIONS = 20
"""Translations of one term."""
LONGEST_NOTE = 1_000
"""Characters of a note."""
BETWEEN = ";"
"""Separates the translations of a term that are written in one field."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of one language and its usual translations into another, as they would be written in a text.

    ``note`` is what people should know about it; '' in word lists made for machines.
    """

    word: str
    translations: tuple[str, ...]
    note: str = ""


def split_translations(text: str) -> tuple[str, ...]:
    """The translations in one field, without repetitions: 'house; home' -> ('house', 'home')."""
    return tuple(dict.fromkeys(part for each in text.split(BETWEEN) if (part := plain(each))))


def plain(text: str) -> str:
    """A text with single spaces, and none at either end."""
    return " ".join(text.split())


def entry_problem(entry: Entry) -> tuple[str, str]:
    """The field of an entry that is invalid (a field's name) and why; ('', '') if all are valid."""
    if not entry.word:
        return "term", "empty"
    if not entry.translations:
        return "translations", "at least one is needed"
    if len(entry.translations) > MOST_TRANSLATIONS:
        return "translations", f"{len(entry.translations)}; at most {MOST_TRANSLATIONS} are accepted"
    for field, text in (("term", entry.word), *(("translations", each) for each in entry.translations)):
        if problem := _term_problem(text):
            return field, problem
    if len(entry.note) > LONGEST_NOTE:
        return "note", f"{len(entry.note)} characters; at most {LONGEST_NOTE} are accepted"
    if entry.note and (problem := unprintable(entry.note)):
        return "note", problem
    return "", ""


def _term_problem(text: str) -> str:
    if len(text) > LONGEST_TERM:
        return f"{len(text)} characters; at most {LONGEST_TERM} are accepted"
    if problem := unprintable(text):
        return problem
    if not is_seen(text) or not any(character.isalnum() for character in text):
        return f"'{shown(text)}' has no letter or digit"
    if BETWEEN in text:
        return f"'{shown(text)}' contains '{BETWEEN}', which separates translations"
    return ""


def merged(entries: Iterable[Entry]) -> list[Entry]:
    """One entry per word: the translations of its entries in order, and the first note."""
    found: dict[str, Entry] = {}
    for entry in entries:
        known = found.get(entry.word)
        if known is None:
            found[entry.word] = entry
        else:
            translations = tuple(dict.fromkeys((*known.translations, *entry.translations)))[:MOST_TRANSLATIONS]
            found[entry.word] = replace(known, translations=translations, note=known.note or entry.note)
    return list(found.values())


def turned(entries: Iterable[Entry]) -> list[Entry]:
    """The same list in the opposite direction."""
    found: dict[str, dict[str, str]] = {}
    notes: dict[str, str] = {}
    for entry in entries:
        for translation in entry.translations:
            found.setdefault(translation, {})[entry.word] = ""
            notes[translation] = notes.get(translation, "") or entry.note
    return [Entry(word, tuple(translations), notes[word]) for word, translations in found.items()]
