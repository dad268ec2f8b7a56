"""Entries of glossaries: what is accepted as a term, merged, and read from the other language."""

from __future__ import annotations

import pytest

from annotation.glossaries.entries import (
    MAX_NOTE_LENGTH,
    MAX_TERM_LENGTH,
    MAX_TRANSLATIONS,
    TermEntry,
    entry_problem,
    merge_entries,
    reverse_entries,
    split_translations,
)


def test_translations_are_separated_by_semicolons_and_not_repeated() -> None:
    assert split_translations(" house;  home  town ; house;;") == ("house", "home town")


@pytest.mark.parametrize(
    ("entry", "field", "part"),
    [
        (TermEntry("", ("a",)), "term", "empty"),
        (TermEntry("a", ()), "translations", "at least one"),
        (TermEntry("a", ("b",) * (MAX_TRANSLATIONS + 1)), "translations", "at most"),
        (TermEntry("a" * (MAX_TERM_LENGTH + 1), ("b",)), "term", "at most"),
        (TermEntry("a", ("b" * (MAX_TERM_LENGTH + 1),)), "translations", "at most"),
        (TermEntry("a\x07", ("b",)), "term", "U+0007"),
        (TermEntry("a", ("b\u202e",)), "translations", "U+202E"),
        (TermEntry("a\0", ("b",)), "term", "NUL"),
        (TermEntry("--", ("b",)), "term", "no letter"),
        (TermEntry("a;b", ("b",)), "term", "separates"),
        (TermEntry("a", ("b",), "n" * (MAX_NOTE_LENGTH + 1)), "note", "at most"),
        (TermEntry("a", ("b",), "one\ntwo"), "note", "U+000A"),
    ],
)
def test_invalid_entries_are_named_by_field(entry: TermEntry, field: str, part: str) -> None:
    problem = entry_problem(entry)
    assert problem and problem.field == field and part in str(problem.reason)


def test_entries_in_every_script_are_valid() -> None:
    for word in ("Straßenbahn", "क्षत्रिय", "图书馆", "مكتبة", "C++ 17"):
        assert entry_problem(TermEntry(word, (word,), "used in § 3")) is None


def test_a_word_twice_becomes_one_entry() -> None:
    first, second = TermEntry("law", ("Recht",)), TermEntry("law", ("Gesetz", "Recht"), "a note")
    assert merge_entries(first, second) == TermEntry("law", ("Recht", "Gesetz"), "a note")
    many = TermEntry("law", tuple(f"word {n}" for n in range(MAX_TRANSLATIONS)))
    assert merge_entries(many, first) == many


def test_entries_turned_keep_their_notes() -> None:
    assert reverse_entries([TermEntry("law", ("Recht", "Gesetz"), "n"), TermEntry("right", ("Recht",))]) == [
        TermEntry("Recht", ("law", "right"), "n"),
        TermEntry("Gesetz", ("law",), "n"),
    ]
