"""Sentences of pure modules, which know no gettext: English with placeholders, which pages translate."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Phrase:
    """English text with named placeholders, whose values may be phrases too; the code that shows it translates it."""

    words: str
    gaps: Mapping[str, str | Phrase] = field(default_factory=dict)

    def text(self, translate: Callable[[str], str] = str) -> str:
        """The text with its placeholders filled in, in English, or translated by `translate` (gettext)."""
        if not self.words:
            return ""  # gettext would give the catalogue's header
        gaps = {name: gap.text(translate) if isinstance(gap, Phrase) else gap for name, gap in self.gaps.items()}
        return translate(self.words) % gaps if gaps else translate(self.words)

    def __str__(self) -> str:
        return self.text()

    def map_gaps(self, convert: Callable[[str], str]) -> Phrase:
        """The same with every value that is a text converted."""
        gaps = {
            name: convert(gap) if isinstance(gap, str) else gap.map_gaps(convert) for name, gap in self.gaps.items()
        }
        return Phrase(self.words, gaps)

    def to_json(self) -> dict[str, Any]:
        """The phrase as it is stored, for readers in any language."""
        gaps = {name: gap.to_json() if isinstance(gap, Phrase) else gap for name, gap in self.gaps.items()}
        return {"words": self.words, "gaps": gaps} if gaps else {"words": self.words}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Phrase:
        """The phrase stored by `to_json`."""
        gaps = data.get("gaps", {})
        return cls(
            data["words"], {name: gap if isinstance(gap, str) else cls.from_json(gap) for name, gap in gaps.items()}
        )

    def filled(self, **gaps: str | Phrase) -> Phrase:
        """The same words with these values in their placeholders."""
        return Phrase(self.words, gaps)


_GAP = re.compile(r"%\((\w+)\)s")


def parse_phrase(text: str, phrases: Iterable[Phrase]) -> Phrase:
    """The phrase of `phrases` that reads `text` in English, its placeholders filled likewise; else `text` as a phrase.

    Several in one text, as `join_phrases` makes it, are each recognised, unless one has a semicolon itself. For what is
    stored in English, which programs and files read, and shown in the reader's language.
    """
    phrases = tuple(phrases)
    parts = [_match_phrase(part, phrases) for part in text.split("; ")]
    phrase = join_phrases(parts) if None not in parts else _match_phrase(text, phrases)
    return phrase or Phrase(text)


def _match_phrase(text: str, phrases: Sequence[Phrase]) -> Phrase | None:
    for phrase in phrases:
        if match := _pattern(phrase.words).fullmatch(text):
            return phrase.filled(**{name: parse_phrase(gap, phrases) for name, gap in match.groupdict().items()})
    return None


@cache
def _pattern(words: str) -> re.Pattern[str]:
    """Matches texts with these words; what is in the placeholders by their names."""
    # Odd parts are the names of placeholders.
    first, *rest = _GAP.split(words)
    pattern, names = re.escape(first), set[str]()
    for name, text in zip(rest[::2], rest[1::2], strict=True):
        # One that comes again must be filled likewise.
        pattern += f"(?P={name})" if name in names else f"(?P<{name}>.*)"
        pattern += re.escape(text)
        names.add(name)
    return re.compile(pattern, re.DOTALL)


def join_phrases(phrases: Iterable[Phrase | None]) -> Phrase | None:
    """Those that there are, in one phrase, separated by semicolons; None without any."""
    joined: Phrase | None = None
    for each in phrases:
        if each is not None:
            joined = each if joined is None else Phrase("%(first)s; %(next)s", {"first": joined, "next": each})
    return joined


class PhraseError(ValueError):
    """An error that says what is wrong by a phrase."""

    def __init__(self, phrase: Phrase) -> None:
        super().__init__(phrase.text())
        self.phrase = phrase


def field_problem(field: str, reason: Phrase) -> Phrase:
    """What is wrong with a field, or somewhere else that is named as files and programs name it."""
    return Phrase("%(field)s: %(reason)s", {"field": field, "reason": reason})
