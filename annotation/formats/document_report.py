"""What became of documents in several languages: those that were kept, and what was dropped, with the reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from annotation.phrases import Phrase
from annotation.strict_json import escape_unprintable
from annotation.text.text_sizes import SizeRow

MAX_DROPPED = 2_000
"""Reasons that are stored with an import; the others are counted."""


@dataclass(frozen=True, slots=True)
class DroppedPage:
    """A page that a document lacks or that is of no use, and why; so the whole document is dropped.

    `language` is '' for a file that belongs to no language. `where` is the file, or the table's row.
    """

    document: str
    language: str
    where: str
    phrase: Phrase

    def to_json(self) -> dict[str, Any]:
        """The reason as it is stored: in English, and as a phrase that pages translate."""
        phrase = self.phrase.map_params(escape_unprintable)
        return {
            "document": escape_unprintable(self.document),
            "language": self.language,
            "where": escape_unprintable(self.where),
            "reason": phrase.text(),
            "phrase": phrase.to_json(),
        }


@dataclass(slots=True)
class ParallelDocumentReport:
    """The languages and pairs of languages that were wanted, how many documents were kept and dropped, and why."""

    languages: list[str]
    pairs: list[tuple[str, str]]
    kept: int = 0
    dropped_documents: int = 0
    dropped: list[DroppedPage] = field(default_factory=list)
    sizes: list[SizeRow] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The report as it is stored with its import."""
        return {
            "languages": self.languages,
            "pairs": ["-".join(pair) for pair in self.pairs],
            "kept": self.kept,
            "dropped_documents": self.dropped_documents,
            "dropped": [each.to_json() for each in self.dropped[:MAX_DROPPED]],
            "dropped_more": max(0, len(self.dropped) - MAX_DROPPED),
            "statistics": [row.to_json() for row in self.sizes],
        }
