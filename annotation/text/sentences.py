"""Sentences of a text: ICU's sentence rules, and rules for the full stops that they take for a sentence's end."""

from __future__ import annotations

import itertools
import re

from icu4py.breakers import SentenceBreaker

from annotation.text.abbreviations import ABBREVIATIONS, FIRST_WORDS, ORDINAL_STOP
from annotation.text.paragraphs import paragraphs, trim_range
from annotation.text.tokens import Range, base_language

SPLITTER = "icu.v1"
"""The version of these rules, stored with a text. A text keeps the sentences of the version it was stored with."""

_WINDOW = 60
_OPENING = "([{«„“‘「『《〈（"
# The word before a full stop, which may be set off by a space as tokenised texts have it.
_STOPPED = re.compile(rf"(?P<word>[^\s\"{re.escape(_OPENING)}]+)\s?\.$")
_FIRST_WORD = re.compile(r"\W*([\w’']+)(?!(?<=\b\w)\.)")
_CONTINUED = re.compile(r"[)\]}»”’」』》〉）,;:!?…。！？，、；：]")
_ASKED = re.compile(r"[!?…‽](?:\s?[)\]}»”’\"'」』])*$")
_INITIALS = re.compile(r"(?:[^\W\d_][.-]+)*[^\W\d_]$")
_ROMAN = re.compile(r"[IVX]+$")


def sentences(text: str, language: str) -> list[Range]:
    """The sentences of `text`; none crosses a paragraph, and every visible character is in exactly one."""
    base = base_language(language)
    ranges = []
    for start, end in paragraphs(text):
        edges = [start, *(start + cut for cut in _cuts(text[start:end], base)), end]
        ranges += [trimmed for low, high in itertools.pairwise(edges) if (trimmed := trim_range(text, low, high))]
    return ranges


def _cuts(paragraph: str, base: str) -> list[int]:
    """Where sentences after the first begin."""
    # The lists of Unicode's locale data serve the languages that have none here.
    locale = base if base in ABBREVIATIONS else f"{base}-u-ss-standard"
    cuts: list[int] = []
    position = 0
    # ICU ends no sentence before a small letter, which would make one sentence of a text written without capitals.
    capitals = not paragraph.islower()
    for piece in SentenceBreaker(paragraph if capitals else _upper(paragraph), locale):
        position += len(piece)
        cut = position
        # ICU takes an opening quotation mark that follows without a space for a closing one.
        while cut > 0 and paragraph[cut - 1] in _OPENING:
            cut -= 1
        if cut < len(paragraph) and not _sentence_continues(paragraph, cuts[-1] if cuts else 0, cut, base, capitals):
            cuts.append(cut)
    return cuts


def _upper(text: str) -> str:
    """The text in capitals, but for letters that would become two."""
    whole = text.upper()
    if len(whole) == len(text):
        return whole
    return "".join(raised if len(raised := character.upper()) == 1 else character for character in text)


def _sentence_continues(paragraph: str, start: int, cut: int, base: str, capitals: bool) -> bool:
    """Whether the sentence that begins at `start` goes on after `cut`; `capitals`: the paragraph has some."""
    before, after = paragraph[max(start, cut - _WINDOW) : cut].strip(), paragraph[cut : cut + _WINDOW].lstrip()
    if not before or not after or _CONTINUED.match(after):
        return True
    if _ASKED.search(before):
        return capitals and _first_letter(after).islower()
    stopped = _STOPPED.search(before)
    if not stopped:
        return False
    word = stopped["word"]
    if stopped.start() == 0 and (word.isdigit() or len(word) == 1):
        return True  # the number or letter of a list's item
    if word.isdigit() and after[0].isdigit() and (len(word) <= 2 or before[-2].isspace()):
        return True  # a date, or a number with stops in a tokenised text
    ordinal = base in ORDINAL_STOP and (len(word) <= 2 if word.isdigit() else _ROMAN.match(word))
    short = (
        ordinal
        or _INITIALS.match(word)
        or _is_abbreviation(word, base)
        or _is_abbreviation(re.split("[-'’.]", word)[-1], base)
    )
    return bool(short) and not _is_sentence_opener(after, base)


def _is_abbreviation(word: str, base: str) -> bool:
    listed = ABBREVIATIONS.get(base, ())
    return word in listed or (len(word) > 1 and word.lower() in listed)


def _is_sentence_opener(after: str, base: str) -> bool:
    """Whether a sentence often begins with this word, and a name or a noun hardly ever."""
    word = _FIRST_WORD.match(after)
    return word is not None and word[1].lower().replace("’", "'") in FIRST_WORDS.get(base, ())


def _first_letter(text: str) -> str:
    return next((character for character in text if character.isalpha()), "")
