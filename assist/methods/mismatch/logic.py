"""Words of logic that turn a statement into another: negation, quantifiers, modality."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from annotation.text.tokens import base_language
from assist.methods.base import Range, TextSide
from assist.methods.lexicon import core
from assist.methods.mismatch.aligned import Aligned, Kind, Mismatch
from assist.methods.mismatch.word_lists import translations
from assist.methods.shared import strings
from assist.methods.shared.function_words import function_words

_CLASSES: Mapping[str, tuple[Kind, str]] = {
    "not": ("negation", "not no never none nobody nothing without"),
    "all": ("quantifier", "all every each always"),
    "some": ("quantifier", "some several many most few sometimes often"),
    "must": ("modality", "must"),
    "may": ("modality", "may can could might"),
    "should": ("modality", "should"),
}
_LONG = 4
_SURE = 0.5
"""The similarity from which a word counts as said on the other side."""


def logic_mismatches(pair: Aligned) -> Iterator[Mismatch]:
    """'must' and 'may', 'all' and 'some', and words that are negated on only one side.

    Looked for in passages in which most words have a counterpart: elsewhere too much else differs.
    """
    if not all(_classes(side.language) for side in (pair.a, pair.b)):
        return
    classes = [_token_classes(side) for side in (pair.a, pair.b)]
    light = [[word.lower() in function_words(side.language) for word in side.words()] for side in (pair.a, pair.b)]
    for passage in pair.passages:
        if not _mostly_aligned(pair, passage):
            continue
        positions = [
            _positions_by_class(side_classes, where) for side_classes, where in zip(classes, passage, strict=True)
        ]
        for name, (kind, _) in _CLASSES.items():
            if kind == "negation":
                yield from _negated(pair, passage, positions, light)
                continue
            for other, (same, _) in _CLASSES.items():
                if same == kind and other != name and _contrast(positions, name, other):
                    a, b = positions[0][name][0], positions[1][other][0]
                    yield Mismatch(kind, pair.span(0, (a, a + 1)), pair.span(1, (b, b + 1)))


_Positions = Mapping[str, Sequence[int]]


def _contrast(positions: Sequence[_Positions], name: str, other: str) -> bool:
    a, b = positions
    return len(a[name]) == len(b[other]) == 1 and not a[other] and not b[name]


def _negated(
    pair: Aligned, passage: tuple[Range, Range], positions: Sequence[_Positions], light: Sequence[Sequence[bool]]
) -> Iterator[Mismatch]:
    """A word negated on one side, with its counterpart; only if one side has one negation and the other none."""
    for side in (0, 1):
        negated_own, negated_other = positions[side]["not"], positions[1 - side]["not"]
        if len(negated_own) != 1 or negated_other:
            continue
        at, (_, end) = negated_own[0], passage[side]
        if at + 1 >= end or light[side][at + 1]:
            continue
        target = int(pair.counterparts[side][at + 1])
        low, high = passage[1 - side]
        if pair.similarities[side][at + 1] >= _SURE and low <= target < high:
            ranges = ((at, at + 2), (target, target + 1))
            a, b = ranges if side == 0 else ranges[::-1]
            yield Mismatch("negation", pair.span(0, a), pair.span(1, b))


def _mostly_aligned(pair: Aligned, passage: tuple[Range, Range]) -> bool:
    """Whether most words of both passages have a counterpart."""
    return all(
        float((values[low:high] >= _SURE).mean()) >= _SURE
        for values, (low, high) in zip(pair.similarities, passage, strict=True)
    )


def _token_classes(side: TextSide) -> list[str]:
    """The class of each token, '' for most."""
    classes = _classes(side.language)
    words = side.words()
    result = [classes.get(word.lower()) or classes.get(strings.stem(word, side.language), "") for word in words]
    for index, word in enumerate(words[:-1]):
        # 'No. 813' is a number, not a negation.
        if result[index] == "not" and (
            words[index + 1][:1].isdigit() or (word[:1].isupper() and words[index + 1] == ".")
        ):
            result[index] = ""
    return result


def _positions_by_class(classes: Sequence[str], where: Range) -> _Positions:
    low, high = where
    return {name: [index for index in range(low, high) if classes[index] == name] for name in _CLASSES}


@cache
def _classes(language: str) -> Mapping[str, str]:
    """The class of forms and stems of a language, without those that would have two. Empty if there is no list."""
    if base_language(language) not in core.languages() | {core.SHARED}:
        return {}
    classes_by_form: dict[str, set[str]] = {}
    for name, (_, english) in _CLASSES.items():
        for word in english.split():
            for each in translations(word, language):
                if " " not in each:
                    classes_by_form.setdefault(each, set()).add(name)
                    stem = strings.stem(each, language)
                    # Short stems belong to too many words.
                    if len(stem) >= _LONG:
                        classes_by_form.setdefault(stem, set()).add(name)
    return {form: names.pop() for form, names in classes_by_form.items() if len(names) == 1}
