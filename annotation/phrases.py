"""Sentences of pure modules, which know no gettext: English with placeholders, which pages translate. PURE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Phrase:
    """English text with named placeholders, whose values may be phrases too; the code that shows it translates it."""

    words: str
    gaps: Mapping[str, str | Phrase] = field(default_factory=dict)

    def text(self, translate: Callable[[str], str] = str) -> str:
        """The text with its placeholders filled in, in English, or translated by `translate` (gettext)."""
        gaps = {name: gap.text(translate) if isinstance(gap, Phrase) else gap for name, gap in self.gaps.items()}
        return translate(self.words) % gaps if gaps else translate(self.words)

    def __str__(self) -> str:
        return self.text()


class PhraseError(ValueError):
    """An error that says what is wrong by a phrase."""

    def __init__(self, phrase: Phrase) -> None:
        super().__init__(phrase.text())
        self.phrase = phrase
