"""Embeddings of sentences by any encoder that sentence-transformers can load, from a folder or a hub."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assist.methods.base import MethodError
from assist.methods.encoder.encode import chosen_device
from assist.methods.encoder.pretrained import called, load_errors, located, offline, on_this_machine, unavailable
from assist.model_phrases import NO_PACKAGES, NOT_NUMBERS

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
BATCH = 32
PACKAGES = ("torch", "transformers", "sentence_transformers")
"""What a core install lacks."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of sentences, [width] each, by sentence; ``seconds`` without loading the encoder; ``truncated``
    counts the sentences that are longer than the encoder reads."""

    vectors: Mapping[str, Floats]
    seconds: float
    parameters: int
    truncated: int


def embed(name: str, sentences: Sequence[str], device: str = "auto") -> Embedded:
    """The embeddings of different sentences, pooled as the encoder's own configuration says (otherwise the mean).

    Nothing of the encoder's own code is run. MethodError if it cannot be loaded, or gives vectors with NaN.
    """
    if absent := [package for package in PACKAGES if importlib.util.find_spec(package) is None]:
        raise MethodError(NO_PACKAGES.filled(packages=", ".join(absent)).text())
    if missing := unavailable(name, None):
        raise MethodError(missing.text())
    from sentence_transformers import SentenceTransformer

    with load_errors(name, "encoder"):
        model = SentenceTransformer(
            located(name),
            device=chosen_device(device),
            trust_remote_code=False,
            local_files_only=offline() or on_this_machine(name, None),
            model_kwargs={"use_safetensors": True},
        )
    began = time.perf_counter()
    vectors = model.encode(list(sentences), batch_size=BATCH, show_progress_bar=False, convert_to_numpy=True)
    seconds = time.perf_counter() - began
    vectors = np.asarray(vectors, dtype=np.float64)
    if not np.isfinite(vectors).all():
        raise MethodError(NOT_NUMBERS.filled(name=called(name)).text())
    limit = model.max_seq_length
    lengths = [len(ids) for ids in model.tokenizer(list(sentences))["input_ids"]]
    return Embedded(
        vectors=dict(zip(sentences, vectors, strict=True)),
        seconds=seconds,
        parameters=sum(each.numel() for each in model.parameters()),
        truncated=sum(length > limit for length in lengths) if limit else 0,
    )
