"""Span logic (Stacey, Minervini, Dubossarsky, Rei 2022): a scorer of spans, trained on labels of sentences alone.

A sentence is not entailed if and only if one of its spans is not. So the largest score of a sentence's spans is trained
to be the sentence's label (squared error), and the mean of the spans, weighted by their scores, to predict it (binary
cross-entropy). The NLI model itself is not trained, only two small layers on its hidden states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
States = NDArray[np.float32]
"""The mean hidden states of a sentence's spans: [spans, width]."""

WIDTH = 128
"""Units of the hidden layer."""
RATE = 1e-3
"""The learning rate."""
BATCH = 32
"""Sentences in a training step."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """A trained scorer of spans: standardised states through a layer with tanh, then one value, as a probability."""

    mean: States
    scale: States
    inner: States
    inner_bias: States
    outer: States
    outer_bias: float

    def scores(self, states: States) -> Floats:
        """How likely each span is not entailed: [spans], in [0, 1]."""
        hidden = np.tanh((states - self.mean) / self.scale @ self.inner.T + self.inner_bias)
        values = (hidden @ self.outer + self.outer_bias).astype(np.float64)
        probabilities: Floats = 1.0 / (1.0 + np.exp(-values))
        return probabilities


def train(
    sentences: Sequence[States], labels: Sequence[bool], epochs: int, seed: int, step: Callable[[int, int], None]
) -> Scorer:
    """A scorer from sentences and whether each is not entailed. ``step`` is called with epochs done, of how many."""
    import torch

    every = np.concatenate(sentences)
    mean, scale = every.mean(axis=0), np.maximum(every.std(axis=0), 1e-6)
    most = max(map(len, sentences))
    table = np.zeros((len(sentences), most, every.shape[1]), np.float32)
    there = np.zeros((len(sentences), most), np.bool_)
    for index, each in enumerate(sentences):
        table[index, : len(each)] = (each - mean) / scale
        there[index, : len(each)] = True
    goals = torch.tensor(np.asarray(labels, np.float32))
    states, mask = torch.from_numpy(table), torch.from_numpy(there)
    random = np.random.default_rng(seed)
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        inner = torch.nn.Linear(every.shape[1], WIDTH)
        outer = torch.nn.Linear(WIDTH, 1)
        whole = torch.nn.Linear(every.shape[1], 1)
        layers = torch.nn.ModuleList([inner, outer, whole])
        optimizer = torch.optim.AdamW(layers.parameters(), lr=RATE, weight_decay=0.01)
        for epoch in range(epochs):
            order = random.permutation(len(sentences))
            for start in range(0, len(order), BATCH):
                some = torch.from_numpy(order[start : start + BATCH])
                own = states[some]
                scores = torch.sigmoid(outer(torch.tanh(inner(own)))[..., 0]) * mask[some]
                weights = scores / scores.sum(dim=1, keepdim=True).clamp(min=1e-6)
                logits = whole((weights[..., None] * own).sum(dim=1))[:, 0]
                losses = torch.nn.functional.binary_cross_entropy_with_logits(logits, goals[some])
                loss: Any = losses + ((scores.amax(dim=1) - goals[some]) ** 2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            step(epoch + 1, epochs)
    weight, bias, value = (each.detach().numpy().copy() for each in (inner.weight, inner.bias, outer.weight[0]))
    return Scorer(mean, scale, weight, bias, value, float(outer.bias.detach()))
