"""Spans of a sentence: constituents, found without a parser, and runs of two neighbours.

A constituent is a run of function words and the content words after it. It ends at punctuation, which belongs to it,
where a function word follows a content word, and after `MAX_CONTENT_WORDS` content words, so that languages without a
list of function words have short spans too.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Sequence

from assist.methods.base import Range, TextSide
from assist.methods.shared.function_words import function_words

MAX_CONTENT_WORDS = 4
"""Content words in a constituent, at most."""


def constituents(side: TextSide, low: int, high: int) -> list[Range]:
    """The constituents of the tokens ``low`` to ``high``: each token is in exactly one."""
    light = function_words(side.language)
    starts = [low] if low < high else []
    content, marked = 0, False
    for number, word in enumerate(side.words()[low:high], low):
        if _is_mark(word):
            marked = content > 0
            continue
        function = word.lower() in light
        if content and (marked or function or content == MAX_CONTENT_WORDS):
            starts.append(number)
            content = 0
        marked = False
        content += not function
    return list(itertools.pairwise([*starts, high])) if starts else []


def spans(parts: Sequence[Range]) -> list[Range]:
    """Single constituents, then runs of two neighbours."""
    return [*parts, *((one[0], other[1]) for one, other in itertools.pairwise(parts))]


def _is_mark(token: str) -> bool:
    return all(unicodedata.category(character)[0] in "PSZC" for character in token)
