"""An encoder that reads two texts as one input, with a linear layer on each subword: trained and used.

The loss is the binary cross-entropy against values in [0, 1], over subwords whose value is known; what is stored is
only what was trained. torch is imported when an encoder is loaded.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.progress import OnProgress
from assist.methods.base import MethodError
from assist.methods.encoder.encode import chosen_device, out_of_memory
from assist.methods.encoder.pretrained import cpu_precision, display_name, load_encoder, model_commit
from assist.methods.encoder.subwords import Ints, Subwords
from assist.methods.joint.examples import Example, ExampleCounts, Floats, epoch
from assist.methods.joint.rows import SubwordRow, batch, group_by_budget, rows, template
from assist.phrases.model_phrases import INPUT_TOO_LARGE, NO_LOSS

Tensor = Any
"""A ``torch.Tensor``; torch is not imported where its types are named."""
Weights = dict[str, NDArray[np.float32]]
"""What was trained, by name."""

BUDGET = {"cpu": 2048, "cuda": 32768}
"""Subwords that are computed at once, padding included."""
PADDING = {"cpu": 32, "cuda": 4096}
"""Subwords by which a row may be padded: on a processor one more computation costs less than padding does."""
WARM_UP = 0.1
"""The share of steps in which the learning rate rises."""
DECAY = 0.01
"""Weight decay."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How an encoder is trained: at most ``epochs`` times over the examples, ``size`` rows a step.

    Training stops after ``patience`` epochs in a row whose validation loss isn't smaller than the smallest before.
    """

    epochs: int
    size: int
    counts: ExampleCounts
    seed: int
    patience: int = 1


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """The weights of the best epoch, its number from 1, and its loss on the validation documents."""

    weights: Weights
    epoch: int
    loss: float


@dataclass(frozen=True, slots=True)
class TrainingRow:
    """A row with its subwords: ``values_a``, ``values_b`` are NaN where unknown or not kept."""

    a: Ints
    b: Ints
    values_a: Floats
    values_b: Floats


class Joint:
    """An encoder and a linear layer over its last hidden state.

    ``lora``: the rank of low-rank adapters that are trained in place of the encoder's own weights; None: its weights
    are trained, except (unless ``embeddings``) those of the vocabulary.
    """

    def __init__(self, name: str, revision: str | None, device: str, lora: int | None, embeddings: bool) -> None:
        import torch

        self.name = name
        self.device = torch.device(chosen_device(device))
        self.tokenizer, model = load_encoder(name, revision)
        if self.tokenizer.is_fast:
            self.tokenizer.backend_tokenizer.no_truncation()
            self.tokenizer.backend_tokenizer.no_padding()
        self.revision = model_commit(name, revision, model.config)
        self.template = template(self.tokenizer, model)
        model.float()
        width = int(getattr(model.config, "hidden_size", 0)) or model.get_input_embeddings().embedding_dim
        with torch.random.fork_rng(devices=()):
            torch.manual_seed(0)
            if lora is not None:
                model = _with_adapters(model, lora)
            elif not embeddings:
                model.get_input_embeddings().requires_grad_(False)
            self.encoder: Any = model
            self.head: Any = torch.nn.Linear(width, 1)
        self.model = torch.nn.ModuleDict({"encoder": self.encoder, "head": self.head})
        self.model.to(self.device)
        self.trained = {key: each for key, each in self.model.named_parameters() if each.requires_grad}
        self._first = {key: each.detach().clone() for key, each in self.trained.items()}
        half = self.device.type == "cuda" or cpu_precision(exact=False) == "bfloat16"
        self._precision: Any = (
            (lambda: torch.autocast(self.device.type, dtype=torch.bfloat16)) if half else (lambda: nullcontext())
        )

    def weights(self) -> Weights:
        """A copy of what is trained."""
        return {key: each.detach().float().cpu().numpy().copy() for key, each in self.trained.items()}

    def accepts(self, weights: Weights) -> bool:
        """Whether these are weights of all that is trained, in their shapes."""
        shapes = {key: tuple(each.shape) for key, each in self.trained.items()}
        return shapes == {key: each.shape for key, each in weights.items()}

    def set_weights(self, weights: Weights) -> None:
        """Set what is trained."""
        import torch

        with torch.no_grad():
            for key, each in self.trained.items():
                each.copy_(torch.from_numpy(weights[key]))

    def reset(self, mean: float) -> None:
        """The pretrained encoder, and a linear layer that gives every subword the same value, ``mean``."""
        import torch

        with torch.no_grad():
            for key, each in self.trained.items():
                each.copy_(self._first[key])
            self.head.weight.zero_()
            self.head.bias.fill_(float(np.log(mean / (1 - mean))))

    def train(
        self,
        documents: Sequence[Example],
        dev: Sequence[Example],
        course: TrainingPlan,
        rate: float,
        on_progress: OnProgress,
    ) -> TrainingResult:
        """The weights of the epoch with the smallest loss on ``dev``; without ``dev``, of the last epoch."""
        import torch

        random = np.random.default_rng(course.seed)
        epochs = [
            _training_rows(epoch(documents, course.counts, random), self.template.room, random)
            for _ in range(course.epochs)
        ]
        checked = _training_rows(dev, self.template.room)
        total = sum(-(-len(each) // course.size) for each in epochs)
        best = TrainingResult({}, 0, float("inf"))
        with torch.random.fork_rng(devices=[self.device] if self.device.type == "cuda" else []):
            torch.manual_seed(course.seed)
            self.reset(_mean(epochs[0]))
            groups = _parameter_groups(self.trained)
            optimizer = torch.optim.AdamW(groups, lr=rate)
            warm = max(1, round(WARM_UP * total))
            schedule = torch.optim.lr_scheduler.LambdaLR(
                optimizer, lambda at: min((at + 1) / warm, max(0.0, (total - at) / max(1, total - warm)))
            )
            done = 0

            def computed() -> None:
                on_progress(done, total, "training")

            for number, training_rows in enumerate(epochs, 1):
                self.model.train()
                for start in range(0, len(training_rows), course.size):
                    self._step(training_rows[start : start + course.size], random, computed)
                    torch.nn.utils.clip_grad_norm_(self.trained.values(), 1.0)
                    optimizer.step()
                    optimizer.zero_grad()
                    schedule.step()
                    done += 1
                    computed()
                loss = self.loss(checked, computed) if checked else float("nan")
                if not checked or loss < best.loss:
                    best = TrainingResult(self.weights(), number, loss)
                elif number - best.epoch >= course.patience:
                    break
        if not best.weights:
            raise MethodError(NO_LOSS.with_params(name=display_name(self.name)))
        return best

    def loss(self, training_rows: Sequence[TrainingRow], computed: Callable[[], None] = lambda: None) -> float:
        """The mean loss of all subwords whose value is known, with either text first.

        ``computed`` is called after each part that is computed at once.
        """
        import torch

        self.model.eval()
        total, count = 0.0, 0
        with torch.inference_mode():
            for turned in (False, True):
                for some in self._grouped([len(each.a) + len(each.b) for each in training_rows]):
                    chosen = [training_rows[index] for index in some]
                    lost, labelled = self._loss(chosen, [turned] * len(chosen))
                    total, count = total + float(lost), count + labelled
                    computed()
        return total / max(1, count)

    def scores(
        self, texts: Sequence[tuple[Subwords, Subwords]], on_progress: OnProgress
    ) -> list[tuple[Floats, Floats]]:
        """A value in [0, 1] for each word of each pair: of A and of B, each read first once and second once.

        A word's value is the mean of its subwords'; 0 if it has none.
        """
        import torch

        numbered_rows = [
            (number, row)
            for number, (a, b) in enumerate(texts)
            for row in rows(len(a.ids), len(b.ids), self.template.room)
        ]
        sums = [(np.zeros(len(a.ids)), np.zeros(len(b.ids))) for a, b in texts]
        self.model.eval()
        sizes = [row.size for _, row in numbered_rows]
        done = 0
        with torch.inference_mode():
            for turned in (False, True):
                for some in self._grouped(sizes):
                    parts = [_row_subwords(texts[numbered_rows[index][0]], numbered_rows[index][1]) for index in some]
                    for index, (of_a, of_b) in zip(some, self._values(parts, turned), strict=True):
                        number, row = numbered_rows[index]
                        for side, keep, read, values in ((0, row.keep_a, row.a, of_a), (1, row.keep_b, row.b, of_b)):
                            inside = slice(keep[0] - read[0], keep[1] - read[0])
                            sums[number][side][slice(*keep)] += values[inside] / 2
                    done += len(some)
                    on_progress(done, 2 * len(numbered_rows), "scoring")
        return [(_words(a, of_a), _words(b, of_b)) for (a, b), (of_a, of_b) in zip(texts, sums, strict=True)]

    def _grouped(self, sizes: Sequence[int]) -> list[list[int]]:
        return group_by_budget(sizes, BUDGET[self.device.type], PADDING[self.device.type])

    def _values(self, parts: Sequence[tuple[Ints, Ints]], turned: bool) -> Iterator[tuple[Floats, Floats]]:
        import torch

        logits, encoded = self._logits(parts, [turned] * len(parts))
        values = torch.sigmoid(logits.float()).cpu().numpy().astype(np.float64)
        for row, (a, b) in enumerate(parts):
            at_a, at_b = encoded.at_a[row], encoded.at_b[row]
            yield values[row, at_a : at_a + len(a)], values[row, at_b : at_b + len(b)]

    def _logits(self, parts: Sequence[tuple[Ints, Ints]], turned: Sequence[bool]) -> tuple[Tensor, Any]:
        import torch

        encoded = batch(self.template, parts, turned)
        inputs = {"input_ids": encoded.ids, "attention_mask": encoded.mask}
        if self.template.types:
            inputs["token_type_ids"] = encoded.types
        tensors = {key: torch.from_numpy(each).to(self.device) for key, each in inputs.items()}
        try:
            with self._precision():
                hidden = self.encoder(**tensors).last_hidden_state
                return self.head(hidden)[..., 0], encoded
        except (RuntimeError, MemoryError) as error:
            if not out_of_memory(error):
                raise
            params = {"n": str(encoded.ids.shape[1]), "device": str(self.device)}
            raise MethodError(INPUT_TOO_LARGE.with_params(name=display_name(self.name), **params)) from error

    def _loss(self, batch_rows: Sequence[TrainingRow], turned: Sequence[bool]) -> tuple[Tensor, int]:
        """The sum of the losses of all subwords whose value is known, and their number."""
        import torch

        logits, encoded = self._logits([(each.a, each.b) for each in batch_rows], turned)
        goals = np.full(logits.shape, np.nan, np.float32)
        for row, each in enumerate(batch_rows):
            goals[row, encoded.at_a[row] : encoded.at_a[row] + len(each.a)] = each.values_a
            goals[row, encoded.at_b[row] : encoded.at_b[row] + len(each.b)] = each.values_b
        values = torch.from_numpy(goals).to(self.device)
        labelled = ~torch.isnan(values)
        lost = torch.nn.functional.binary_cross_entropy_with_logits(
            logits.float()[labelled], values[labelled], reduction="sum"
        )
        return lost, int(labelled.sum())

    def _step(
        self, batch_rows: Sequence[TrainingRow], random: np.random.Generator, computed: Callable[[], None]
    ) -> None:
        """The gradients of a batch of rows, computed in as many parts as memory needs; ``computed`` after each."""
        labelled = sum(
            int((~np.isnan(values)).sum()) for each in batch_rows for values in (each.values_a, each.values_b)
        )
        turned = random.random(len(batch_rows)) < 0.5
        for some in self._grouped([len(each.a) + len(each.b) for each in batch_rows]):
            lost, _ = self._loss([batch_rows[index] for index in some], [bool(turned[index]) for index in some])
            (lost / max(1, labelled)).backward()
            computed()


def _with_adapters(model: Any, rank: int) -> Any:
    """The encoder with low-rank adapters (Hu et al. 2022) on all of its linear layers."""
    import peft

    config = peft.LoraConfig(r=rank, lora_alpha=2 * rank, lora_dropout=0.0, target_modules="all-linear")
    return peft.get_peft_model(model, config)


def _parameter_groups(trained: dict[str, Any]) -> list[dict[str, Any]]:
    """Matrices decay; biases and scales of normalisation don't."""
    return [
        {"params": [each for each in trained.values() if each.dim() > 1], "weight_decay": DECAY},
        {"params": [each for each in trained.values() if each.dim() <= 1], "weight_decay": 0.0},
    ]


def _training_rows(
    examples: Sequence[Example], room: int, random: np.random.Generator | None = None
) -> list[TrainingRow]:
    """The rows of examples that have a known value, in random order if there is a generator."""
    rows = [row for each in examples for row in _rows_of(each, room)]
    if random is not None:
        rows = [rows[index] for index in random.permutation(len(rows)).tolist()]
    return rows


def _rows_of(example: Example, room: int) -> Iterator[TrainingRow]:
    (a, values_a), (b, values_b) = (
        (
            np.concatenate([np.zeros(0, np.int64), *(ids for ids, _ in side)]),
            np.concatenate([np.zeros(0), *(values for _, values in side)]),
        )
        for side in (example.a, example.b)
    )
    for row in rows(len(a), len(b), room):
        training_row = TrainingRow(
            a[slice(*row.a)],
            b[slice(*row.b)],
            _kept_values(values_a, row.a, row.keep_a),
            _kept_values(values_b, row.b, row.keep_b),
        )
        if not (np.isnan(training_row.values_a).all() and np.isnan(training_row.values_b).all()):
            yield training_row


def _kept_values(values: Floats, read: tuple[int, int], keep: tuple[int, int]) -> Floats:
    at = np.arange(*read)
    return np.where((at >= keep[0]) & (at < keep[1]), values[slice(*read)], np.nan)


def _row_subwords(texts: tuple[Subwords, Subwords], row: SubwordRow) -> tuple[Ints, Ints]:
    return texts[0].ids[slice(*row.a)], texts[1].ids[slice(*row.b)]


def _mean(training_rows: Sequence[TrainingRow]) -> float:
    """The mean known value, kept away from 0 and 1."""
    values = np.concatenate(list(itertools.chain(*((each.values_a, each.values_b) for each in training_rows))))
    return float(np.clip(np.nanmean(values), 0.01, 0.99))


def _words(text: Subwords, values: Floats) -> Floats:
    total = np.bincount(text.owner, values[text.owned], minlength=text.words)
    return np.clip(total / np.maximum(np.bincount(text.owner, minlength=text.words), 1), 0.0, 1.0)
