"""What items are made of: parallel sentences, and texts whose sentences are taken three by three."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from annotation.text.paragraphs import paragraphs
from annotation.text.sentences import sentences
from assist.encoder_choice.tables import table_rows


@dataclass(frozen=True, slots=True)
class Parallel:
    """A sentence and its translation; ``id`` names the row of the file."""

    id: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Triple:
    """Three consecutive sentences; ``id`` says where in the file."""

    id: str
    before: str
    middle: str
    after: str


def parallel_rows(text: str, name: str) -> list[Parallel]:
    """The rows of a table with the columns ``Source, Target``; others are ignored. ``name`` is that of its file.

    TableError if one is missing.
    """
    rows = table_rows(text, name, ["Source", "Target"])
    return [Parallel(f"{PurePath(name).stem}:{line}", source, target) for line, (source, target) in rows]


def triples(text: str, name: str, language: str) -> list[Triple]:
    """Triples of a table with the columns ``P, C, N``, or of a text (.txt): each sentence is in one triple at most.

    The sentences of a triple are in one paragraph; what is left over at a paragraph's end is not used. TableError if
    the table lacks a column of these.
    """
    stem, suffix = PurePath(name).stem, PurePath(name).suffix
    if suffix.lower() != ".txt":
        rows = table_rows(text, name, ["P", "C", "N"])
        return [Triple(f"{stem}:{line}", *cells) for line, cells in rows]
    result = []
    for number, (start, end) in enumerate(paragraphs(text), 1):
        paragraph = text[start:end]
        parts = [" ".join(paragraph[low:high].split()) for low, high in sentences(paragraph, language)]
        parts = [part for part in parts if part]
        starts = range(0, len(parts) - 2, 3)
        result += [Triple(f"{stem}:{number}-{index // 3 + 1}", *parts[index : index + 3]) for index in starts]
    return result
