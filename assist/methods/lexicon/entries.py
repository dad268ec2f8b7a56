"""Two bilingual word lists joined through the language that both have."""

from collections.abc import Iterable

from annotation.glossaries.entries import TermEntry as TermEntry
from annotation.glossaries.entries import reverse_entries as reverse_entries


def join_through_shared(first: Iterable[TermEntry], second: Iterable[TermEntry]) -> list[TermEntry]:
    """From the first list's language to the second's, through the language that both share (``first`` leads to it)."""
    onward: dict[str, list[str]] = {}
    for entry in second:
        onward.setdefault(entry.word, []).extend(entry.translations)
    return [
        TermEntry(entry.word, tuple(dict.fromkeys(goal for word in entry.translations for goal in onward[word])))
        for entry in (TermEntry(each.word, tuple(t for t in each.translations if t in onward)) for each in first)
        if entry.translations
    ]
