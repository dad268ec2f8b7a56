"""Contextual embeddings of texts of any length, over any Hugging Face encoder given by name or folder.

Texts are cut into windows (:mod:`assist.methods.encoder.windows`), windows are sorted by length and batched by a budget
of subwords, and a batch that does not fit the device's memory is halved, and the budget with it, instead of failing.
``torch`` and ``transformers`` are imported when an encoder is loaded, never before.
"""

import logging
import sys
import threading
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from assist.methods.base import MethodError
from assist.methods.encoder.pretrained import (
    Precision,
    cpu_precision,
    display_name,
    gpu_precision,
    input_limit,
    load_encoder,
    special_tokens,
)
from assist.methods.encoder.subwords import Ints, Subwords
from assist.methods.encoder.windows import plan
from assist.phrases.model_phrases import NO_DEVICE, NO_GPU, NO_LAYER, NO_WINDOW, WINDOW_TOO_LARGE

LOG = logging.getLogger(__name__)
Tensor = Any
"""A ``torch.Tensor``; torch is not imported where its types are named."""

BUDGET = {"cpu": 512, "cuda": 65536}
"""Subwords in a batch, including padding: enough to fill a CPU's caches, or to keep a GPU busy."""
_LOADING: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
"""One thread at a time loads an encoder; a slow download doesn't hold up other encoders."""


def load(
    name: str,
    revision: str | None = None,
    device: str = "auto",
    precision: Precision = "auto",
    exact: bool = True,
) -> "Encoder":
    """The encoder of a Hugging Face name or folder, loaded once and kept (the two used last); MethodError if none is.

    ``device`` is "auto" (a GPU if there is one), "cpu", "cuda" or "cuda:1". Precision "auto" is half on a GPU and
    single on a CPU or, unless it has to be ``exact``, half on a CPU that supports it. Code that comes with a model is
    never run, and with ``HF_HUB_OFFLINE`` nothing is downloaded.
    """
    device = chosen_device(device)
    if precision == "auto" and device == "cpu":
        precision = cpu_precision(exact)
    with _LOADING[name]:
        return _load(name, revision, device, precision)


def chosen_device(name: str) -> str:
    """The device of a setting: for "auto" a GPU if there is one, otherwise the CPU. MethodError if it doesn't exist."""
    import torch

    device = name if name != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
    if device.split(":")[0] not in BUDGET:
        raise MethodError(NO_DEVICE.with_params(device=device))
    if device.startswith("cuda") and not torch.cuda.is_available():
        raise MethodError(NO_GPU.with_params(device=device))
    return device


@lru_cache(maxsize=2)
def _load(name: str, revision: str | None, device: str, precision: Precision) -> "Encoder":
    return Encoder(name, revision, device, precision)


def out_of_memory(error: BaseException) -> bool:
    """Whether an error says that a device (the CPU's memory too) is full."""
    import torch

    return isinstance(error, torch.OutOfMemoryError | MemoryError) or "can't allocate memory" in str(error)


class Encoder:
    """A loaded encoder.

    ``layers`` is the number of its layers, ``width`` that of its embeddings, ``limit`` the number of subwords it can
    read at once (special tokens included), ``revision`` the commit of its weights if they came from a hub.
    """

    def __init__(self, name: str, revision: str | None, device: str, precision: Precision) -> None:
        import torch

        self.name = name
        self.tokenizer, self.model = load_encoder(name, revision)
        self.config = self.model.config
        self.revision: str = getattr(self.config, "_commit_hash", None) or revision or ""
        self.model.eval()
        try:
            self.model.to(
                device=device, dtype=getattr(torch, gpu_precision(self.config) if precision == "auto" else precision)
            )
        except torch.OutOfMemoryError:
            LOG.warning("encoder %s does not fit into the memory of %s: it runs on the CPU", name, device)
            device = "cpu"
            self.model.to(device=device, dtype=torch.float32)
        self.device = torch.device(device)
        self.ceiling = sys.maxsize
        """The largest number of subwords per batch that fitted into the device's memory."""
        self._lock = threading.RLock()
        self._early: dict[int, Any] = {}
        if self.tokenizer.is_fast:
            # A tokenizer's file may ask for truncation and padding; here texts are always read whole.
            self.tokenizer.backend_tokenizer.no_truncation()
            self.tokenizer.backend_tokenizer.no_padding()
        self._prefix, self._suffix = special_tokens(self.tokenizer)
        self._pad = self.tokenizer.pad_token_id or 0
        with torch.inference_mode():
            states = self.model(**self._probe(), output_hidden_states=True).hidden_states
        self.layers, self.width = len(states) - 1, int(states[0].shape[-1])
        self.limit = input_limit(self.model, self.tokenizer)

    @property
    def is_half_precision(self) -> bool:
        """Whether it computes in half precision."""
        return bool(self.model.dtype.itemsize < 4)

    def use_single_precision(self) -> None:
        """Continue in single precision (some encoders overflow in half precision)."""
        LOG.warning("encoder %s overflows in half precision: continuing in single precision", self.name)
        self.model.float()

    def layer(self, number: int | None, default: int) -> int:
        """The number of a layer: 0 the input, -1 the last; ``default`` if none is given; MethodError if it doesn't
        exist.
        """
        layer = default if number is None else number
        if not -self.layers - 1 <= layer <= self.layers:
            raise MethodError(
                NO_LAYER.with_params(name=display_name(self.name), layers=str(self.layers), layer=str(layer))
            )
        return layer % (self.layers + 1)

    def room(self, window: int | None) -> int:
        """Subwords of text in a window of ``window`` subwords (default: all it can read); MethodError if it cannot."""
        special = len(self._prefix) + len(self._suffix)
        if window is not None and not special < window <= self.limit:
            params = {"least": str(special + 1), "most": str(self.limit), "window": str(window)}
            raise MethodError(NO_WINDOW.with_params(name=display_name(self.name), **params))
        return (window or self.limit) - special

    def embed(
        self,
        texts: Sequence[Subwords],
        layer: int,
        window: int | None = None,
        overlap: int = 64,
        budget: int | None = None,
    ) -> Tensor:
        """Embeddings of all subwords of all texts, one after the other: float32, [subwords, width], on the device.

        ``window`` is the number of subwords read at once, special tokens included (default: all it can read),
        ``overlap`` how many of them neighbouring windows share, ``budget`` the subwords of a batch with its padding.
        """
        import torch

        ids = np.concatenate([np.empty(0, np.int64), *(text.ids for text in texts)])
        windows = _windows(texts, self.room(window), overlap)
        windows = windows[np.argsort(windows[:, 0] - windows[:, 1], kind="stable")]
        out = torch.empty((len(ids), self.width), dtype=torch.float32, device=self.device)
        with self._lock, torch.inference_mode():
            done = 0
            while done < len(windows):
                longest = int(windows[done, 1] - windows[done, 0]) + len(self._prefix) + len(self._suffix)
                most = min(budget or BUDGET[self.device.type], self.ceiling)
                batch = windows[done : done + max(1, most // longest)]
                if self._embed(ids, batch, layer, out):
                    done += len(batch)
        return out

    def forward(self, inputs: dict[str, Tensor], layer: int) -> Tensor:
        """The hidden states after a layer: [batch, subwords, width]; layers above it are not computed."""
        if layer == self.layers:
            return self.model(**inputs).last_hidden_state
        if layer not in self._early:
            self._early[layer] = self._early_exit(layer)
        module = self._early[layer]
        if module is None:
            return self.model(**inputs, output_hidden_states=True).hidden_states[layer]
        return self._stopped(inputs, module)

    def inputs(self, ids: Ints, windows: Ints) -> dict[str, Tensor]:
        """The encoder's input for windows (rows of start, stop, …) of a row of subword ids."""
        import torch

        lengths = windows[:, 1] - windows[:, 0]
        first = len(self._prefix)
        columns = np.arange(int(lengths.max()))
        inside = columns < lengths[:, None]
        rows = np.full((len(windows), first + len(columns) + len(self._suffix)), self._pad, np.int64)
        rows[:, :first] = self._prefix
        rows[:, first : first + len(columns)][inside] = ids[(windows[:, :1] + columns)[inside]]
        for offset, special in enumerate(self._suffix):
            rows[np.arange(len(rows)), first + lengths + offset] = special
        mask = np.arange(rows.shape[1]) < (lengths + first + len(self._suffix))[:, None]
        return {
            "input_ids": torch.from_numpy(rows).to(self.device, non_blocking=True),
            "attention_mask": torch.from_numpy(mask.astype(np.int64)).to(self.device, non_blocking=True),
        }

    def _embed(self, ids: Ints, windows: Ints, layer: int, out: Tensor) -> bool:
        """Writes the embeddings that a batch of windows keeps; False, and a lower ceiling, if it does not fit."""
        import torch

        inputs = self.inputs(ids, windows)
        width = inputs["input_ids"].shape[1]
        try:
            hidden = self.forward(inputs, layer)
            at = np.concatenate([np.arange(keep, stop) for _, _, keep, stop in windows])
            counts = windows[:, 3] - windows[:, 2]
            source = np.repeat(np.arange(len(windows)) * width + len(self._prefix) - windows[:, 0], counts) + at
            rows = hidden.reshape(-1, self.width)[torch.from_numpy(source).to(self.device, non_blocking=True)]
            out[torch.from_numpy(at).to(self.device, non_blocking=True)] = rows.float()
        except (RuntimeError, MemoryError) as error:
            if not out_of_memory(error):
                raise
            if len(windows) == 1:
                params = {"n": str(width), "device": str(self.device)}
                raise MethodError(WINDOW_TOO_LARGE.with_params(name=display_name(self.name), **params)) from error
        else:
            return True
        self.ceiling = len(windows) // 2 * width
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
        LOG.warning("encoder %s: batches shrink to %d subwords to fit into memory", self.name, self.ceiling)
        return False

    def _probe(self) -> dict[str, Tensor]:
        """Inputs of two special or ordinary subwords."""
        import torch

        ids = [*self._prefix, *self.tokenizer("a", add_special_tokens=False)["input_ids"], *self._suffix]
        row = torch.tensor([ids or [self._pad]], device=self.device)
        return {"input_ids": row, "attention_mask": torch.ones_like(row)}

    def _early_exit(self, layer: int) -> Any:
        """The module whose input is the wanted layer, proven on a small input; None if there is no such module."""
        import torch

        stacks = [each for each in self.model.modules() if isinstance(each, torch.nn.ModuleList)]
        probe = self._probe()
        states = self.model(**probe, output_hidden_states=True).hidden_states[layer]
        for stack in stacks:
            if len(stack) == self.layers:
                try:
                    early = self._stopped(probe, stack[layer])
                except LookupError:
                    continue
                if early.shape == states.shape and torch.allclose(early, states):
                    return stack[layer]
        return None

    def _stopped(self, inputs: dict[str, Tensor], module: Any) -> Tensor:
        """The hidden states that a module is given; the forward pass ends there. LookupError if it never gets there."""

        def stop(_: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
            raise _LayerReached(arguments[0] if arguments else named["hidden_states"])

        hook = module.register_forward_pre_hook(stop, with_kwargs=True)
        try:
            self.model(**inputs)
        except _LayerReached as reached:
            return reached.hidden
        finally:
            hook.remove()
        raise LookupError(f"encoder '{self.name}' does not call {type(module).__name__} in its forward pass")


class _LayerReached(Exception):
    def __init__(self, hidden: Tensor) -> None:
        super().__init__("the wanted layer is reached")
        self.hidden = hidden


def _windows(texts: Sequence[Subwords], room: int, overlap: int) -> Ints:
    """The windows of all texts: [windows, 4], start, stop, first kept and end of kept, counted over all texts."""
    rows: list[tuple[int, int, int, int]] = []
    position = 0
    for text in texts:
        starts = text.owned[np.flatnonzero(np.diff(text.owner, prepend=-1))]
        for low, high in text.units:
            within = (starts[(starts >= low) & (starts < high)] - low).tolist() if high - low > room else ()
            base = position + low
            rows.extend(
                (base + each.start, base + each.stop, base + each.keep, base + each.keep_stop)
                for each in plan(high - low, room, overlap, within)
            )
        position += len(text.ids)
    return np.array(rows, np.int64).reshape(-1, 4)
