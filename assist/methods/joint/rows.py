"""Two texts as rows of one joint input each, and the arrays that an encoder is given.

A pair that fits is one row. Of a longer one, a window of one text is read together with the passage of the other text
at the same relative position, and only the window's subwords are kept: each subword of both texts exactly once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assist.methods.base import MethodError, Range
from assist.methods.encoder.pretrained import input_limit
from assist.methods.encoder.subwords import Ints
from assist.methods.encoder.windows import plan
from assist.phrases.model_phrases import UNSUPPORTED_TOKENIZER

OVERLAP = 32
"""Subwords that neighbouring windows share."""


@dataclass(frozen=True, slots=True)
class Template:
    """The special subwords before, between and after two texts.

    ``types`` says whether the encoder is told which text a subword is of; ``pad`` fills short rows; ``limit`` is the
    number of subwords that it reads at once, special ones included.
    """

    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]
    types: bool
    pad: int
    limit: int

    @property
    def room(self) -> int:
        """Subwords of both texts in a row."""
        return self.limit - len(self.before) - len(self.between) - len(self.after)


def template(tokenizer: Any, model: Any) -> Template:
    """How an encoder reads two texts. MethodError if its tokenizer doesn't join texts, or its limit is too small."""
    (bare,) = (tokenizer("a", add_special_tokens=False)["input_ids"],)
    both = tokenizer("a", "a")["input_ids"]
    positions = (
        [index for index in range(len(both) - len(bare) + 1) if both[index : index + len(bare)] == bare] if bare else []
    )
    if len(positions) != 2 or positions[1] < positions[0] + len(bare):
        raise MethodError(UNSUPPORTED_TOKENIZER.with_params(name=type(tokenizer).__name__))
    first, second = positions
    types = "token_type_ids" in tokenizer.model_input_names and getattr(model.config, "type_vocab_size", 0) > 1
    template = Template(
        tuple(both[:first]),
        tuple(both[first + len(bare) : second]),
        tuple(both[second + len(bare) :]),
        types,
        tokenizer.pad_token_id or 0,
        input_limit(model, tokenizer),
    )
    if template.room < 2:
        raise MethodError(UNSUPPORTED_TOKENIZER.with_params(name=type(tokenizer).__name__))
    return template


@dataclass(frozen=True, slots=True)
class SubwordRow:
    """Ranges of subwords of A and of B that are read together, and those of them that are kept."""

    a: Range
    b: Range
    keep_a: Range
    keep_b: Range

    @property
    def size(self) -> int:
        """Subwords of both texts."""
        return self.a[1] - self.a[0] + self.b[1] - self.b[0]


def rows(a: int, b: int, room: int) -> list[SubwordRow]:
    """Rows of at most ``room`` subwords that keep each of A's ``a`` and B's ``b`` subwords exactly once."""
    if a + b <= room:
        return [SubwordRow((0, a), (0, b), (0, a), (0, b))] if a + b else []
    forward = [SubwordRow(window, other, keep, (0, 0)) for window, other, keep in _windows(a, b, room)]
    back = [SubwordRow(other, window, (0, 0), keep) for window, other, keep in _windows(b, a, room)]
    return forward + back


def _windows(length: int, other: int, room: int) -> Iterator[tuple[Range, Range, Range]]:
    """Windows of a text, each with the passage of the other text at the same relative position, and what is kept."""
    # A short text is read whole beside each window of the other.
    own = room - min(other, room // 2)
    for window in plan(length, own, min(OVERLAP, own // 2)):
        width = min(other, room - (window.stop - window.start))
        middle = (window.start + window.stop) / 2 * other / length
        start = min(max(0, round(middle - width / 2)), other - width)
        yield (window.start, window.stop), (start, start + width), (window.keep, window.keep_stop)


@dataclass(frozen=True, slots=True)
class RowBatch:
    """Some rows as arrays of [rows, subwords]: ids, which are not padding, of which text each subword is.

    ``at_a[r]`` and ``at_b[r]`` are the columns where the row's subwords of A and of B begin.
    """

    ids: Ints
    mask: Ints
    types: Ints
    at_a: list[int]
    at_b: list[int]


def batch(template: Template, parts: Sequence[tuple[Ints, Ints]], turned: Sequence[bool]) -> RowBatch:
    """The arrays of rows, given the ids of A and of B of each; B is read first in those that are ``turned``."""
    special = len(template.before) + len(template.between) + len(template.after)
    width = max(len(a) + len(b) for a, b in parts) + special
    ids = np.full((len(parts), width), template.pad, np.int64)
    mask, types = np.zeros_like(ids), np.zeros_like(ids)
    at_a, at_b = [], []
    for row, ((a, b), turn) in enumerate(zip(parts, turned, strict=True)):
        first, second = (b, a) if turn else (a, b)
        start = len(template.before)
        then = start + len(first) + len(template.between)
        whole = np.concatenate([template.before, first, template.between, second, template.after]).astype(np.int64)
        ids[row, : len(whole)] = whole
        mask[row, : len(whole)] = 1
        types[row, then : len(whole)] = 1
        at_a.append(then if turn else start)
        at_b.append(start if turn else then)
    return RowBatch(ids, mask, types, at_a, at_b)


def group_by_budget(sizes: Sequence[int], budget: int, padding: int) -> list[list[int]]:
    """The indices of rows in groups of similar size, longest first, each of at most ``budget`` subwords with padding
    (a row that is longer is alone), in which no row is padded by more than ``padding`` subwords."""
    groups: list[list[int]] = []
    for index in sorted(range(len(sizes)), key=lambda each: -sizes[each]):
        longest = sizes[groups[-1][0]] if groups else 0
        if groups and longest * (len(groups[-1]) + 1) <= budget and longest - sizes[index] <= padding:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups
