"""Shared by the methods that use an encoder: their settings, and the steps from pairs to results."""

import dataclasses
import functools
import itertools
import time
import zlib
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotation.phrases import Phrase, join_phrases
from annotation.progress import OnProgress
from annotation.settings_model import Settings, device_setting, setting
from annotation.text.tokens import base_language
from assist.methods.base import Method, PairInput, Result, held_out
from assist.methods.encoder import pretrained
from assist.methods.encoder.batches import EncodingConfig, PairBatch, PairGroup, Tensor, compare_in_batches
from assist.methods.encoder.encode import Encoder, load
from assist.methods.encoder.matching import Similarity
from assist.methods.encoder.pretrained import PACKAGED
from assist.methods.encoder.subwords import Ints
from assist.methods.shared.proposals import SuggestionThresholds, propose

Floats = NDArray[np.float64]

MULTILINGUAL = "bert-base-multilingual-cased"
"""The default encoder for pairs that are not in English: it has to be downloaded or in the cache."""


MAX_TUNING_PAIRS = 300
"""The number of labelled pairs to choose thresholds on; more would cost time and change little."""


class EncoderSettings(Settings):
    """Which encoder, which of its layers, and how texts are given to it."""

    model: str | None = setting(
        None,
        "Encoder",
        "Hugging Face name of an encoder, or name of a folder that the server administrator provides; "
        f"if empty: {PACKAGED} for English pairs, else {MULTILINGUAL}",
        name_parts=2,
    )
    revision: str | None = setting(None, "Revision", "commit, branch or tag of a model from a hub", name_parts=3)
    layer: int | None = setting(
        None, "Layer", "layer of the embeddings: 0 the input, -1 the last; if empty: by architecture"
    )
    context: Literal["document", "paragraph", "sentence"] = setting(
        "document", "Context", "the text that is encoded at a time"
    )
    reading: Literal["words", "text"] = setting(
        "words", "Tokenizer input", "tokenizer input: word by word, or the text as it is"
    )
    window: int | None = setting(None, "Window size", "window size in subwords; if empty: the encoder's maximum", low=3)
    overlap: int = setting(128, "Window overlap", "overlap of neighbouring windows, in subwords", low=0)
    device: str = device_setting()
    precision: Literal["auto", "float32", "float16", "bfloat16"] = setting(
        "auto", "Precision", "numeric precision of the encoder"
    )
    batch_tokens: int | None = setting(
        None, "Batch size", "subwords in a batch, padding included; if empty: by device", low=1
    )


@dataclass(frozen=True, slots=True)
class Fitted:
    """The encoders of a project's pairs (name, revision, layer), and the scores from which words are suggested."""

    encoders: tuple[tuple[str, str, int], ...]
    bars: SuggestionThresholds


E = TypeVar("E", bound=EncoderSettings)
F = TypeVar("F", bound=Fitted)


class EncoderMethod(Method[E, F]):
    """A method that compares the embeddings of the two sides of a pair."""

    gpu = True
    packages = ("torch", "transformers")
    exact: ClassVar[bool]
    """Whether results on a CPU must be those of single precision, even if it is slower."""

    @abstractmethod
    def default_layer(self, encoder: Encoder) -> int:
        """The layer that is used if none is set."""

    @abstractmethod
    def by_word(self) -> bool:
        """Whether a word's subwords are averaged before words are compared."""

    @abstractmethod
    def compare(self, model: F | None, similarity: Similarity) -> Sequence[Tensor]:
        """Computes results from the similarities of pairs: tensors of [pairs, …], left on their device.

        While a model is being fitted, there is none yet.
        """

    @abstractmethod
    def results(
        self, model: F, pairs: Sequence[PairInput], batch: PairBatch, groups: Sequence[PairGroup]
    ) -> list[Result]:
        """The results of the pairs of a batch, in its order, from what was computed in groups."""

    def trains(self, labelled: bool) -> bool:
        """The encoder is not trained; only the threshold is chosen on labelled pairs, unless it is set."""
        fixed = getattr(self.settings, "null_threshold", getattr(self.settings, "threshold", None))
        return labelled and fixed is None

    def unavailable(self, languages: Iterable[tuple[str, str]]) -> Phrase | None:
        names = {encoder_name(self.settings, *pair) for pair in languages}
        return join_phrases(pretrained.unavailable(name, self.settings.revision) for name in sorted(names))

    def downloads(self, languages: Iterable[tuple[str, str]]) -> list[str]:
        names = {encoder_name(self.settings, *pair) for pair in languages}
        return sorted(name for name in names if not pretrained.on_this_machine(name, self.settings.revision))

    def predict(self, model: F, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> list[Result]:
        """One result per pair, in order. A pair's ``seconds`` are its share, by tokens, of those of its batch."""
        results: dict[int, Result] = {}
        started = time.perf_counter()
        for encoder, members in self.encoders(pairs):
            chosen = [pairs[index] for index in members]
            compare = functools.partial(self.compare, model)
            for batch, groups in compare_in_batches(encoder, self.encoding_config(encoder), chosen, compare):
                batch_results = self.results(model, [chosen[each] for each in batch.pairs], batch, groups)
                now = time.perf_counter()
                each_token = (now - started) / max(1, int(batch.word_start[-1]))
                started = now
                for index, result in zip(batch.pairs, batch_results, strict=True):
                    seconds = each_token * (len(result.scores_a) + len(result.scores_b))
                    proposals = propose(chosen[index], result.scores_a, result.scores_b, model.bars)
                    results[members[index]] = dataclasses.replace(result, proposals=proposals, seconds=seconds)
                if on_progress is not None:
                    on_progress(len(results), len(pairs), f"{self.name} with {pretrained.display_name(encoder.name)}")
        return [results[index] for index in range(len(pairs))]

    def report(self, model: F) -> dict[str, Any]:
        """Encoders, with the commit of those that come from a hub and the layer, and the threshold of proposals."""
        names = ("model", "revision", "layer")
        encoders = [dict(zip(names, each, strict=True)) for each in model.encoders]
        return {"encoders": encoders, "threshold": model.bars.threshold}

    def encoders(self, pairs: Sequence[PairInput]) -> Iterator[tuple[Encoder, list[int]]]:
        """Each encoder that the pairs need, and which pairs need it."""
        by_encoder: dict[str, list[int]] = {}
        for index, pair in enumerate(pairs):
            by_encoder.setdefault(encoder_name(self.settings, pair.a.language, pair.b.language), []).append(index)
        for name, members in by_encoder.items():
            settings = self.settings
            yield load(name, settings.revision, settings.device, settings.precision, self.exact), members

    def encoder_revisions(self, pairs: Sequence[PairInput]) -> tuple[tuple[str, str, int], ...]:
        """Name, revision and layer of every encoder that the pairs need."""
        return tuple((each.name, each.revision, self.encoding_config(each).layer) for each, _ in self.encoders(pairs))

    def encoding_config(self, encoder: Encoder) -> EncodingConfig:
        """How texts go through an encoder under this method's settings; MethodError if it can't support them."""
        settings = self.settings
        encoder.room(settings.window)
        layer = encoder.layer(settings.layer, self.default_layer(encoder))
        return EncodingConfig(
            layer,
            self.by_word(),
            settings.context,
            settings.reading,
            settings.window,
            settings.overlap,
            settings.batch_tokens,
        )


def encoder_name(settings: EncoderSettings, a: str, b: str) -> str:
    """The encoder for a pair of these languages."""
    if settings.model:
        return settings.model
    return PACKAGED if is_english(a) and is_english(b) else MULTILINGUAL


def is_english(language: str) -> bool:
    """Whether a language code is English, of any country."""
    return base_language(language) == "en"


def labelled_pairs(pairs: Sequence[PairInput]) -> list[PairInput]:
    """The pairs to choose thresholds on: labelled, not of the split 'test', at most ``MAX_TUNING_PAIRS``."""
    labelled = [pair for pair in pairs if not held_out(pair) and not (pair.gold_a is None and pair.gold_b is None)]
    return sorted(labelled, key=lambda pair: zlib.crc32(pair.id.encode()))[:MAX_TUNING_PAIRS]


def sample_pairs(pairs: Sequence[PairInput]) -> list[PairInput]:
    """The labelled pairs, and others up to ``MAX_TUNING_PAIRS`` in total: the distribution of a project's scores."""
    labelled = labelled_pairs(pairs)
    taken = {id(pair) for pair in labelled}
    others = sorted((pair for pair in pairs if id(pair) not in taken), key=lambda pair: zlib.crc32(pair.id.encode()))
    return labelled + others[: MAX_TUNING_PAIRS - len(labelled)]


def alignment_layer(encoder: Encoder) -> int:
    """The layer two thirds of the way up (8 of 12, 16 of 24, 4 of 6), where masked language models align best."""
    return round(encoder.layers * 2 / 3)


def _words_of_units(batch: PairBatch, units: Ints) -> tuple[Ints, Ints]:
    """The words that units belong to: which of the ``units``, and which word, counted over the batch, in parallel."""
    first = np.searchsorted(batch.owned, units, side="left")
    counts = np.searchsorted(batch.owned, units, side="right") - first
    which = np.repeat(np.arange(len(units)), counts)
    return which, batch.owner[np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(len(which))]


def linked_words(batch: PairBatch, a_units: Ints, b_units: Ints) -> tuple[Ints, Ints, Ints]:
    """The edges of words behind edges of units: which edge of units each is of, and its words of A and of B."""
    of_a, a_words = _words_of_units(batch, a_units)
    of_b, b_words = _words_of_units(batch, b_units[of_a])
    return of_a[of_b], a_words[of_b], b_words


def word_edges(batch: PairBatch, a_words: Ints, b_words: Ints) -> list[list[tuple[int, int]]]:
    """The edges of each pair of a batch, without repeats, sorted, from words counted over the batch."""
    edges = np.unique(np.stack([a_words, b_words], axis=1), axis=0)
    cuts = np.searchsorted(edges[:, 0], batch.word_start[::2])
    result = []
    for pair, (low, high) in enumerate(itertools.pairwise(cuts)):
        part = edges[low:high] - batch.word_start[2 * pair : 2 * pair + 2]
        result.append(list(zip(part[:, 0].tolist(), part[:, 1].tolist(), strict=True)))
    return result
