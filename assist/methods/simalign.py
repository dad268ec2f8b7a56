"""SimAlign (Jalili Sabet, Dufter, Yvon, Schütze 2020): word alignment from the similarity of contextual embeddings.

Edge for edge what the package of that name gives on what it can read (one window of its encoder, no empty side), in
batches and for texts of any length. A token without an edge is new information; the null threshold drops uncertain
edges (Rodriguez, Erk, Durrett 2024 tune it on labelled pairs, and so does ``fit``).
"""

import dataclasses
import functools
import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from annotation.progress import OnProgress
from annotation.settings_model import Settings, setting
from assist.methods.base import PairInput, Result, register
from assist.methods.encoder.batches import EncodingConfig, PairBatch, PairGroup, Tensor, compare_in_batches
from assist.methods.encoder.contextual import (
    EncoderMethod,
    EncoderSettings,
    Fitted,
    Floats,
    alignment_layer,
    labelled_pairs,
    linked_words,
    word_edges,
)
from assist.methods.encoder.encode import Encoder
from assist.methods.encoder.matching import Edges, Similarity, best, doubt, itermax, match, mutual
from assist.methods.encoder.null_threshold import NullThresholds, tune_thresholds
from assist.methods.encoder.subwords import Ints
from assist.methods.shared.proposals import SuggestionThresholds


class SimAlignSettings(EncoderSettings):
    """Settings of SimAlign; those of the package are ``layer``, ``token_type`` and ``distortion``."""

    token_type: Literal["bpe", "word"] = setting(
        "bpe", "Alignment level", "what is aligned: subwords, or words (means of their subwords)"
    )
    distortion: float = setting(
        0.0, "Distortion", "how much a similarity falls with the distance between relative positions", low=0, high=1
    )
    null_threshold: float | None = setting(
        None,
        "Entropy threshold",
        "entropy above which an edge is dropped; if empty: tuned on labelled pairs, 1 without any",
        low=0,
        high=1,
    )
    graded: bool = setting(True, "Graded scores", "score an aligned token by its similarity, not by 0")
    threshold: float = setting(
        1.0,
        "Suggestion threshold",
        "score from which spans are proposed; 1: only words that are aligned to nothing",
        low=0,
        high=1,
    )


@dataclass(frozen=True, slots=True)
class SimAlignModel(Fitted):
    """What ``fit`` finds: the encoders, and the null thresholds."""

    nulls: NullThresholds


@dataclass(frozen=True, slots=True)
class _BatchEdges:
    """Edges of a batch: words of both sides, counted over the batch, similarity, doubt; parallel, repeats included."""

    a: Ints
    b: Ints
    value: Floats
    doubt: Floats


class SimAlign(EncoderMethod[SimAlignSettings, SimAlignModel]):
    """Shared by the three ways to match."""

    version = "1"
    Settings: ClassVar[type[Settings]] = SimAlignSettings
    exact = True

    @abstractmethod
    def edges(self, similarity: Similarity) -> list[Edges]:
        """The edges between units of the two sides."""

    def default_layer(self, encoder: Encoder) -> int:
        return alignment_layer(encoder)

    def by_word(self) -> bool:
        return self.settings.token_type == "word"

    def encoding_config(self, encoder: Encoder) -> EncodingConfig:
        return dataclasses.replace(super().encoding_config(encoder), distortion=self.settings.distortion)

    def compare(self, model: SimAlignModel | None, similarity: Similarity) -> Sequence[Tensor]:
        """Column, value, whether there is an edge, and its doubt: each [pairs, rows], one after the other by round."""
        edges = self.edges(similarity)
        doubts = doubt(similarity, edges) if model is None or model.nulls.drops else [None] * len(edges)
        parts: list[Tensor] = []
        for each, doubtful in zip(edges, doubts, strict=True):
            parts += [each.column, each.value, each.there, each.value * 0 if doubtful is None else doubtful]
        return parts

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> SimAlignModel:
        """The null threshold, tuned on labelled pairs unless it is set; pairs of the split 'test' are never used."""
        fixed = self.settings.null_threshold
        labelled = [] if fixed is not None else labelled_pairs(pairs)
        doubts: dict[str, tuple[Floats, Floats]] = {}
        for encoder, members in self.encoders(labelled):
            chosen = [labelled[index] for index in members]
            compare = functools.partial(self.compare, None)
            for batch, groups in compare_in_batches(encoder, self.encoding_config(encoder), chosen, compare):
                edges = _batch_edges(batch, groups)
                least = np.full(int(batch.word_start[-1]), np.inf)
                for words in (edges.a, edges.b):
                    np.minimum.at(least, words, edges.doubt)
                for position, index in enumerate(batch.pairs):
                    doubts[chosen[index].id] = (least[batch.words(2 * position)], least[batch.words(2 * position + 1)])
                if on_progress is not None:
                    on_progress(len(doubts), len(labelled), "null threshold")
        nulls = tune_thresholds(labelled, doubts) if fixed is None else NullThresholds(fixed)
        threshold = self.settings.threshold
        return SimAlignModel(self.encoder_revisions(pairs), SuggestionThresholds(threshold, threshold, math.inf), nulls)

    def report(self, model: SimAlignModel) -> dict[str, Any]:
        """Encoders, threshold and, if it was tuned, its curve: threshold, precision, recall and F1 of 'new'."""
        return super().report(model) | {"null_threshold": model.nulls.threshold, "curve": [*model.nulls.curve]}

    def results(
        self, model: SimAlignModel, pairs: Sequence[PairInput], batch: PairBatch, groups: Sequence[PairGroup]
    ) -> list[Result]:
        """A token's score is 1 without an edge, else 1 - (cosine + 1) / 2 of its best edge (0 if not ``graded``).

        Tokens without subwords (a zero-width space) are no difference: 0.
        """
        aligned = _batch_edges(batch, groups)
        limits = np.array([model.nulls.of(pair.id) for pair in pairs])
        sure = aligned.doubt <= limits[(np.searchsorted(batch.word_start, aligned.a, side="right") - 1) // 2]
        a, b, value = aligned.a[sure], aligned.b[sure], aligned.value[sure]
        similar = np.zeros(int(batch.word_start[-1]))
        for words in (a, b):
            np.maximum.at(similar, words, value if self.settings.graded else 1.0)
        scores = np.clip(1.0 - similar, 0.0, 1.0)
        scores[np.bincount(batch.owner, minlength=len(scores)) == 0] = 0.0
        return [
            Result(pair.id, scores[batch.words(2 * index)].tolist(), scores[batch.words(2 * index + 1)].tolist(), edges)
            for index, (pair, edges) in enumerate(zip(pairs, word_edges(batch, a, b), strict=True))
        ]


def _batch_edges(batch: PairBatch, groups: Sequence[PairGroup]) -> _BatchEdges:
    a: list[Ints] = [np.empty(0, np.int64)]
    b: list[Ints] = [np.empty(0, np.int64)]
    value: list[Floats] = [np.empty(0)]
    doubts: list[Floats] = [np.empty(0)]
    for group in groups:
        for column, similar, is_edge, doubtful in zip(*[iter(group.results)] * 4, strict=True):
            pair, row = np.nonzero(is_edge)
            a.append(group.a_start[pair] + row)
            b.append(group.b_start[pair] + column[pair, row])
            value.append(similar[pair, row])
            doubts.append(doubtful[pair, row])
    edge, a_words, b_words = linked_words(batch, np.concatenate(a), np.concatenate(b))
    return _BatchEdges(a_words, b_words, np.concatenate(value)[edge], np.concatenate(doubts)[edge])


@register
class SimAlignArgmax(SimAlign):
    """Edges between mutually most similar tokens ('inter' in the package)."""

    name = "simalign-argmax"

    def edges(self, similarity: Similarity) -> list[Edges]:
        return [mutual(similarity, best(similarity))]


@register
class SimAlignItermax(SimAlign):
    """Mutual best matches, then again among the remaining tokens."""

    name = "simalign-itermax"

    def edges(self, similarity: Similarity) -> list[Edges]:
        return itermax(similarity, best(similarity))


@register
class SimAlignMatch(SimAlign):
    """One-to-one matching with the largest total similarity ('mwmf' in the package)."""

    name = "simalign-match"

    def edges(self, similarity: Similarity) -> list[Edges]:
        return [match(similarity)]
