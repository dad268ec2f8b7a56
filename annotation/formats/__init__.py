"""The registry of formats: what each is called, what it is, and its options. Each reads into `record.Reading`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotation.formats import hub, jsonl, rsd, swissgov, table, xparade
from annotation.formats.record import PairRecord, Reading
from annotation.formats.source import refusal
from annotation.text.schemes import Scheme


@dataclass(frozen=True, slots=True)
class Format:
    """One format. `read(paths, options)` raises FormatError; `write(records, scheme, out)` returns what it wrote."""

    name: str
    describes: str
    read: Callable[[Sequence[Path], Mapping[str, str]], Reading]
    write: Callable[[Iterable[PairRecord], Scheme, Path], list[Path]]
    options: Mapping[str, str] = field(default_factory=dict)


FORMATS: dict[str, Format] = {
    item.name: item
    for item in (
        Format("jsonl", "pairs, annotations and gold, one JSON object a line", jsonl.read, jsonl.write, jsonl.OPTIONS),
        Format("csv", "a table (CSV or TSV), one pair a row", table.read, table.write, table.OPTIONS),
        Format("xparade", "X-PARADE's files of one direction", xparade.read, xparade.write, xparade.OPTIONS),
        Format("swissgov", "SwissGov-RSD's annotations folder", swissgov.read, swissgov.write, swissgov.OPTIONS),
        Format("rsd", "merged token labels, kept as gold", rsd.read, rsd.write, rsd.OPTIONS),
        Format("hub", "a Hugging Face data set folder", hub.read, hub.write, hub.OPTIONS),
    )
}
_BY_SUFFIX = {".jsonl": "jsonl", ".csv": "csv", ".tsv": "csv", ".json": "xparade"}


def format_of(paths: Sequence[Path]) -> str:
    """The format that the paths' endings tell. Raises FormatError where they do not."""
    names = {_BY_SUFFIX.get(path.suffix, "") for path in paths}
    if len(names) == 1 and "" not in names:
        return names.pop()
    raise refusal(" ".join(map(str, paths)), f"the format is not told by the ending; --format {'|'.join(FORMATS)}")


def read(name: str, paths: Sequence[Path], options: Mapping[str, str] | None = None) -> Reading:
    """Read `paths` as the format `name` ('' tells it by the ending). Raises FormatError."""
    name = name or format_of(paths)
    if name not in FORMATS:
        raise refusal(f"--format {name}", f"there is no such format; there are {', '.join(FORMATS)}")
    return FORMATS[name].read(paths, options or {})
