"""DiffAlign (Vamvas, Sennrich 2023): a token is as different as its nearest counterpart on the other side is far.

The score of a subword is 1 - its largest cosine similarity to any subword of the other side; a word's score is the mean
over its subwords. What annotators mark are passages of text, so scores are smoothed within a sentence over their
nearest neighbours. Only the largest similarities are kept: two documents of any length are compared block by block.
"""

import math
from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np

from annotation.progress import OnProgress
from annotation.settings_model import Settings, setting
from assist.methods.base import PairInput, Result, register
from assist.methods.encoder.batches import PairBatch, PairGroup, Tensor
from assist.methods.encoder.contextual import (
    EncoderMethod,
    EncoderSettings,
    Fitted,
    Floats,
    alignment_layer,
    linked_words,
    sample_pairs,
    word_edges,
)
from assist.methods.encoder.encode import Encoder
from assist.methods.encoder.matching import Similarity, best, mutual
from assist.methods.encoder.pretrained import is_masked_language_model
from assist.methods.encoder.subwords import Ints, units
from assist.methods.shared.proposals import GRADED, SuggestionThresholds, choose_thresholds

_REACH = 3
"""The number of standard deviations at which the Gaussian is cut off."""


class DiffAlignSettings(EncoderSettings):
    """Settings of DiffAlign. The encoder reads one sentence at a time, which is the best by far for iSTS-RSD."""

    context: Literal["document", "paragraph", "sentence"] = setting(
        "sentence", "Context", "the text that is encoded at a time"
    )
    reading: Literal["words", "text"] = setting(
        "text", "Tokenizer input", "tokenizer input: word by word, or the text as it is"
    )
    pooling: Literal["score", "embedding"] = setting(
        "score", "Pooling", "how subwords are combined: mean of their scores, or of their embeddings"
    )
    smoothing: float = setting(
        0.7, "Smoothing", "standard deviation, in tokens, of the smoothing of scores; 0: none", low=0, high=20
    )
    threshold: float | None = setting(
        None,
        "Suggestion threshold",
        "score from which words are suggested; if empty: chosen from labelled pairs, or a share of all words",
        low=0,
        high=1,
    )


@register
class DiffAlign(EncoderMethod[DiffAlignSettings, Fitted]):
    """Difference scores from the largest similarities; edges between mutually most similar words."""

    name = "diffalign"
    version = "1"
    Settings: ClassVar[type[Settings]] = DiffAlignSettings
    exact = False

    def default_layer(self, encoder: Encoder) -> int:
        """The last layer, which sentence encoders are tuned on; of a plain masked language model one below."""
        return alignment_layer(encoder) if is_masked_language_model(encoder.config) else encoder.layers

    def by_word(self) -> bool:
        return self.settings.pooling == "embedding"

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> Fitted:
        """The scores from which words are suggested, chosen on a sample of the pairs; test labels are never used."""
        fixed = self.settings.threshold
        encoders = self.encoder_revisions(pairs)
        if fixed is not None:
            return Fitted(encoders, SuggestionThresholds(fixed, fixed, math.inf))
        sample = sample_pairs(pairs)
        results = self.predict(
            Fitted(encoders, SuggestionThresholds(math.inf, math.inf, math.inf)), sample, on_progress
        )
        scores = [(np.array(result.scores_a), np.array(result.scores_b)) for result in results]
        return Fitted(encoders, choose_thresholds(sample, scores, GRADED))

    def trains(self, labelled: bool) -> bool:
        """The encoder is not trained, but the score from which words are suggested depends on the project's pairs."""
        return self.settings.threshold is None

    def compare(self, model: Fitted | None, similarity: Similarity) -> Sequence[Tensor]:
        """The largest similarity of rows and of columns, and the column and existence of mutual edges."""
        matches = best(similarity)
        edges = mutual(similarity, matches)
        return (matches.row_value, matches.column_value, edges.column, edges.there)

    def results(
        self, model: Fitted, pairs: Sequence[PairInput], batch: PairBatch, groups: Sequence[PairGroup]
    ) -> list[Result]:
        """Scores in [0, 1]: 1 for a token of a pair whose other side is empty, 0 for one without subwords."""
        scores = _smooth(self._word_scores(batch, groups), batch, self.settings.smoothing)
        edges = _edges(batch, groups)
        return [
            Result(
                pair.id,
                scores[batch.words(2 * index)].tolist(),
                scores[batch.words(2 * index + 1)].tolist(),
                edges[index],
            )
            for index, pair in enumerate(pairs)
        ]

    def _word_scores(self, batch: PairBatch, groups: Sequence[PairGroup]) -> Floats:
        units = np.ones(int(batch.unit_start[-1]))
        for group in groups:
            row_value, column_value, _, _ = group.results
            for start, values, lengths in (
                (group.a_start, row_value, group.a_length),
                (group.b_start, column_value, group.b_length),
            ):
                pair, at = np.nonzero(np.arange(values.shape[1]) < lengths[:, None])
                units[start[pair] + at] = 2.0 - 2.0 * values[pair, at]
        words = int(batch.word_start[-1])
        total = np.bincount(batch.owner, units[batch.owned], minlength=words)
        return np.clip(total / np.maximum(np.bincount(batch.owner, minlength=words), 1), 0.0, 1.0)


def _edges(batch: PairBatch, groups: Sequence[PairGroup]) -> list[list[tuple[int, int]]]:
    nothing = np.empty(0, np.int64)
    a, b = [nothing], [nothing]
    for group in groups:
        _, _, column, is_edge = group.results
        pair, row = np.nonzero(is_edge)
        a.append(group.a_start[pair] + row)
        b.append(group.b_start[pair] + column[pair, row])
    _, a_words, b_words = linked_words(batch, np.concatenate(a), np.concatenate(b))
    return word_edges(batch, a_words, b_words)


def _smooth(scores: Floats, batch: PairBatch, deviation: float) -> Floats:
    """The mean of the scores of a token and its neighbours in the same sentence, weighted by a Gaussian of distance."""
    if not deviation or not len(scores):
        return scores
    sentence = _sentences(batch)
    total, weights = scores.copy(), np.ones_like(scores)
    for distance in range(1, int(np.ceil(_REACH * deviation)) + 1):
        weight = np.exp(-0.5 * (distance / deviation) ** 2)
        same = weight * (sentence[distance:] == sentence[:-distance])
        total[distance:] += same * scores[:-distance]
        total[:-distance] += same * scores[distance:]
        weights[distance:] += same
        weights[:-distance] += same
    return total / weights


def _sentences(batch: PairBatch) -> Ints:
    """For every word of a batch the sentence that it is in, counted over the batch."""
    lengths = [high - low for side in batch.sides for low, high in units(side, "sentence")]
    return np.repeat(np.arange(len(lengths)), lengths)
