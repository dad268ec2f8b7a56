"""Words of a text, as half-open ranges of Unicode code points.

One named tokenizer serves every language: ICU's word breaks, jieba for runs of Han characters in Chinese, then two
corrections: an elided article is a separate word (`l'`|`acqua`), a hyphenated word is one word.
"""

from __future__ import annotations

import logging
import unicodedata
from functools import cache
from typing import Any

from icu4py.breakers import WordBreaker

Range = tuple[int, int]

TOKENIZER = "icu.v1"

_APOSTROPHES = "'’"
_HYPHENS = "-‐‑"
# Words with an apostrophe that are not elisions.
_WHOLE = {"aujourd'hui", "prud'homme", "prud'hommes", "presqu'île", "presqu'îles", "quelqu'un", "quelqu'une"}
_ELIDING = {"fr", "it", "ca", "oc"}
_MAX_ELISION_LENGTH = 1 + max(map(len, _WHOLE))


UNSPACED = frozenset(("zh", "yue", "ja", "th", "lo", "km", "my", "bo"))
"""Languages that are written without spaces between words."""


def base_language(language: str) -> str:
    """'de-CH' -> 'de': the key for choosing tokenizers, stemmers and splitters."""
    return language.replace("_", "-").split("-")[0].lower()


def tokenize(text: str, language: str) -> list[Range]:
    """The tokens of `text`, in order: none overlaps, is empty, or has only white space or invisible characters.

    `language` is a BCP 47 tag. Offsets count Unicode code points, as Python's `len` does.
    """
    base = base_language(language)
    ranges = _icu(text, base)
    if base == "zh":
        ranges = _chinese(text, ranges)
    if base in _ELIDING:
        ranges = [part for item in ranges for part in _elision(text, item)]
    return _join_ranges(text, ranges)


def _icu(text: str, language: str) -> list[Range]:
    """ICU's segments with visible characters. Offsets are sums of their lengths in code points, not in UTF-16."""
    ranges, position = [], 0
    for segment in WordBreaker(text, language):
        end = position + len(segment)
        # Spaces and words, which are nearly all segments, are decided here.
        if segment != " " and (segment.isalnum() or is_visible(segment)):
            ranges.append((position, end))
        position = end
    return ranges


def is_visible(text: str) -> bool:
    """Whether `text` has more than white space and invisible characters."""
    return text.isalnum() or any(unicodedata.category(character)[0] not in "ZC" for character in text)


def _is_han(character: str) -> bool:
    return "㐀" <= character <= "鿿" or "\U00020000" <= character <= "\U0003ffff" or "豈" <= character <= "﫿"


@cache
def _jieba() -> Any:
    import jieba

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    # Its own `initialize` keeps a cache in the folder of temporary files, which any account of the machine may have put
    # there first, and which stays behind half-written when the disk is full. Reading the dictionary takes as long.
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer


def _chinese(text: str, ranges: list[Range]) -> list[Range]:
    """Split each unbroken run of Han segments again: ICU's dictionary splits names wrongly."""
    result: list[Range] = []
    run: Range | None = None
    for start, end in [*ranges, (len(text) + 1, len(text) + 1)]:
        han = start < len(text) and all(_is_han(character) for character in text[start:end])
        if han and run and run[1] == start:
            run = (run[0], end)
            continue
        if run:
            result.extend(_cut(text, run))
            run = None
        if han:
            run = (start, end)
        elif start < len(text):
            result.append((start, end))
    return result


def _cut(text: str, run: Range) -> list[Range]:
    ranges, at = [], run[0]
    for word in _jieba().cut(text[run[0] : run[1]]):
        ranges.append((at, at + len(word)))
        at += len(word)
    return ranges


def _elision(text: str, item: Range) -> list[Range]:
    """Split `l'eau` after its apostrophe; a short prefix only, so that no ordinary word is split."""
    start, end = item
    result = []
    # Only the beginning of the rest is examined: a word of apostrophes can be as long as the text.
    while cut := _elided(text[start : min(end, start + _MAX_ELISION_LENGTH)]):
        result.append((start, start + cut))
        start += cut
    return [*result, (start, end)]


def _elided(word: str) -> int:
    """The length of the elision at the beginning of `word`, apostrophe included; 0 for none."""
    word = word.replace("’", "'")
    head, mark, rest = word.partition("'")
    if not mark or word.lower() in _WHOLE or not head.isalpha() or len(head) > 7 or not rest[:1].isalnum():
        return 0
    return len(head) + 1


def _join_ranges(text: str, ranges: list[Range]) -> list[Range]:
    """Join `word-word`, runs of one punctuation mark (`...`) and the thousands of a number (`5 000`) into one token."""
    result: list[Range] = []
    hyphens = _hyphens(text, ranges)
    join_next = False
    # Whether the last token is all marks: tracked, because a run of marks can be as long as the text.
    last_is_mark = False
    for item in ranges:
        start = item[0]
        gap = start - result[-1][1] if result else -1
        is_mark = not text[start].isalnum() and _mark(text, item)
        # Nearly all tokens: nothing is joined across a space.
        if gap == 1 and text[start - 1] == " " and not join_next:
            result.append(item)
            last_is_mark = is_mark
            continue
        same_mark = gap == 0 and is_mark and last_is_mark and text[start - 1] == text[start]
        is_hyphen = item in hyphens
        if join_next or is_hyphen or same_mark or (gap == 1 and _thousands(text, result[-1], item)):
            result[-1] = (result[-1][0], item[1])
            last_is_mark = last_is_mark and is_mark
        else:
            result.append(item)
            last_is_mark = is_mark
        join_next = is_hyphen
    return result


def _hyphens(text: str, ranges: list[Range]) -> set[Range]:
    """The hyphens within words."""
    if not any(hyphen in text for hyphen in _HYPHENS):
        return set()
    return {
        middle
        for before, middle, after in zip(ranges, ranges[1:], ranges[2:], strict=False)
        if text[middle[0]] in _HYPHENS
        and middle[1] == middle[0] + 1
        and before[1] == middle[0]
        and middle[1] == after[0]
        and _wordlike(text, before)
        and _wordlike(text, after)
    }


def _wordlike(text: str, item: Range) -> bool:
    return text[item[0]].isalnum() and not _is_han(text[item[0]]) and text[item[1] - 1] not in _APOSTROPHES


def _thousands(text: str, before: Range, item: Range) -> bool:
    """Whether the character between two tokens is a no-break space within one number, as in French."""
    if text[before[1]] not in ("\u00a0", "\u202f"):
        return False
    group = text[slice(*item)]
    return text[before[0]].isdigit() and text[before[1] - 1].isdigit() and len(group) == 3 and group.isdigit()


def _mark(text: str, item: Range) -> bool:
    """Whether a token consists of punctuation alone."""
    return all(unicodedata.category(character).startswith("P") for character in text[slice(*item)])


def is_ascii_punctuation(word: str) -> bool:
    """Whether a token consists of ASCII punctuation alone: such tokens have no gold label (SwissGov-RSD's -1)."""
    return bool(word) and all(character in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" for character in word)
