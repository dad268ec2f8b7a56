"""The encoder: every subword of every text has the embedding that the encoder itself gives it."""

import logging
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from assist.methods.base import MethodError
from assist.methods.encoder import encode
from assist.methods.encoder.encode import Encoder, load
from assist.methods.encoder.pretrained import cpu_precision, gpu_precision
from assist.methods.encoder.subwords import Subwords, read
from tests.assist.methods.tiny import nonsense, side


@pytest.fixture
def bert(tiny: Callable[[str], str]) -> Iterator[Encoder]:
    """A tiny BERT, as good as new afterwards."""
    encoder = load(tiny("bert"), device="cpu")
    yield encoder
    encode._load.cache_clear()


def texts(encoder: Encoder, longest: int, count: int = 12) -> list[Subwords]:
    sides = [side(words) for pair in nonsense(count, longest, seed=4) for words in pair]
    return read(encoder.tokenizer, sides, "document", "words")


def alone(encoder: Encoder, ids: Any, layer: int) -> Any:
    """What transformers gives for one text by itself."""
    row = torch.tensor([[*encoder._prefix, *ids, *encoder._suffix]])
    with torch.inference_mode():
        hidden = encoder.model(input_ids=row, output_hidden_states=True).hidden_states
    return hidden[layer][0, len(encoder._prefix) : row.shape[1] - len(encoder._suffix)]


@pytest.mark.parametrize("kind", ["bert", "xlmr", "modern"])
@pytest.mark.parametrize("layer", [0, 1, 2, -1])
def test_embeddings_are_those_of_each_text_alone(tiny: Callable[[str], str], kind: str, layer: int) -> None:
    encoder = load(tiny(kind))
    given = texts(encoder, 9)
    found = encoder.embed(given, encoder.layer(layer, 0))
    wanted = torch.cat([alone(encoder, text.ids, layer) for text in given])
    assert found.shape == (sum(len(text.ids) for text in given), encoder.width)
    assert torch.allclose(found, wanted, atol=1e-5)


def test_layers_above_the_wanted_one_are_not_computed(bert: Encoder) -> None:
    called = []
    bert.model.encoder.layer[3].register_forward_hook(lambda *_: called.append(1))
    bert.embed(texts(bert, 9), 2)
    before = len(called)
    bert.embed(texts(bert, 9), 2)
    assert len(called) == before
    bert.embed(texts(bert, 9), 4)
    assert len(called) > before


@pytest.mark.parametrize("budget", [1, 100, 10_000])
def test_a_long_text_is_read_in_windows_and_each_subword_taken_from_one(bert: Encoder, budget: int) -> None:
    text = texts(bert, 300, count=4)[1]
    assert len(text.ids) > 5 * bert.limit
    found = bert.embed([text], 3, window=20, overlap=8, budget=budget)
    room = bert.room(20)
    windows = encode._windows([text], room, 8)
    wanted = torch.cat(
        [alone(bert, text.ids[start:stop], 3)[keep - start : end - start] for start, stop, keep, end in windows]
    )
    assert torch.allclose(found, wanted, atol=1e-5)


def test_a_batch_that_does_not_fit_is_halved_and_the_next_ones_too(
    bert: Encoder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    given = texts(bert, 9, count=40)
    wanted = bert.embed(given, 4)
    seen: list[int] = []
    forward = bert.forward

    def small(inputs: dict[str, Any], layer: int) -> Any:
        seen.append(inputs["input_ids"].numel())
        if seen[-1] > 100:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return forward(inputs, layer)

    monkeypatch.setattr(bert, "forward", small)
    with caplog.at_level(logging.WARNING):
        found = bert.embed(given, 4)
    assert torch.allclose(found, wanted, atol=1e-5)
    assert "batches shrink to" in caplog.text
    failed = sum(1 for size in seen if size > 100)
    seen.clear()
    bert.embed(given, 4)
    assert failed > 0
    assert max(seen) <= 100


def test_a_window_that_does_not_fit_alone_is_refused_in_words(bert: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(inputs: dict[str, Any], layer: int) -> Any:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes")

    monkeypatch.setattr(bert, "forward", full)
    with pytest.raises(MethodError, match=r"one window of .* subwords does not fit.*smaller 'window'"):
        bert.embed(texts(bert, 5, count=3), 4)


def test_other_errors_of_the_encoder_are_not_taken_for_a_full_memory(
    bert: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(inputs: dict[str, Any], layer: int) -> Any:
        raise RuntimeError("a bug")

    monkeypatch.setattr(bert, "forward", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        bert.embed(texts(bert, 5), 4)


def test_no_texts_and_empty_texts_give_no_embeddings(bert: Encoder) -> None:
    assert bert.embed([], 4).shape == (0, 32)
    assert bert.embed(read(bert.tokenizer, [side([]), side(["\u200b"])], "document", "words"), 4).shape == (0, 32)


@pytest.mark.parametrize(("kind", "limit"), [("bert", 40), ("xlmr", 48), ("modern", 64)])
def test_the_limit_is_that_of_the_architecture(tiny: Callable[[str], str], kind: str, limit: int) -> None:
    encoder = load(tiny(kind))
    assert encoder.limit == limit
    ids = np.full(encoder.room(None), 9)
    assert encoder.embed([Subwords(ids, [(0, len(ids))], ids, ids, 1)], 1).isfinite().all()


def test_an_encoder_is_loaded_once_and_the_last_two_are_kept(tiny: Callable[[str], str]) -> None:
    assert load(tiny("bert")) is load(tiny("bert"))
    assert load(tiny("bert"), precision="float32") is load(tiny("bert"))
    assert load(tiny("bert"), precision="bfloat16") is not load(tiny("bert"))
    assert load(tiny("bert"), precision="bfloat16").is_half_precision


def test_half_precision_on_a_cpu_is_for_those_made_for_it_and_never_where_exactness_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for quick, wanted in ((True, "bfloat16"), (False, "float32")):
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda quick=quick: {"amx_bf16": quick})
        assert cpu_precision(exact=False) == wanted
        assert cpu_precision(exact=True) == "float32"


def test_half_precision_on_a_gpu_is_of_the_kind_that_suits_the_encoder() -> None:
    assert gpu_precision(SimpleNamespace(model_type="bert", dtype=torch.float32)) == "float16"
    assert gpu_precision(SimpleNamespace(model_type="mt5", dtype=torch.float32)) == "bfloat16"
    assert gpu_precision(SimpleNamespace(model_type="bert", dtype=torch.bfloat16)) == "bfloat16"


def test_what_overflows_can_be_widened(tiny: Callable[[str], str]) -> None:
    encoder = load(tiny("xlmr"), precision="bfloat16")
    encoder.use_single_precision()
    assert not encoder.is_half_precision
    encode._load.cache_clear()


def test_a_device_that_is_not_there_is_refused() -> None:
    with pytest.raises(MethodError, match="device 'tpu' is not known"):
        load("any", device="tpu")
    if not torch.cuda.is_available():
        with pytest.raises(MethodError, match="no GPU"):
            load("any", device="cuda")
