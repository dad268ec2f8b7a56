"""Which pairs of languages are wanted of documents in several languages: the options `pairs` and `side_a`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from annotation.formats.base import Option
from annotation.formats.record import FormatError
from annotation.formats.source import refusal
from annotation.phrases import Phrase
from annotation.strict_json import display_text

PIVOT = "en"
"""The language of side A where none is named, if there is a page in it."""
ALL = "all"
MAX_LANGUAGES = 30
OPTIONS = {
    "pairs": Option("the language pairs wanted (en-de, en-fr), or 'all'; by default the pivot with each of the others"),
    "sentences": Option("how many sentences in the right language every text of a document must have"),
}


def wanted_pairs(languages: Sequence[str], options: Mapping[str, str]) -> list[tuple[str, str]]:
    """The pairs of `languages`, side A first. Raises FormatError for an option that names another.

    The pivot is the language `side_a`, else that of the first pair in `pairs`, else English (also en-GB) if it is
    there, else the first one. Without `pairs` it is paired with every other language; 'all' also pairs the others with
    each other.
    """
    if len(languages) > MAX_LANGUAGES:
        raise refusal(
            "languages", Phrase("there are more than %(most)s; name the pairs wanted", {"most": str(MAX_LANGUAGES)})
        )
    requested = options.get("pairs", "").strip()
    if requested and requested.lower() != ALL:
        return list(dict.fromkeys(_pair(part.strip(), languages) for part in requested.split(",")))
    pivot = pivot_of(languages, options)
    others = [language for language in languages if language != pivot]
    pairs = [(pivot, other) for other in others]
    return [*pairs, *combinations(others, 2)] if requested else pairs


def pivot_of(languages: Sequence[str], options: Mapping[str, str]) -> str:
    """The language of side A where `pairs` does not say. Raises FormatError for one that is not there."""
    requested = options.get("side_a", "").strip()
    if not requested:
        english = [each for each in languages if each.split("-")[0] == PIVOT]
        return PIVOT if PIVOT in english else next(iter([*english, *languages]), "")
    language = _find_language(requested, languages)
    if not language:
        raise _unknown("side_a", requested, languages)
    return language


def fewest_sentences(options: Mapping[str, str], default: int) -> int:
    """How many sentences in the right language a text needs. Raises FormatError for anything but 0 to 999."""
    requested = options.get("sentences", "").strip()
    if not requested:
        return default
    if not (requested.isascii() and requested.isdecimal() and len(requested) <= 3):
        reason = Phrase("a number from 0 to 999 is expected, not '%(given)s'", {"given": display_text(requested)})
        raise refusal("option sentences", reason)
    return int(requested)


def _pair(part: str, languages: Sequence[str]) -> tuple[str, str]:
    """'de-CH-en' -> ('de-CH', 'en'): language tags have hyphens themselves."""
    pieces = part.split("-")
    for index in range(1, len(pieces)):
        a, b = (_find_language("-".join(half), languages) for half in (pieces[:index], pieces[index:]))
        if a and b and a != b:
            return a, b
    raise _unknown("pairs", part, languages)


def _find_language(name: str, languages: Iterable[str]) -> str:
    """The language of that name, whatever its case; '' if there is none."""
    return next((each for each in languages if each.lower() == name.strip().lower()), "")


def _unknown(option: str, requested: str, languages: Sequence[str]) -> FormatError:
    params = {"given": display_text(requested), "languages": ", ".join(languages) or Phrase("none")}
    if option == "pairs":
        reason = Phrase("'%(given)s' is not a pair of the languages found (%(languages)s); write it like en-de", params)
    else:
        reason = Phrase("'%(given)s' is not one of the languages found (%(languages)s)", params)
    return refusal(f"option {option}", reason)
