"""Pairs in batches through an encoder and onto the device, where they are compared.

A batch is read by the tokenizer in a thread of its own while the batch before it is on the device, and its results are
put together while the next one is: on a GPU the encoder never waits.
"""

import dataclasses
import functools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from assist.methods.base import MethodError, PairInput, TextSide
from assist.methods.encoder.encode import Encoder, out_of_memory
from assist.methods.encoder.matching import Similarity
from assist.methods.encoder.pretrained import display_name
from assist.methods.encoder.subwords import Context, Ints, Subwords, TokenizerInput, read
from assist.phrases.model_phrases import NOT_NUMBERS

Tensor = Any
"""A ``torch.Tensor``; torch is not imported where its types are named."""

BATCH_WORDS = {"cpu": 8192, "cuda": 131072}
"""Words in a batch: what is embedded before it is compared."""
CELLS = {"cpu": 1 << 21, "cuda": 1 << 26}
"""Cells of similarity matrices that are in memory at once."""
_MIN_CELLS = 1 << 16


@dataclass(frozen=True, slots=True)
class EncodingConfig:
    """How texts go through an encoder: which ``layer`` is taken, ``by_word``: whether a word's subwords are averaged
    before words are compared, the rest as in the methods' settings."""

    layer: int
    by_word: bool
    context: Context
    reading: TokenizerInput
    window: int | None
    overlap: int
    batch_tokens: int | None
    distortion: float = 0.0


@dataclass(frozen=True, slots=True)
class PairBatch:
    """Some pairs, embedded. ``pairs``: which of those given; ``sides``: a, b, a, b, …

    ``vectors``: unit vectors of all sides, [units, width], on the device; a unit is a subword, or a word that has
    subwords. Those of side s are ``unit_start[s]`` to ``unit_start[s + 1]``, its words ``word_start[s]`` to
    ``word_start[s + 1]``; unit ``owned[k]`` belongs to word ``owner[k]``, all counted over the batch.
    """

    pairs: list[int]
    sides: list[TextSide]
    vectors: Tensor
    unit_start: Ints
    word_start: Ints
    owned: Ints
    owner: Ints

    def words(self, side: int) -> slice:
        """The words of a side, counted over the batch."""
        return slice(int(self.word_start[side]), int(self.word_start[side + 1]))


@dataclass(frozen=True, slots=True)
class PairGroup:
    """Pairs of a batch that are compared at once. ``a_start``, ``b_start``: where their units start in the batch.

    ``a_length``, ``b_length``: how many they are; ``results``: what the method computes, arrays of [pairs, …].
    """

    a_start: Ints
    b_start: Ints
    a_length: Ints
    b_length: Ints
    results: tuple[Any, ...]


Compare = Callable[[Similarity], Sequence[Tensor]]
"""Computes something about pairs from their similarities: tensors, [pairs, …], left on the device."""


def compare_in_batches(
    encoder: Encoder, config: EncodingConfig, pairs: Sequence[PairInput], compare: Compare
) -> Iterator[tuple[PairBatch, list[PairGroup]]]:
    """The pairs in batches, the longest first, embedded and compared. Pairs with a side without units are in no group.

    MethodError if the encoder gives vectors with NaN.
    """
    queue_batch = functools.partial(_queue_batch, encoder, config, compare)
    waiting: _Queued | None = None
    with ThreadPoolExecutor(max_workers=1) as reader:
        ahead: deque[Future[list[Subwords]]] = deque()
        batches = _batches(pairs, BATCH_WORDS[encoder.device.type])
        for index, batch in enumerate(batches):
            for next_batch in batches[index + len(ahead) : index + 2]:
                sides = [side for each in next_batch for side in (pairs[each].a, pairs[each].b)]
                ahead.append(reader.submit(read, encoder.tokenizer, sides, config.context, config.reading))
            queued = queue_batch(
                batch, [side for each in batch for side in (pairs[each].a, pairs[each].b)], ahead.popleft().result()
            )
            if waiting is not None:
                yield _wait_for_batch(encoder, waiting, queue_batch)
            waiting = queued
        if waiting is not None:
            yield _wait_for_batch(encoder, waiting, queue_batch)


@dataclass(frozen=True, slots=True)
class _Queued:
    batch: PairBatch
    texts: list[Subwords]
    groups: list[PairGroup]
    finite: Tensor
    done: Any


def _batches(pairs: Sequence[PairInput], size: int) -> list[list[int]]:
    lengths = [len(pair.a.tokens) + len(pair.b.tokens) for pair in pairs]
    batches: list[list[int]] = []
    room = 0
    for index in sorted(range(len(pairs)), key=lambda each: -lengths[each]):
        if room < lengths[index] or not batches:
            batches.append([])
            room = size
        batches[-1].append(index)
        room -= lengths[index]
    return batches


def _queue_batch(
    encoder: Encoder,
    config: EncodingConfig,
    compare: Compare,
    pairs: list[int],
    sides: list[TextSide],
    texts: list[Subwords],
) -> _Queued:
    """A batch that was queued on the device, which may not have finished it yet."""
    import torch

    vectors = encoder.embed(texts, config.layer, config.window, config.overlap, config.batch_tokens)
    with torch.inference_mode():
        batch = _pool(pairs, sides, texts, vectors, config.by_word)
        groups = _groups(batch, config, compare)
        finite = _to_cpu(torch.isfinite(batch.vectors).all())
    done = None
    if encoder.device.type == "cuda":
        done = torch.cuda.Event()  # type: ignore[no-untyped-call]
        done.record()
    return _Queued(batch, texts, groups, finite, done)


def _wait_for_batch(
    encoder: Encoder, queued: _Queued, queue_batch: Callable[..., _Queued]
) -> tuple[PairBatch, list[PairGroup]]:
    """Waits for the device. A batch that overflowed in half precision is done again in single precision."""
    if queued.done is not None:
        queued.done.synchronize()
    if not bool(queued.finite):
        if not encoder.is_half_precision:
            raise MethodError(NOT_NUMBERS.with_params(name=display_name(encoder.name)))
        encoder.use_single_precision()
        return _wait_for_batch(encoder, queue_batch(queued.batch.pairs, queued.batch.sides, queued.texts), queue_batch)
    groups = [dataclasses.replace(each, results=tuple(part.numpy() for part in each.results)) for each in queued.groups]
    return queued.batch, groups


def _pool(pairs: list[int], sides: list[TextSide], texts: list[Subwords], vectors: Tensor, by_word: bool) -> PairBatch:
    import torch

    unit_start = np.cumsum([0, *(len(text.ids) for text in texts)])
    word_start = np.cumsum([0, *(text.words for text in texts)])
    nothing = np.empty(0, np.int64)
    owned = np.concatenate([nothing, *(text.owned + start for text, start in zip(texts, unit_start, strict=False))])
    owner = np.concatenate([nothing, *(text.owner + start for text, start in zip(texts, word_start, strict=False))])
    if by_word:
        words, unit, counts = np.unique(owner, return_inverse=True, return_counts=True)
        source, target = (torch.from_numpy(each).to(vectors.device) for each in (owned, unit))
        total = vectors.new_zeros((len(words), vectors.shape[1])).index_add_(0, target, vectors[source])
        vectors = total / torch.from_numpy(counts).to(vectors.device)[:, None]
        unit_start = np.searchsorted(words, word_start)
        owned, owner = np.arange(len(words)), words
    vectors = vectors / vectors.norm(dim=1, keepdim=True).clamp(min=1e-12)
    return PairBatch(pairs, sides, vectors, unit_start, word_start, owned, owner)


def _groups(batch: PairBatch, config: EncodingConfig, compare: Compare) -> list[PairGroup]:
    """Compares the pairs of a batch, as many at a time as ``CELLS`` allows, or fewer if memory is short."""
    cells = CELLS[batch.vectors.device.type]
    lengths = np.diff(batch.unit_start).reshape(-1, 2)
    comparable = np.flatnonzero(lengths.min(axis=1) > 0)
    order = comparable[np.lexsort((lengths[comparable, 1], lengths[comparable, 0]))]
    todo: deque[Ints] = deque(_fitting_groups(order, lengths, cells))
    groups: list[PairGroup] = []
    while todo:
        members = todo.popleft()
        try:
            groups.append(_group(batch, config, members, lengths[members], compare, cells))
        except (RuntimeError, MemoryError) as error:
            if not out_of_memory(error) or (len(members) == 1 and cells < _MIN_CELLS):
                raise
            if len(members) > 1:
                todo.extendleft((members[len(members) // 2 :], members[: len(members) // 2]))
            else:
                todo.appendleft(members)
            cells //= 2
    return groups


def _fitting_groups(order: Ints, lengths: Ints, cells: int) -> Iterator[Ints]:
    first, most = 0, np.zeros(2, np.int64)
    for index, pair in enumerate(order):
        grown = np.maximum(most, lengths[pair])
        if index > first and int(grown.prod()) * (index + 1 - first) > cells:
            yield order[first:index]
            first, grown = index, lengths[pair]
        most = grown
    if first < len(order):
        yield order[first:]


def _group(
    batch: PairBatch, config: EncodingConfig, members: Ints, lengths: Ints, compare: Compare, cells: int
) -> PairGroup:
    import torch

    sides: list[tuple[Tensor, Tensor, Ints]] = []
    device = batch.vectors.device
    for side in range(2):
        start = batch.unit_start[members * 2 + side]
        # Vectors beyond a pair's end are masked, so their values don't matter.
        index = np.minimum(start[:, None] + np.arange(int(lengths[:, side].max())), len(batch.vectors) - 1)
        length = torch.from_numpy(lengths[:, side]).to(device)
        sides.append((batch.vectors[torch.from_numpy(index).to(device)], length, start))
    (a, rows, a_start), (b, columns, b_start) = sides
    tensors = compare(Similarity(a, b, rows, columns, config.distortion, cells))
    return PairGroup(a_start, b_start, lengths[:, 0], lengths[:, 1], tuple(_to_cpu(each) for each in tensors))


def _to_cpu(tensor: Tensor) -> Tensor:
    """A copy on the CPU, which is complete when the device has finished everything queued so far."""
    return tensor.to("cpu", non_blocking=True)
