"""Translations that come with pairs, as additional pairs to learn words from.

A translation is in the language of the other side. Compared with its original it is close to literal, so the word model
can learn from it; compared with the other side it is in the same language.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from assist.methods.base import PairInput


@dataclass(frozen=True)
class TranslatedSide:
    """One translation of ``side``: with its original (sides as in the pair), and with the other side (as B)."""

    side: Literal["a", "b"]
    literal: PairInput
    same: PairInput


def translated_sides(pair: PairInput) -> Iterator[TranslatedSide]:
    """The additional pairs from a pair's translations, those of A first; they have no gold."""
    for number, text in enumerate(pair.translations_a):
        key = f"{pair.id}\0a{number}"
        yield TranslatedSide("a", PairInput(f"{key}\0literal", pair.a, text), PairInput(f"{key}\0same", text, pair.b))
    for number, text in enumerate(pair.translations_b):
        key = f"{pair.id}\0b{number}"
        yield TranslatedSide("b", PairInput(f"{key}\0literal", text, pair.b), PairInput(f"{key}\0same", text, pair.a))


def with_translated_sides(pairs: Iterable[PairInput]) -> list[PairInput]:
    """The pairs, each followed by those from its translations."""
    return [each for pair in pairs for each in (pair, *_translated_pairs(pair))]


def _translated_pairs(pair: PairInput) -> Iterator[PairInput]:
    for crossing in translated_sides(pair):
        yield crossing.literal
        yield crossing.same
