"""Translations that come with pairs, as pairs of their own: what the words of a project are learned from besides.

A translation stands in the language of the other side. Against the text that it translates it is close to literal, and
teaches the word model what its words mean; against the other side it is compared within one language.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from assist.methods.base import PairInput


@dataclass(frozen=True)
class Crossing:
    """One translation of ``side``: with what it translates (sides as in the pair), and with the other side (as B)."""

    side: Literal["a", "b"]
    literal: PairInput
    same: PairInput


def crossings(pair: PairInput) -> Iterator[Crossing]:
    """The pairs that a pair's translations make, those of A first; they have no gold."""
    for number, text in enumerate(pair.translations_a):
        key = f"{pair.id}\0a{number}"
        yield Crossing("a", PairInput(f"{key}\0literal", pair.a, text), PairInput(f"{key}\0same", text, pair.b))
    for number, text in enumerate(pair.translations_b):
        key = f"{pair.id}\0b{number}"
        yield Crossing("b", PairInput(f"{key}\0literal", text, pair.b), PairInput(f"{key}\0same", text, pair.a))


def with_crossings(pairs: Iterable[PairInput]) -> list[PairInput]:
    """The pairs, each followed by those that its translations make."""
    return [each for pair in pairs for each in (pair, *_made(pair))]


def _made(pair: PairInput) -> Iterator[PairInput]:
    for crossing in crossings(pair):
        yield crossing.literal
        yield crossing.same
