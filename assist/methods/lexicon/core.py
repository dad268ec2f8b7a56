"""The core lexicon: usual translations of frequent English words, written for this project.

A table a language (``core/LANGUAGE.tsv``): an English headword, a tab, its translations with '; ' between them, the
most usual first. The headwords, roughly in order of frequency, are in ``core/headwords.txt``.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from assist.methods.lexicon.entries import TermEntry

FOLDER = Path(__file__).with_name("core")
SHARED = "en"
"""The language of the headwords, through which other languages are joined."""


@cache
def languages() -> frozenset[str]:
    """The languages that have a table."""
    return frozenset(path.stem for path in FOLDER.glob("*.tsv"))


@cache
def headwords() -> Mapping[str, int]:
    """The headwords with their position in the order."""
    words = (FOLDER / "headwords.txt").read_text(encoding="utf-8").split()
    return MappingProxyType({word: position for position, word in enumerate(words)})


@cache
def entries(language: str) -> tuple[TermEntry, ...]:
    """The entries from English to a language; none if it has no table."""
    if language not in languages():
        return ()
    result = []
    for line in (FOLDER / f"{language}.tsv").read_text(encoding="utf-8").splitlines():
        word, _, translations = line.partition("\t")
        result.append(TermEntry(word, tuple(translations.split("; "))))
    return tuple(result)
