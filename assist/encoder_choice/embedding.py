"""Embeddings of sentences by any encoder that sentence-transformers can load, from a folder or a hub."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.phrases import Phrase
from annotation.progress import OnCount, ignore_progress
from assist.encoder_choice.memory import PeakMemory
from assist.methods.base import MethodError
from assist.methods.encoder.encode import chosen_device
from assist.methods.encoder.pretrained import (
    display_name,
    load_errors,
    model_location,
    offline,
    on_this_machine,
    unavailable,
)
from assist.phrases.model_phrases import NO_PACKAGES, NOT_NUMBERS

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
BATCH = 32
CHUNK = 256
"""Sentences between two looks at whether the work is still wanted."""
PACKAGES = ("torch", "transformers", "sentence_transformers")
"""What a core install lacks."""


@dataclass(frozen=True, slots=True)
class EmbeddingResult:
    """The vectors of sentences, [width] each, by sentence; ``seconds`` without loading the encoder; ``truncated``
    counts the sentences that are longer than the encoder reads. ``memory`` is the most that loading and embedding took,
    in bytes: the GPU's on a GPU, otherwise how far the process grew; None where that cannot be measured."""

    vectors: Mapping[str, Floats]
    seconds: float
    parameters: int
    truncated: int
    memory: int | None = None


def packages_missing() -> Phrase | None:
    """What this machine lacks for encoders; None if nothing."""
    absent = [package for package in PACKAGES if importlib.util.find_spec(package) is None]
    return NO_PACKAGES.with_params(packages=", ".join(absent)) if absent else None


def embed(
    name: str,
    sentences: Sequence[str],
    device: str = "auto",
    on_progress: OnCount = ignore_progress,
) -> EmbeddingResult:
    """The embeddings of different sentences, pooled as the encoder's own configuration says (otherwise the mean).

    Nothing of the encoder's own code is run.
    MethodError if the encoder cannot be loaded, or gives vectors with NaN.
    """
    if absent := packages_missing():
        raise MethodError(absent)
    if missing := unavailable(name, None):
        raise MethodError(missing)
    from sentence_transformers import SentenceTransformer

    device = chosen_device(device)
    with PeakMemory(device) as memory:
        with load_errors(name, "encoder"):
            model = SentenceTransformer(
                model_location(name),
                device=device,
                trust_remote_code=False,
                local_files_only=offline() or on_this_machine(name, None),
                model_kwargs={"use_safetensors": True},
            )
        # The longest first: batches of similar length, and too little memory shows at once.
        ordered = sorted(sentences, key=len, reverse=True)
        vectors: dict[str, Floats] = {}
        seconds = 0.0
        for start in range(0, len(ordered), CHUNK):
            on_progress(start, len(ordered))
            chunk = ordered[start : start + CHUNK]
            began = time.perf_counter()
            encoded = model.encode(chunk, batch_size=BATCH, show_progress_bar=False, convert_to_numpy=True)
            seconds += time.perf_counter() - began
            vectors.update(zip(chunk, np.asarray(encoded, dtype=np.float64), strict=True))
    if not all(np.isfinite(vector).all() for vector in vectors.values()):
        raise MethodError(NOT_NUMBERS.with_params(name=display_name(name)))
    limit = model.max_seq_length
    lengths = [len(ids) for ids in model.tokenizer(ordered, verbose=False)["input_ids"]]
    return EmbeddingResult(
        vectors=vectors,
        seconds=seconds,
        parameters=sum(each.numel() for each in model.parameters()),
        truncated=sum(length > limit for length in lengths) if limit else 0,
        memory=memory.peak,
    )
