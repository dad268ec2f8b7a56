"""A loaded NLI model: its logits, the attributions of subwords to 'not entailed', and its hidden states.

Integrated gradients (Sundararajan, Taly, Yan 2017) are computed by captum, always in single precision. torch, captum
and transformers are imported when a model is loaded.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotation.progress import OnAdvance
from assist.methods.base import MethodError
from assist.methods.encoder.encode import chosen_device, out_of_memory
from assist.methods.encoder.pretrained import display_name, load_model, model_commit
from assist.methods.encoder.subwords import Ints
from assist.methods.joint.rows import batch, template
from assist.phrases.model_phrases import INPUT_TOO_LARGE_NLI, NLI_MODEL, NO_ENTAILMENT, NOT_NLI

LOG = logging.getLogger(__name__)
KIND = NLI_MODEL.message
"""What messages call such a model."""

Floats = NDArray[np.float64]
Tensor = Any
"""A ``torch.Tensor``; torch is not imported where its types are named."""
Row = tuple[Ints, Ints]
"""The subwords of a premise and of a hypothesis."""
Baseline = Literal["hypothesis", "texts"]
"""What the baseline has padding in place of: the words of the hypothesis, or of both texts."""

BUDGET = {"cpu": 2048, "cuda": 32768}
"""Subwords that are computed at once, padding and steps of integration included."""
_NAMES = {"entailment", "entailed", "entails", "entail"}
_CLOSE = 1e-3
_LOADING = threading.Lock()
T = TypeVar("T")


def load(name: str, revision: str | None, device: str) -> Entailment:
    """The NLI model of a Hugging Face name or folder, loaded once and kept (the two used last).

    MethodError if there is none, or if it isn't an NLI model.
    """
    with _LOADING:
        return _load(name, revision, chosen_device(device))


@lru_cache(maxsize=2)
def _load(name: str, revision: str | None, device: str) -> Entailment:
    return Entailment(name, revision, device)


def entailment_index(labels: Mapping[int, str], name: str) -> int:
    """Which of a model's labels is 'entailment'. MethodError if not exactly one of two or more is."""
    indices = [index for index, label in labels.items() if re.sub(r"[^a-z]", "", str(label).lower()) in _NAMES]
    if len(indices) != 1 or len(labels) < 2:
        listed = ", ".join(str(label) for label in labels.values()) or "-"
        raise MethodError(NO_ENTAILMENT.with_params(name=display_name(name), labels=listed))
    return int(indices[0])


class Entailment:
    """An NLI model. ``revision`` identifies its weights, ``template`` says how it reads two texts."""

    def __init__(self, name: str, revision: str | None, device: str) -> None:
        import torch

        self.name = name
        self.tokenizer, self.model = load_model(name, revision, KIND, "AutoModelForSequenceClassification")
        config = self.model.config
        kinds = getattr(config, "architectures", None) or []
        if config.is_encoder_decoder or not any(str(each).endswith("ForSequenceClassification") for each in kinds):
            raise MethodError(NOT_NLI.with_params(name=display_name(name)))
        self.entailed = entailment_index(config.id2label, name)
        if self.tokenizer.is_fast:
            self.tokenizer.backend_tokenizer.no_truncation()
            self.tokenizer.backend_tokenizer.no_padding()
        self.revision = model_commit(name, revision, config)
        self.template = template(self.tokenizer, self.model)
        self.model.eval().float().requires_grad_(False)
        try:
            self.model.to(device)
        except torch.OutOfMemoryError:
            LOG.warning("%s %s does not fit into the memory of %s: it runs on the CPU", KIND, name, device)
            device = "cpu"
            self.model.to(device)
        self.device = torch.device(device)
        self.budget = BUDGET[self.device.type]
        self._lock = threading.RLock()
        self._check()

    @property
    def room(self) -> int:
        """Subwords of premise and hypothesis that are read at once."""
        return self.template.room

    def states(
        self, rows: Sequence[Row], on_progress: OnAdvance | None = None
    ) -> Iterator[tuple[int, float, NDArray[np.float32]]]:
        """For each row, in any order: its number, logit, and the last hidden states of the hypothesis, [n, width].

        A logit is that of 'not entailed' less that of 'entailment': what the other labels have together.
        """
        import torch

        def run(some: list[Row]) -> list[tuple[float, NDArray[np.float32]]]:
            inputs, at = self._inputs(some)
            with torch.no_grad():
                out = self.model(**inputs, output_hidden_states=True)
                logits = self._margins(out.logits).tolist()
                hidden = out.hidden_states[-1].float().cpu().numpy()
            return [
                (logit, hidden[row, low : low + len(hypothesis)])
                for row, (logit, low, (_, hypothesis)) in enumerate(zip(logits, at, some, strict=True))
            ]

        for index, (logit, hidden) in self._in_batches(rows, run, on_progress):
            yield index, logit, hidden

    def margins(self, rows: Sequence[Row], on_progress: OnAdvance | None = None) -> Floats:
        """For each row the logit of 'not entailed' less that of 'entailment'; above 0: not entailed."""
        import torch

        def run(some: list[Row]) -> list[float]:
            with torch.no_grad():
                margins: list[float] = self._margins(self.model(**self._inputs(some)[0]).logits).tolist()
                return margins

        out = np.zeros(len(rows))
        for index, logit in self._in_batches(rows, run, on_progress):
            out[index] = logit
        return out

    def attributions(
        self, rows: Sequence[Row], steps: int, baseline: Baseline, on_progress: OnAdvance | None = None
    ) -> list[tuple[Floats, Floats]]:
        """For each row the attributions of the subwords of premise and hypothesis to the logit of 'not entailed'.

        Integrated gradients of the logit with respect to the input embeddings, summed over the embedding. In the
        baseline, words are replaced by padding (see ``Baseline``); special subwords stay. All attributions of a row add
        up to its logit less that of its baseline, up to the error of ``steps`` of integration.
        """
        from captum.attr import IntegratedGradients

        embedding = self.model.get_input_embeddings()
        gradients = IntegratedGradients(self._non_entailed_of)

        def run(some: list[Row]) -> list[tuple[Floats, Floats]]:
            inputs, at = self._inputs(some)
            ids = inputs["input_ids"]
            blank = ids.clone()
            first = len(self.template.before)
            for row, ((premise, hypothesis), low) in enumerate(zip(some, at, strict=True)):
                if baseline == "texts":
                    blank[row, first : first + len(premise)] = self.template.pad
                blank[row, low : low + len(hypothesis)] = self.template.pad
            # captum splits the steps, not the rows: it computes at least one step of all rows at once.
            attributed = gradients.attribute(
                embedding(ids),
                embedding(blank),
                additional_forward_args=tuple(inputs[key] for key in inputs if key != "input_ids"),
                n_steps=steps,
                internal_batch_size=max(len(some), self.budget // ids.shape[1]),
            )
            values = attributed.detach().sum(-1).double().cpu().numpy()
            return [
                (values[row, first : first + len(premise)], values[row, low : low + len(hypothesis)])
                for row, ((premise, hypothesis), low) in enumerate(zip(some, at, strict=True))
            ]

        out: list[tuple[Floats, Floats]] = [(np.zeros(0), np.zeros(0))] * len(rows)
        for index, values_by_subword in self._in_batches(rows, run, on_progress):
            out[index] = values_by_subword
        return out

    def _inputs(self, rows: Sequence[Row]) -> tuple[dict[str, Tensor], list[int]]:
        """The model's input for rows, and the column where each hypothesis begins."""
        import torch

        encoded = batch(self.template, rows, [False] * len(rows))
        inputs = {"input_ids": encoded.ids, "attention_mask": encoded.mask}
        if self.template.types:
            inputs["token_type_ids"] = encoded.types
        return {key: torch.from_numpy(each).to(self.device) for key, each in inputs.items()}, encoded.at_b

    def _non_entailed_of(self, embedded: Tensor, mask: Tensor, types: Tensor | None = None) -> Tensor:
        more = {} if types is None else {"token_type_ids": types}
        return self._non_entailed(self.model(inputs_embeds=embedded, attention_mask=mask, **more).logits)

    def _non_entailed(self, logits: Tensor) -> Tensor:
        """The logit of all labels but 'entailment' together: the logarithm of the sum of their exponentials.

        With one such label it is its own logit; 'not entailed' has the same probability by both.
        """
        import torch

        others = [index for index in range(logits.shape[-1]) if index != self.entailed]
        return torch.logsumexp(logits[:, others].float(), dim=-1)

    def _margins(self, logits: Tensor) -> Tensor:
        return self._non_entailed(logits) - logits[:, self.entailed].float()

    def _in_batches(
        self, rows: Sequence[Row], run: Callable[[list[Row]], list[T]], on_progress: OnAdvance | None
    ) -> Iterator[tuple[int, T]]:
        """What ``run`` finds for each row, by its number: the longest first, fewer at once if memory is short."""
        import torch

        special = self.template.limit - self.template.room
        order = sorted(range(len(rows)), key=lambda at: -sum(map(len, rows[at])))
        done = 0
        while done < len(order):
            width = sum(map(len, rows[order[done]])) + special
            some = order[done : done + max(1, self.budget // width)]
            try:
                with self._lock:
                    results = run([rows[at] for at in some])
            except (RuntimeError, MemoryError) as error:
                if not out_of_memory(error):
                    raise
                if self.budget < width:
                    params = {"name": display_name(self.name), "n": str(width), "device": str(self.device)}
                    raise MethodError(INPUT_TOO_LARGE_NLI.with_params(**params)) from error
                self.budget = min(self.budget, len(some) * width) // 2
                if self.device.type == "cuda":
                    torch.cuda.empty_cache()
                LOG.warning("%s %s: batches shrink to %d subwords to fit into memory", KIND, self.name, self.budget)
                continue
            yield from zip(some, results, strict=True)
            done += len(some)
            if on_progress is not None:
                on_progress(len(some))

    def _check(self) -> None:
        """MethodError if the model can't be given embeddings in place of subwords."""
        import torch

        word = np.array(self.tokenizer("a", add_special_tokens=False)["input_ids"], np.int64)
        inputs, _ = self._inputs([(word, word)])
        try:
            with torch.no_grad():
                plain = self._non_entailed(self.model(**inputs).logits)
                others = [inputs[key] for key in inputs if key != "input_ids"]
                same = self._non_entailed_of(self.model.get_input_embeddings()(inputs["input_ids"]), *others)
        except (TypeError, ValueError, NotImplementedError) as error:
            raise MethodError(NOT_NLI.with_params(name=display_name(self.name))) from error
        if not bool(torch.allclose(plain, same, atol=_CLOSE, rtol=_CLOSE)):
            raise MethodError(NOT_NLI.with_params(name=display_name(self.name)))
