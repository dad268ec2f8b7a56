"""Small pairs for the methods that need no encoder, made from words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from annotation.text.paragraphs import paragraphs
from annotation.text.sentences import sentences
from annotation.text.tokens import tokenize
from assist.methods.base import PairInput, TextSide

ENGLISH = [
    "The house in Bern is small.", "The garden in Zug is small.", "Number 12 is old.", "A dog sleeps in the garden.",
    "The dog of Anna is old.", "A cat sleeps in house 7.", "The cat of Peter sees the dog.", "The Rhine is cold.",
]  # fmt: skip
GERMAN = [
    "Das Haus in Bern ist klein.", "Der Garten in Zug ist klein.", "Nummer 12 ist alt.", "Ein Hund schläft im Garten.",
    "Der Hund von Anna ist alt.", "Eine Katze schläft in Haus 7.", "Die Katze von Peter sieht den Hund.",
    "Der Rhein ist kalt.",
]  # fmt: skip


def side(text: str, language: str) -> TextSide:
    return TextSide(language, text, tokenize(text, language), sentences(text, language), paragraphs(text))


def pair(a: str, b: str, name: str = "1", languages: tuple[str, str] = ("en", "de"), split: str = "") -> PairInput:
    return PairInput(name, side(a, languages[0]), side(b, languages[1]), split=split)


def parallel(count: int, lost: Sequence[int] = ()) -> list[PairInput]:
    """Pairs of four sentences that say the same, but for pairs in ``lost``: their second is missing in German."""
    pairs = []
    for number in range(count):
        chosen = [(number + step * (1 + number // 8)) % 8 for step in range(4)]
        german = [GERMAN[at] for index, at in enumerate(chosen) if not (number in lost and index == 1)]
        pairs.append(pair(" ".join(ENGLISH[at] for at in chosen), " ".join(german), f"p{number}"))
    return pairs


def labelled(given: PairInput, marked: Sequence[str], split: str = "") -> PairInput:
    """The pair with gold on both sides: 1 for the words in ``marked``, 0 for others."""
    gold = [[float(word in marked) for word in each.words()] for each in (given.a, given.b)]
    return PairInput(given.id, given.a, given.b, gold[0], gold[1], split)


def named(given: PairInput, labels: Mapping[str, tuple[str, float]], split: str = "") -> PairInput:
    """The pair with a label and a gold value on some words of both sides, and 0 on all others."""
    a, b = ([labels.get(word, ("", 0.0)) for word in each.words()] for each in (given.a, given.b))
    return replace(
        given,
        gold_a=[value for _, value in a],
        gold_b=[value for _, value in b],
        labels_a=[label for label, _ in a],
        labels_b=[label for label, _ in b],
        split=split,
    )
