"""Validated items, in the column layouts of the two papers, as `evaluate_encoder` reads them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from agreement.rated.compute import RatedItem


@dataclass(frozen=True, slots=True)
class Layout:
    """A file: its rows, how many there are, and how many sources have too few validated distractors."""

    text: str
    rows: int
    incomplete: int = 0


def layout(task: str, validated: Sequence[RatedItem], distractors: int | None = None) -> Layout:
    """The file of a task. `distractors`: how many a row of CLSD has; None: as many as any row has."""
    return _clsd(validated, distractors) if task == "clsd" else _samples(validated)


def _samples(validated: Sequence[RatedItem]) -> Layout:
    rows = [(item.a, item.b, item.metadata["target"], item.metadata["operator"]) for item in validated]
    return Layout(_csv(("A", "B", "target", "operator"), rows), len(rows))


def _clsd(validated: Sequence[RatedItem], distractors: int | None) -> Layout:
    # Also by the sentences: rows of two files of the same name may have the same number.
    sources: dict[tuple[str, str, str], list[RatedItem]] = {}
    for item in validated:
        sources.setdefault((item.metadata["row"], item.metadata["source"], item.a), []).append(item)
    count = distractors or max(map(len, sources.values()), default=1)
    columns = ["Source", "Target", *(f"TargetAdv{number}" for number in range(1, count + 1))]
    full = [own for own in sources.values() if len(own) >= count]
    rows = []
    for own in full:
        first = own[0]
        chosen = sorted(own, key=lambda item: item.metadata["number"])[:count]
        rows.append((first.metadata["source"], first.a, *(item.b for item in chosen)))
    return Layout(_csv(columns, rows), len(rows), len(sources) - len(full))


def _csv(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()
