"""Multi-parallel documents: rows of one text each, with one id in several languages, made into pairs.

A row is `{"id", "language", "text", "tokens"?, "split"?, "metadata"?}`. The language chosen as side A is paired with
every other language of the same id; the pair of `report` in English and German is called `report-de`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.formats.fields import LONGEST_ID, LONGEST_SPLIT, text_record
from annotation.formats.record import PairRecord, TextRecord
from annotation.formats.source import Refusals
from annotation.formats.typed import FieldError, check_keys, mapping, storable, string
from annotation.phrases import Phrase

_ROW = {"id", "language", "text", "tokens", "split", "metadata"}


@dataclass(frozen=True, slots=True)
class _LanguageText:
    text: TextRecord
    split: str
    metadata: dict[str, Any]
    where: str


@dataclass(slots=True)
class Documents:
    """The documents of a source, collected row by row."""

    side_a: str
    found: dict[str, dict[str, _LanguageText]] = field(default_factory=dict)

    def add(self, data: Mapping[str, Any], where: str) -> None:
        """Add one row. Raises FieldError."""
        check_keys(data, _ROW, "")
        if not self.side_a:
            raise FieldError(
                Phrase("language: rows of single texts need the option side_a=LANGUAGE, the language of side A")
            )
        metadata = mapping(data, "metadata", default={})
        identity = string(data, "id", longest=LONGEST_ID - 36, needed=True)
        text = text_record({key: data[key] for key in ("language", "text", "tokens") if key in data}, "row")
        versions = self.found.setdefault(identity, {})
        if text.language in versions:
            first = versions[text.language].where
            raise FieldError(
                Phrase(
                    "id: '%(identity)s' appears twice in %(language)s; first in %(first)s",
                    {"identity": str(identity), "language": str(text.language), "first": str(first)},
                )
            )
        split = string(data, "split", longest=LONGEST_SPLIT)
        versions[text.language] = _LanguageText(text, split, storable(metadata, "metadata"), where)

    def pairs(self, refusals: Refusals) -> list[PairRecord]:
        """One pair per document and language other than side A's; a document without side A is refused."""
        records = []
        for identity, versions in self.found.items():
            a = versions.get(self.side_a)
            if a is None:
                where = next(iter(versions.values())).where
                refusals.add(
                    where,
                    Phrase(
                        "'%(id)s' has no text in %(side_a)s, the language of side A",
                        {"id": identity, "side_a": self.side_a},
                    ),
                )
                continue
            for language, b in versions.items():
                if b is not a:
                    metadata = {**a.metadata, **b.metadata, "document": identity}
                    name = f"{identity}-{language}"
                    records.append(
                        PairRecord(name, a.text, b.text, split=a.split or b.split, metadata=metadata, where=b.where)
                    )
        return records
