"""Names that differ: one side names someone or something that the other does not."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.text.spans import token_ranges
from annotation.text.tokens import base_language
from assist.methods.base import TextSide
from assist.methods.mismatch.aligned import Aligned, Mismatch

_NOTHING = 0.15
_MIN_SHARE = 0.5
_NOUNS_ARE_CAPITALISED = {"de", "lb"}


def name_mismatches(pair: Aligned) -> Iterator[Mismatch]:
    """A name of A and a name of B that have no counterpart, if each is the only such name in its passage.

    A name is a run of capitalised words inside a sentence, none of which the text writes in lower case elsewhere.
    Not looked for in languages that capitalise every noun.
    """
    if {base_language(side.language) for side in (pair.a, pair.b)} & _NOUNS_ARE_CAPITALISED:
        return
    named = [_name_flags(side) for side in (pair.a, pair.b)]
    for passage in pair.passages:
        ranges = [
            token_ranges(
                index for index in range(*where) if index > where[0] and is_name[index] and values[index] <= _NOTHING
            )
            for is_name, values, where in zip(named, pair.similarities, passage, strict=True)
        ]
        if all(len(each) == 1 for each in ranges) and all(
            float((pair.similarities[side][low:high] > _NOTHING).mean()) >= _MIN_SHARE
            for side, (low, high) in enumerate(passage)
        ):
            yield Mismatch("name", pair.span(0, ranges[0][0]), pair.span(1, ranges[1][0]))


def _name_flags(side: TextSide) -> list[bool]:
    """Whether each token is written as a name: the first word of a sentence is not, capitalised as it is anyway."""
    words = side.words()
    lower = {word for word in words if word.islower()}
    starts = {start for start, _ in side.sentences}
    return [
        word[:1].isupper() and word[1:].islower() and word.lower() not in lower and start not in starts
        for word, (start, _) in zip(words, side.tokens, strict=True)
    ]
