"""One evaluation of several encoders on one file, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from assist.encoder_choice import clsd, compositionality
from assist.encoder_choice.clsd import ClsdScore, Ranking
from assist.encoder_choice.compositionality import CompositionalityScore
from assist.encoder_choice.embedding import Embedded, embed
from assist.encoder_choice.tables import OPERATORS, ClsdRow, Sample, read_clsd, read_samples

Score = TypeVar("Score", ClsdScore, CompositionalityScore)
Progress = Callable[[str], None]
"""Called with the name of each encoder before it is loaded."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What an encoder cost: its parameters, the sentences it embedded, in how many seconds, how many it cut short."""

    parameters: int
    sentences: int
    seconds: float
    truncated: int


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Score]):
    """One encoder, by the name it was given, with its score."""

    model: str
    score: Score
    effort: Effort


@dataclass(frozen=True, slots=True)
class ClsdResult:
    """Cross-lingual semantic discrimination by several encoders on the same rows."""

    rows: Sequence[ClsdRow]
    models: Sequence[Candidate[ClsdScore]]

    def to_json(self) -> dict[str, Any]:
        """P@1 in per cent, changes in units of the gap; rows that only one way gets right by their line in the file."""
        return {"models": [self._model(each.model, each.score) for each in self.models]}

    def _model(self, model: str, score: ClsdScore) -> dict[str, Any]:
        pivot = None
        if score.pivot is not None:
            pivot = {
                **_ranking(score.pivot),
                "only_direct": [self.rows[at].line for at in score.only_direct()],
                "only_pivot": [self.rows[at].line for at in score.only_pivot()],
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
        """Shares in per cent."""
        return {
            "samples": self.counts(),
            "models": [
                {
                    "model": each.model,
                    "measures": {
                        name: {
                            "c1": [100 * share for share in found.c1] if found.c1 else None,
                            "c3": [100 * share for share in found.c3] if found.c3 else None,
                            "c4": _percent(found.c4),
                        }
                        for name, found in each.score.measures.items()
                    },
                    "c2_inside": _percent(each.score.c2_inside),
                    "c5_near_a": _percent(each.score.c5_near_a),
                    "c6_inside": _percent(each.score.c6_inside),
                    "norm_ratio": each.score.norm_ratio,
                }
                for each in self.models
            ],
        }


def evaluate_clsd(path: Path, models: Sequence[str], progress: Progress = lambda _: None) -> ClsdResult:
    """TableError if the file is invalid, MethodError if an encoder cannot be loaded."""
    rows = read_clsd(path)
    found = []
    for model, embedded in _embedded(models, clsd.sentences(rows), progress):
        found.append(Candidate(model, clsd.clsd_score(rows, embedded.vectors), _effort(embedded)))
    return ClsdResult(rows, found)


def evaluate_compositionality(
    path: Path, models: Sequence[str], progress: Progress = lambda _: None
) -> CompositionalityResult:
    """TableError if the file is invalid, MethodError if an encoder cannot be loaded."""
    samples = read_samples(path)
    measured, efforts = [], []
    for _, embedded in _embedded(models, compositionality.sentences(samples), progress):
        measured.append(compositionality.measured(samples, embedded.vectors))
        efforts.append(_effort(embedded))
    scores = compositionality.compositionality_scores(measured)
    return CompositionalityResult(samples, [Candidate(*each) for each in zip(models, scores, efforts, strict=True)])


EVALUATIONS: Mapping[str, Callable[..., ClsdResult | CompositionalityResult]] = {
    "clsd": evaluate_clsd,
    "compositionality": evaluate_compositionality,
}
"""The evaluation of each task."""


def _embedded(models: Sequence[str], sentences: Sequence[str], progress: Progress) -> Iterator[tuple[str, Embedded]]:
    """One encoder after the other: two never have to fit into memory."""
    for model in models:
        progress(model)
        yield model, embed(model, sentences)


def _effort(embedded: Embedded) -> Effort:
    return Effort(embedded.parameters, len(embedded.vectors), embedded.seconds, embedded.truncated)


def _ranking(ranking: Ranking) -> dict[str, Any]:
    return {"p_at_1": 100 * ranking.p_at_1, "rows": ranking.rows}


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
