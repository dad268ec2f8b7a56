"""Which texts of a pair an NLI model is given: the texts themselves, or translations into a language that it reads.

A side is judged as the hypothesis, sentence by sentence, with the whole other side as its premise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.text.schemes import Side
from annotation.text.tokens import base_language
from assist.methods.base import MethodError, PairInput, TextSide
from assist.phrases.model_phrases import NO_TRANSLATION

Floats = NDArray[np.float64]
Edges = Sequence[tuple[int, int]]
ANY = "any"
"""Stands for all languages."""


@dataclass(frozen=True, slots=True)
class JudgedSide:
    """A side of a pair as it is judged: what is read as premise and hypothesis; ``pair`` is its position.

    ``side`` is the text that gets the scores; it is ``hypothesis`` itself unless that is a translation of it.
    """

    pair: int
    name: Side
    side: TextSide
    premise: TextSide
    hypothesis: TextSide

    @property
    def translated(self) -> bool:
        """Whether a translation is read in place of the text."""
        return self.hypothesis is not self.side


def languages_read(setting: str) -> frozenset[str] | None:
    """The base codes of the languages in a setting; None for all."""
    named = setting.replace(",", " ").lower().split()
    return None if ANY in named else frozenset(map(base_language, named))


def can_read(language: str, languages: frozenset[str] | None) -> bool:
    """Whether a model that reads these languages (None: all) reads this one."""
    return languages is None or base_language(language) in languages


def can_read_pair(a: str, b: str, languages: frozenset[str] | None) -> bool:
    """Whether pairs of these languages can be read, if need be in translation: each into the other's language."""
    return can_read(a, languages) or can_read(b, languages)


def sides_to_judge(
    pairs: Sequence[PairInput], languages: frozenset[str] | None, sides: Iterable[str], skip: bool = False
) -> list[JudgedSide]:
    """The sides to judge of each pair. A pair without a text or translation that can be read raises MethodError or,
    with ``skip``, is excluded.
    """
    judged: list[JudgedSide] = []
    names = set(sides)
    for index, pair in enumerate(pairs):
        try:
            a = _readable(pair.a, pair.translations_a, languages)
            b = _readable(pair.b, pair.translations_b, languages)
        except MethodError:
            if skip:
                continue
            raise
        if "a" in names:
            judged.append(JudgedSide(index, "a", pair.a, b, a))
        if "b" in names:
            judged.append(JudgedSide(index, "b", pair.b, a, b))
    return judged


def _readable(side: TextSide, translations: Sequence[TextSide], languages: frozenset[str] | None) -> TextSide:
    """The text if it is in a language that is read, else its first translation into one; MethodError without any."""
    if can_read(side.language, languages) or not side.text.strip():
        return side
    for each in translations:
        if can_read(each.language, languages) and each.text.strip():
            return each
    assert languages is not None
    params = {"language": side.language, "languages": ", ".join(sorted(languages))}
    raise MethodError(NO_TRANSLATION.with_params(**params))


def carried_sum(values: Floats, edges: Edges, words: int) -> Floats:
    """The value of each of ``words`` words: the sum over the translated words aligned to it; 0 without any.

    ``edges`` are (word, translated word); ``values`` are those of the translated words.
    """
    out = np.zeros(words)
    for word, translated in edges:
        out[word] += values[translated]
    return out


def carried_max(values: Floats, edges: Edges, words: int) -> Floats:
    """The value of each of ``words`` words: the largest of the translated words aligned to it; 0 without any."""
    out = np.zeros(words)
    for word, translated in edges:
        out[word] = max(out[word], values[translated])
    return out
