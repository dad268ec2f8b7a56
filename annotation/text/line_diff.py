"""What changed between two versions of a text: by lines, and by words within lines that were rewritten."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Kind = Literal["same", "removed", "added"]
CONTEXT = 2
"""Unchanged lines shown on either side of a change."""
MAX_REWRITTEN_LENGTH = 400
"""Words of a line up to which a rewritten line is compared word by word: comparing takes the square of it."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of either version: its parts with whether each changed. `gap`: unchanged lines before it are omitted."""

    kind: Kind
    parts: tuple[tuple[str, bool], ...]
    gap: bool = False


def line_diff(before: str, after: str) -> list[DiffLine]:
    """The changed lines with `CONTEXT` unchanged ones around them; empty if nothing changed."""
    old, new = before.splitlines(), after.splitlines()
    result: list[DiffLine] = []
    last = 0
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
        lines = [line for code in group for line in _lines(code, old, new)]
        first = lines[0]
        result += [DiffLine(first.kind, first.parts, gap=group[0][1] > last), *lines[1:]]
        last = group[-1][2]
    return result


def _lines(code: tuple[str, int, int, int, int], old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    tag, i, j, k, m = code
    if tag == "equal":
        yield from (DiffLine("same", ((line, False),)) for line in old[i:j])
    elif tag == "replace" and j - i == m - k:
        pairs = [_words(a, b) for a, b in zip(old[i:j], new[k:m], strict=True)]
        yield from (DiffLine("removed", a) for a, _ in pairs)
        yield from (DiffLine("added", b) for _, b in pairs)
    else:
        yield from (DiffLine("removed", ((line, False),)) for line in old[i:j])
        yield from (DiffLine("added", ((line, False),)) for line in new[k:m])


def _words(a: str, b: str) -> tuple[tuple[tuple[str, bool], ...], tuple[tuple[str, bool], ...]]:
    old, new = (re.findall(r"(?:\w+|[^\w\s]|^)\s*", line) for line in (a, b))
    if max(len(old), len(new)) > MAX_REWRITTEN_LENGTH:
        return ((a, False),), ((b, False),)
    left: list[tuple[str, bool]] = []
    right: list[tuple[str, bool]] = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if i < j:
            left.append(("".join(old[i:j]), tag != "equal"))
        if k < m:
            right.append(("".join(new[k:m]), tag != "equal"))
    return tuple(left), tuple(right)
