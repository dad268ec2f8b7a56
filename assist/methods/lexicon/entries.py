"""What a bilingual word list holds, whatever its format: words or phrases that translate each other."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of one language and its usual translations into another, as they would be written in a text."""

    word: str
    translations: tuple[str, ...]


def turned(entries: Iterable[Entry]) -> list[Entry]:
    """The same list, read from the other language."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        for translation in entry.translations:
            found.setdefault(translation, []).append(entry.word)
    return [Entry(word, tuple(dict.fromkeys(translations))) for word, translations in found.items()]


def joined(first: Iterable[Entry], second: Iterable[Entry]) -> list[Entry]:
    """From the first list's language to the second's, through the language that both share (``first`` leads to it)."""
    onward: dict[str, list[str]] = {}
    for entry in second:
        onward.setdefault(entry.word, []).extend(entry.translations)
    return [
        Entry(entry.word, tuple(dict.fromkeys(goal for word in entry.translations for goal in onward[word])))
        for entry in (Entry(each.word, tuple(t for t in each.translations if t in onward)) for each in first)
        if entry.translations
    ]
