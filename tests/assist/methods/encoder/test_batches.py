"""Batches: what happens when the device's memory is full, and when half precision overflows."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from assist.methods.base import MethodError, create
from assist.methods.encoder import batches, encode, matching
from tests.assist.methods.tiny import nonsense, pair

PAIRS = [pair(a, b, str(index)) for index, (a, b) in enumerate(nonsense(12, 20, seed=1))]


def scores(**settings: Any) -> list[float]:
    chosen = create("diffalign", {"precision": "float32"} | settings)
    return [each for result in chosen.predict(chosen.fit(PAIRS), PAIRS) for each in result.scores_a + result.scores_b]


def test_comparing_shrinks_where_the_memory_is_full(
    tiny: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = scores(model=tiny("bert"))
    block = matching.Similarity._block
    refused: list[int] = []

    def full(self: Any, rows: slice) -> Any:
        found = block(self, rows)
        if found.numel() > 200:
            refused.append(found.numel())
            raise torch.OutOfMemoryError("CUDA out of memory")
        return found

    monkeypatch.setattr(matching.Similarity, "_block", full)
    monkeypatch.setattr(batches, "_MIN_CELLS", 1)
    assert np.allclose(scores(model=tiny("bert")), wanted, atol=1e-5)
    assert refused


def test_what_overflows_in_half_precision_is_done_again_in_single(
    tiny: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = scores(model=tiny("bert"))
    forward = encode.Encoder.forward

    def overflows(self: Any, inputs: Any, layer: int) -> Any:
        hidden = forward(self, inputs, layer)
        return hidden * float("inf") if self.is_half_precision else hidden

    monkeypatch.setattr(encode.Encoder, "forward", overflows)
    assert np.allclose(scores(model=tiny("bert"), precision="bfloat16"), wanted, atol=1e-2)
    monkeypatch.setattr(encode.Encoder, "forward", lambda *given: forward(*given) * float("nan"))
    with pytest.raises(MethodError, match="vectors that are not numbers"):
        scores(model=tiny("bert"))
    encode._load.cache_clear()


def test_lots_hold_the_longest_pairs_first_and_so_many_words() -> None:
    found = batches._batches(PAIRS, 40)
    lengths = [[len(PAIRS[index].a.tokens) + len(PAIRS[index].b.tokens) for index in batch] for batch in found]
    flat = [each for batch in lengths for each in batch]
    assert flat == sorted(flat, reverse=True)
    assert sorted(index for batch in found for index in batch) == list(range(12))
    assert all(sum(batch) <= 40 for batch in lengths)
    assert len(batches._batches(PAIRS, 1)) == 12
