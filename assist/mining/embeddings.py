"""Similarity of paragraphs by an encoder's embeddings: one vector for each paragraph, compared by cosine."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from annotation.formats.interruption import check_interruption
from annotation.progress import OnCount
from assist.methods.base import MethodError
from assist.methods.encoder.encode import BUDGET, Encoder, load
from assist.methods.encoder.pretrained import display_name
from assist.mining.matching import Floats, block_rows
from assist.mining.settings import MiningSettings
from assist.phrases.model_phrases import NO_PACKAGES_FOR_MINING, NO_POOLER, NOT_NUMBERS

PACKAGES = ("torch", "transformers")


class Embeddings:
    """The paragraphs of all articles in two languages as unit vectors."""

    def __init__(self, a: Sequence[str], b: Sequence[str], settings: MiningSettings, on_progress: OnCount) -> None:
        if missing := [name for name in PACKAGES if importlib.util.find_spec(name) is None]:
            raise MethodError(NO_PACKAGES_FOR_MINING.with_params(packages=", ".join(missing)))
        encoder = load(settings.encoder, settings.revision, settings.device)
        pooling = settings.pooling
        if pooling == "auto":
            pooling = "pooler" if "labse" in settings.encoder.lower() else "mean"
        vectors = embed(encoder, [*a, *b], pooling, on_progress)
        self.a, self.b = vectors[: len(a)], vectors[len(a) :]

    def blocks(self, rows: slice, columns: slice) -> Iterator[tuple[int, Floats]]:
        """Similarities of some paragraphs of A to some of B, in blocks."""
        other = self.b[columns].T
        size = block_rows(other.shape[1])
        for start in range(rows.start, rows.stop, size):
            check_interruption()
            yield start - rows.start, self.a[start : min(rows.stop, start + size)] @ other


def embed(encoder: Encoder, texts: Sequence[str], pooling: str, on_progress: OnCount) -> Floats:
    """One unit vector for each text, [texts, width]; what an encoder can't read at once is cut off.

    `pooling`: the mean of all subwords, special ones included ('mean'), the 'first', or the encoder's own 'pooler'.
    MethodError if it has none, or gives vectors that are not numbers.
    """
    import torch

    room = encoder.room(None)
    subwords = encoder.tokenizer(list(texts), add_special_tokens=False)["input_ids"]
    ids = [np.array(each[:room], np.int64) for each in subwords]
    order = sorted(range(len(texts)), key=lambda each: -len(ids[each]))
    out = np.zeros((len(texts), encoder.width), np.float32)
    position = 0
    while position < len(order):
        check_interruption()
        longest = len(ids[order[position]]) + 2
        batch = order[position : position + max(1, BUDGET[encoder.device.type] // longest)]
        stops = np.cumsum([len(ids[each]) for each in batch])
        windows = np.stack([stops - [len(ids[each]) for each in batch], stops], axis=1)
        inputs = encoder.inputs(np.concatenate([ids[each] for each in batch]), windows)
        with torch.inference_mode():
            vectors = _pooled(encoder, inputs, pooling)
        out[batch] = torch.nn.functional.normalize(vectors.float(), dim=1).cpu().numpy()
        position += len(batch)
        on_progress(position, len(order))
    if not np.isfinite(out).all():
        raise MethodError(NOT_NUMBERS.with_params(name=display_name(encoder.name)))
    return out


def _pooled(encoder: Encoder, inputs: dict[str, Any], pooling: str) -> Any:
    output = encoder.model(**inputs)
    if pooling == "pooler":
        if getattr(output, "pooler_output", None) is None:
            raise MethodError(NO_POOLER.with_params(name=display_name(encoder.name)))
        return output.pooler_output
    hidden = output.last_hidden_state
    if pooling == "first":
        return hidden[:, 0]
    mask = inputs["attention_mask"].unsqueeze(2)
    return (hidden * mask).sum(dim=1) / mask.sum(dim=1)
