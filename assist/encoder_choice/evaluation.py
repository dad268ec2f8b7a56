"""One evaluation of several encoders on one file, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from annotation.phrases import Phrase
from annotation.progress import OnProgress, ignore_progress
from assist.encoder_choice import clsd, compositionality
from assist.encoder_choice.clsd import ClsdScore, Ranking
from assist.encoder_choice.compositionality import CompositionalityScore
from assist.encoder_choice.embedding import EmbeddingResult, embed
from assist.encoder_choice.tables import OPERATORS, ClsdRow, Ranked, Sample
from assist.methods.base import MethodError

Score = TypeVar("Score", ClsdScore, CompositionalityScore)


@dataclass(frozen=True, slots=True)
class ResourceUse:
    """What an encoder cost: its parameters, the sentences it embedded, in how many seconds, how many it cut short.

    ``memory`` is the most that it took, in bytes; None if that could not be measured.
    """

    parameters: int
    sentences: int
    seconds: float
    truncated: int
    memory: int | None = None

    @property
    def speed(self) -> float | None:
        """Sentences a second."""
        return self.sentences / self.seconds if self.seconds else None

    def to_json(self) -> dict[str, Any]:
        """Memory in millions of bytes."""
        return {
            "parameters": self.parameters,
            "sentences": self.sentences,
            "sentences_per_second": self.speed,
            "memory_mb": None if self.memory is None else self.memory / 1e6,
            "truncated": self.truncated,
        }


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Score]):
    """One encoder, by the name it was given, with its score."""

    model: str
    score: Score
    effort: ResourceUse


@dataclass(frozen=True, slots=True)
class ClsdResult:
    """Cross-lingual semantic discrimination by several encoders on the same rows."""

    rows: Sequence[ClsdRow]
    models: Sequence[Candidate[ClsdScore]]

    def to_json(self) -> dict[str, Any]:
        """P@1 as a percentage, changes in units of the gap, and by line the rows that only one way gets right."""
        return {"models": [self._model(each) for each in self.models]}

    def differing(self) -> list[dict[str, Any]]:
        """The rows that some encoder gets right only directly, or only through the pivot, with their sentences.

        What each encoder found nearest to the source is given by model, as (directly, through the pivot): 0 for the
        translation, otherwise the number of the distractor.
        """
        rows = []
        for index, row in enumerate(self.rows):
            nearest = {
                each.model: [each.score.direct.nearest[index], each.score.pivot.nearest[index]]
                for each in self.models
                if each.score.pivot is not None
            }
            if row.pivot is None or not any((direct == 0) != (pivot == 0) for direct, pivot in nearest.values()):
                continue
            texts = {"direct": _texts(row.direct), "pivot": _texts(row.pivot)}
            rows.append({"line": row.line, **texts, "nearest": nearest})
        return rows

    def _model(self, candidate: Candidate[ClsdScore]) -> dict[str, Any]:
        model, score = candidate.model, candidate.score
        pivot = None
        if score.pivot is not None:
            pivot = {
                **_ranking(score.pivot),
                "only_direct": [self.rows[index].line for index in score.only_direct()],
                "only_pivot": [self.rows[index].line for index in score.only_pivot()],
            }
        every = score.changes.get(clsd.ANY)
        return {
            "model": model,
            "direct": _ranking(score.direct),
            "pivot": pivot,
            "gap": score.gap,
            "changes": {
                group: {"rows": each.rows, "cross": each.cross, "mono": each.mono, "correlation": each.correlation}
                for group, each in score.changes.items()
            },
            "correlation": every.correlation if every else None,
            "effort": candidate.effort.to_json(),
        }


@dataclass(frozen=True, slots=True)
class CompositionalityResult:
    """Set-theoretic compositionality of several encoders, whose margins span the values of all."""

    samples: Sequence[Sample]
    models: Sequence[Candidate[CompositionalityScore]]

    def counts(self) -> dict[str, int]:
        """The number of samples of each operator."""
        return {name: sum(each.operator == name for each in self.samples) for name in OPERATORS}

    def to_json(self) -> dict[str, Any]:
        """Percentages."""
        return {
            "samples": self.counts(),
            "models": [
                {
                    "model": each.model,
                    "measures": {
                        name: {
                            "c1": [100 * share for share in measure.c1] if measure.c1 else None,
                            "c3": [100 * share for share in measure.c3] if measure.c3 else None,
                            "c4": _percent(measure.c4),
                        }
                        for name, measure in each.score.measures.items()
                    },
                    "c2_inside": _percent(each.score.c2_inside),
                    "c5_near_a": _percent(each.score.c5_near_a),
                    "c6_inside": _percent(each.score.c6_inside),
                    "norm_ratio": each.score.norm_ratio,
                    "histograms": {
                        name: {"edges": list(histogram.edges), "counts": list(histogram.counts)}
                        for name, histogram in each.score.histograms.items()
                    },
                    "effort": each.effort.to_json(),
                }
                for each in self.models
            ],
        }


@dataclass(frozen=True, slots=True)
class EncoderComparisonResults:
    """What encoders were compared on; None for a task without rows. ``problems``: why encoders are missing, by name."""

    clsd: ClsdResult | None
    compositionality: CompositionalityResult | None
    problems: Mapping[str, Phrase] = field(default_factory=dict)


def compare(
    models: Sequence[str],
    rows: Sequence[ClsdRow] = (),
    samples: Sequence[Sample] = (),
    *,
    device: str = "auto",
    on_progress: OnProgress = ignore_progress,
    skip_problems: bool = False,
) -> EncoderComparisonResults:
    """Compare encoders on rows, samples or both; each is loaded once, and never two at the same time.

    `on_progress` gets the sentences embedded, of how many, and the encoder's name. MethodError if an encoder cannot be
    used, unless those are to be skipped.
    """
    sentences = list(dict.fromkeys([*clsd.sentences(rows), *compositionality.sentences(samples)]))
    if not sentences:
        return EncoderComparisonResults(None, None)
    total = len(sentences) * len(models)
    discriminated: list[Candidate[ClsdScore]] = []
    measured: list[compositionality.EncoderMeasures] = []
    used: list[tuple[str, ResourceUse]] = []
    problems: dict[str, Phrase] = {}
    for index, model in enumerate(models):

        def embedded_so_far(done: int, _: int, before: int = index * len(sentences), name: str = model) -> None:
            on_progress(before + done, total, name)

        embedded_so_far(0, 0)
        try:
            embedded = embed(model, sentences, device, embedded_so_far)
        except MethodError as error:
            if not skip_problems:
                raise
            problems[model] = error.phrase
            continue
        effort = _resource_use(embedded)
        used.append((model, effort))
        if rows:
            discriminated.append(Candidate(model, clsd.clsd_score(rows, embedded.vectors), effort))
        if samples:
            measured.append(compositionality.measure_encoder(samples, embedded.vectors))
    scores = compositionality.compositionality_scores(measured)
    composed = [Candidate(model, score, effort) for (model, effort), score in zip(used, scores, strict=False)]
    return EncoderComparisonResults(
        clsd=ClsdResult(rows, discriminated) if rows else None,
        compositionality=CompositionalityResult(samples, composed) if samples else None,
        problems=problems,
    )


def _resource_use(embedded: EmbeddingResult) -> ResourceUse:
    return ResourceUse(
        embedded.parameters, len(embedded.vectors), embedded.seconds, embedded.truncated, embedded.memory
    )


def _texts(ranked: Ranked) -> dict[str, Any]:
    return {"source": ranked.source, "target": ranked.target, "distractors": list(ranked.distractors)}


def _ranking(ranking: Ranking) -> dict[str, Any]:
    return {"p_at_1": 100 * ranking.p_at_1, "rows": ranking.rows}


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
