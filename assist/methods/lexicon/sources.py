"""The word lists for two languages, as entries from one to the other."""

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from assist.methods.lexicon import cedict, core
from assist.methods.lexicon.dictd import DictdDictionary, installed_dictionaries
from assist.methods.lexicon.entries import TermEntry, join_through_shared, reverse_entries

INSTALLED = "/usr/share/dictd"
_SHARED = core.SHARED


@cache
def entries(source: str, target: str) -> tuple[TermEntry, ...]:
    """All entries from one language (its base code) to another, through English if neither is English; () for none."""
    if source == target:
        return ()
    if source == _SHARED:
        return tuple(reverse_entries(_to_shared(target)))
    if target == _SHARED:
        return _to_shared(source)
    return tuple(join_through_shared(_to_shared(source), reverse_entries(_to_shared(target))))


def dictionaries() -> list[DictdDictionary]:
    """The dictionaries in the folder of ``DIPTYCH_DICTIONARIES``, or else where Debian installs them."""
    folder = os.environ.get("DIPTYCH_DICTIONARIES", INSTALLED)
    return installed_dictionaries(Path(folder)) if folder else []


@cache
def _to_shared(language: str) -> tuple[TermEntry, ...]:
    lists: list[Iterable[TermEntry]] = [reverse_entries(core.entries(language))]
    if language == "zh":
        lists.append(cedict.entries())
    return tuple(entry for each in lists for entry in each)
