"""A format in a module of its own: a pair is two lines, English and German, and an empty line ends it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from annotation.formats.base import FORMATS, Format, Option
from annotation.formats.record import PairRecord, ParsedSource, TextRecord
from annotation.formats.safe_paths import target_file
from annotation.formats.source import refusal
from annotation.phrases import Phrase
from annotation.text.schemes import PRESETS, Scheme


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read files of pairs, called by their number after `prefix`."""
    pairs = [lines.splitlines() for path in paths for lines in path.read_text(encoding="utf-8").strip().split("\n\n")]
    prefix = options.get("prefix", "pair")
    records = []
    for number, lines in enumerate(pairs, 1):
        if len(lines) != 2:
            raise refusal(f"pair {number}", Phrase("two lines are expected"))
        a, b = lines
        records.append(PairRecord(f"{prefix}{number}", TextRecord("en", a), TextRecord("de", b)))
    return ParsedSource(records, PRESETS["graded"])


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write the texts to the file `out`."""
    out = target_file(out)
    out.write_text("\n\n".join(f"{each.a.text}\n{each.b.text}" for each in records) + "\n", encoding="utf-8")
    return [out]


FORMAT = FORMATS.register(
    Format(
        "two-lines",
        "two lines a pair",
        read,
        write,
        {"prefix": Option("what the ids of pairs begin with")},
        extensions=(".2l",),
        exports="the texts of each pair, on two lines",
        ending=".2l",
    )
)
