"""A text as an encoder reads it: subword ids, which words they belong to, and the units that are read separately."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assist.methods.base import Range, TextSide

Ints = NDArray[np.int64]
Context = Literal["document", "paragraph", "sentence"]
TokenizerInput = Literal["words", "text"]


@dataclass(frozen=True, slots=True)
class Subwords:
    """One side. ``ids``: [n]; ``units``: ranges of subwords that are read separately, covering all of them in order.

    ``owned`` and ``owner`` are parallel: subword ``owned[k]`` belongs to word ``owner[k]``. A word may have no subword
    (a zero-width space), and in a language written without spaces a subword may belong to two words.
    """

    ids: Ints
    units: list[Range]
    owned: Ints
    owner: Ints
    words: int


def units(side: TextSide, context: Context) -> list[Range]:
    """The ranges of tokens that are read separately: sentences, paragraphs, or the whole side."""
    ranges = {"document": (), "paragraph": side.paragraphs, "sentence": side.sentences}[context]
    if not side.tokens:
        return []
    starts = [start for start, _ in ranges]
    unit = np.searchsorted(starts, [start for start, _ in side.tokens], side="right")
    cuts = [0, *(np.flatnonzero(np.diff(np.maximum(unit, 1))) + 1).tolist(), len(side.tokens)]
    return list(itertools.pairwise(cuts))


def read(tokenizer: Any, sides: Sequence[TextSide], context: Context, reading: TokenizerInput) -> list[Subwords]:
    """The sides as subwords of a Hugging Face tokenizer, without its special tokens and never truncated.

    ``reading`` says what the tokenizer is given: "words" each token separately, as word aligners do, or "text" the
    unchanged text, which suits byte-level vocabularies and languages written without spaces. A tokenizer written in
    Python knows no offsets: it is always given words.
    """
    plans = [units(side, context) for side in sides]
    if not tokenizer.is_fast:
        pieces = [
            _by_word(tokenizer, side.words()[low:high])
            for side, plan in zip(sides, plans, strict=True)
            for low, high in plan
        ]
    elif reading == "words":
        batch = [side.words()[low:high] for side, plan in zip(sides, plans, strict=True) for low, high in plan]
        read = tokenizer.backend_tokenizer.encode_batch(batch, is_pretokenized=True, add_special_tokens=False)
        pieces = [(each.ids, range(len(each.ids)), each.word_ids) for each in read]
    else:
        pieces = _by_text(tokenizer, sides, plans)
    result, position = [], 0
    for side, plan in zip(sides, plans, strict=True):
        result.append(_join_pieces(pieces[position : position + len(plan)], plan, len(side.tokens)))
        position += len(plan)
    return result


Piece = tuple[Sequence[int], Sequence[int] | Ints, Sequence[int] | Ints]
"""A unit: its subword ids, and in parallel the subwords owned and the words owning them, both counted in the unit."""


def _by_word(tokenizer: Any, words: Sequence[str]) -> Piece:
    ids = [tokenizer.convert_tokens_to_ids(tokenizer.tokenize(word)) for word in words]
    flat = [each for word in ids for each in word]
    return flat, range(len(flat)), [index for index, word in enumerate(ids) for _ in word]


def _by_text(tokenizer: Any, sides: Sequence[TextSide], plans: Sequence[list[Range]]) -> list[Piece]:
    where = [(side, low, high) for side, plan in zip(sides, plans, strict=True) for low, high in plan]
    texts = [side.text[side.tokens[low][0] : side.tokens[high - 1][1]] for side, low, high in where]
    pieces: list[Piece] = []
    for (side, low, high), each in zip(
        where, tokenizer.backend_tokenizer.encode_batch(texts, add_special_tokens=False), strict=True
    ):
        tokens = np.array(side.tokens[low:high]) - side.tokens[low][0]
        offsets = np.array(each.offsets, dtype=np.int64).reshape(-1, 2)
        first = np.searchsorted(tokens[:, 1], offsets[:, 0], side="right")
        last = np.searchsorted(tokens[:, 0], offsets[:, 1], side="left")
        counts = np.maximum(last - first, 0)
        owned = np.repeat(np.arange(len(offsets)), counts)
        owner = np.repeat(first, counts) + np.arange(len(owned)) - np.repeat(np.cumsum(counts) - counts, counts)
        pieces.append((each.ids, owned, owner))
    return pieces


def _join_pieces(pieces: Sequence[Piece], plan: Sequence[Range], words: int) -> Subwords:
    ids: list[int] = []
    ranges: list[Range] = []
    owned = [np.empty(0, np.int64)]
    owner = [np.empty(0, np.int64)]
    for (low, _), (piece, piece_owned, piece_owner) in zip(plan, pieces, strict=True):
        owned.append(np.asarray(piece_owned, np.int64) + len(ids))
        owner.append(np.asarray(piece_owner, np.int64) + low)
        ranges.append((len(ids), len(ids) + len(piece)))
        ids.extend(piece)
    return Subwords(np.array(ids, np.int64), ranges, np.concatenate(owned), np.concatenate(owner), words)
