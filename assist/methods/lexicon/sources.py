"""Which word lists there are for two languages, as entries from the one to the other."""

from collections.abc import Iterable
from functools import cache

from assist.methods.lexicon import cedict, core
from assist.methods.lexicon.entries import Entry, joined, turned

_SHARED = core.SHARED


@cache
def entries(source: str, target: str) -> tuple[Entry, ...]:
    """All entries from one language (its base code) to another, through English where neither is; () for none."""
    if source == target:
        return ()
    if source == _SHARED:
        return tuple(turned(_to_shared(target)))
    if target == _SHARED:
        return _to_shared(source)
    return tuple(joined(_to_shared(source), turned(_to_shared(target))))


@cache
def _to_shared(language: str) -> tuple[Entry, ...]:
    lists: list[Iterable[Entry]] = [turned(core.entries(language))]
    if language == "zh":
        lists.append(cedict.entries())
    return tuple(entry for each in lists for entry in each)
