"""Paragraphs and sentences of a text, as half-open ranges of Unicode code points."""

from __future__ import annotations

import itertools
import re
import warnings
from functools import cache
from typing import Any

from icu4py.breakers import SentenceBreaker

from annotation.text.tokens import Range, base_language

_PYSBD = frozenset("en hi mr bg es ru ar am hy fa ur pl zh nl da fr it el my ja de kk sk".split())  # noqa: SIM905
# pysbd's time grows with the square of a paragraph's length: minutes for the longest that is accepted.
_LONGEST_RULED = 10_000
_PARAGRAPH = re.compile(r"[^\n\r\u2028\u2029]+")
_RIGHT_TO_LEFT = frozenset("ar arc ckb dv fa ha he khw ks ps sd ug ur yi".split())  # noqa: SIM905


def direction(language: str) -> str:
    """'rtl' or 'ltr': the `dir` of a text in `language`."""
    return "rtl" if base_language(language) in _RIGHT_TO_LEFT else "ltr"


def paragraphs(text: str) -> list[Range]:
    """The lines of `text` that are not only white space, trimmed."""
    ranges = []
    for match in _PARAGRAPH.finditer(text):
        trimmed = _trimmed(text, match.start(), match.end())
        if trimmed:
            ranges.append(trimmed)
    return ranges


def sentences(text: str, language: str) -> list[Range]:
    """The sentences of `text`; none crosses a paragraph, and every visible character is in exactly one."""
    base = base_language(language)
    result: list[Range] = []
    for start, end in paragraphs(text):
        paragraph = text[start:end]
        ruled = base in _PYSBD and len(paragraph) <= _LONGEST_RULED
        pieces = _pysbd(base).segment(paragraph) if ruled else list(SentenceBreaker(paragraph, base))
        result.extend(_located(text, start, end, pieces))
    return result


@cache
def _pysbd(language: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pysbd

        return pysbd.Segmenter(language=language, clean=False)


def _located(text: str, start: int, end: int, pieces: list[str]) -> list[Range]:
    """The pieces' ranges. A piece that is not found verbatim (pysbd rewrote it) is joined to the next one."""
    cuts, at = [start], start
    for piece in pieces[:-1]:
        found = text.find(piece.strip(), at, end)
        if found < 0 or not piece.strip():
            continue
        at = found + len(piece.strip())
        cuts.append(at)
    cuts.append(end)
    ranges = []
    for low, high in itertools.pairwise(cuts):
        trimmed = _trimmed(text, low, high)
        if trimmed:
            ranges.append(trimmed)
    return ranges


def _trimmed(text: str, start: int, end: int) -> Range | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
