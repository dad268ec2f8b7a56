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

    message: str
    params: Mapping[str, str | Phrase] = field(default_factory=dict)

    def text(self, translate: Callable[[str], str] = str) -> str:
        """The text with its placeholders filled in, in English, or translated by `translate` (gettext)."""
        if not self.message:
            return ""  # gettext would give the catalogue's header
        params = {
            name: value.text(translate) if isinstance(value, Phrase) else value for name, value in self.params.items()
        }
        return translate(self.message) % params if params else translate(self.message)

    def __str__(self) -> str:
        return self.text()

    def map_params(self, convert: Callable[[str], str]) -> Phrase:
        """The same with every value that is a text converted."""
        params = {
            name: convert(value) if isinstance(value, str) else value.map_params(convert)
            for name, value in self.params.items()
        }
        return Phrase(self.message, params)

    def to_json(self) -> dict[str, Any]:
        """The phrase as it is stored, for readers in any language. The keys are those of rows that exist."""
        params = {name: value.to_json() if isinstance(value, Phrase) else value for name, value in self.params.items()}
        return {"words": self.message, "gaps": params} if params else {"words": self.message}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Phrase:
        """The phrase stored by `to_json`."""
        params = data.get("gaps", {})
        return cls(
            data["words"],
            {name: value if isinstance(value, str) else cls.from_json(value) for name, value in params.items()},
        )

    def with_params(self, **params: str | Phrase) -> Phrase:
        """The same message with these values in its placeholders."""
        return Phrase(self.message, params)


_PLACEHOLDER = re.compile(r"%\((\w+)\)s")


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
        if match := _pattern(phrase.message).fullmatch(text):
            return phrase.with_params(
                **{name: parse_phrase(value, phrases) for name, value in match.groupdict().items()}
            )
    return None


@cache
def _pattern(message: str) -> re.Pattern[str]:
    """Matches texts of this message; the values of its placeholders are groups of the same names."""
    # Odd parts are the names of placeholders.
    first, *rest = _PLACEHOLDER.split(message)
    pattern, names = re.escape(first), set[str]()
    for name, text in zip(rest[::2], rest[1::2], strict=True):
        # One that comes again must be filled likewise.
        pattern += f"(?P={name})" if name in names else f"(?P<{name}>.*)"
        pattern += re.escape(text)
        names.add(name)
    return re.compile(pattern, re.DOTALL)


def join_phrases(phrases: Iterable[Phrase | None]) -> Phrase | None:
    """The phrases that are not None as one, separated by semicolons; None if all are."""
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
