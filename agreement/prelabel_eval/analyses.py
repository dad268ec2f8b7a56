"""Analyses of a project's pre-labels and labels, as the papers make them.

Where in a text and in which texts methods are right, and for whose labels; which labels languages have; how long short
and long pairs take; and how often something fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agreement.data.analysis_inputs import (
    TimedAnnotation,
    TokensByLabel,
    annotations_by_person,
    label_counts,
    timed_annotations,
    verdicts,
)
from agreement.data.highlight_arrays import ScoredTokens, scored_against, scored_run
from agreement.metrics.arrays import Bools, Ints
from agreement.metrics.bootstrap import Estimate, draws, estimate, mean
from agreement.prelabel_eval.ranks import rank_correlation
from agreement.selectors import gold_newest
from annotation.models import Project
from annotation.progress import OnAdvance, ignore_progress
from annotation.selectors.highlights import HighlightRun, highlight_runs
from annotation.selectors.runs import RunFailures, run_reader

TENTHS = 10
QUARTERS = 4
RESAMPLES = 300


@dataclass(frozen=True, slots=True)
class Ranks:
    """How a run's scores and labels correlate on some tokens; `name` is that of the part."""

    name: str
    documents: int
    tokens: int
    spearman: Estimate
    kendall: Estimate

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "documents": self.documents,
            "tokens": self.tokens,
            "spearman": self.spearman.value,
            "spearman_ci": self.spearman.interval,
            "kendall": self.kendall.value,
            "kendall_ci": self.kendall.interval,
        }


@dataclass(frozen=True, slots=True)
class RunAnalysis:
    """One run: by tenth of the texts, by quarter of the pairs from short to long, by language pair, and by whose labels
    are taken for the gold.

    The names of parts are '1' to '10', the lengths of the shortest and the longest pair ('120-340'), 'EN-DE', and an
    annotator's alias. Without gold only the last has parts.
    """

    run: str
    method: str
    position: tuple[Ranks, ...]
    length: tuple[Ranks, ...]
    languages: tuple[Ranks, ...]
    annotators: tuple[Ranks, ...]

    def to_json(self) -> dict[str, Any]:
        parts = ("position", "length", "languages", "annotators")
        return {
            "run": self.run,
            "method": self.method,
            **{name: [each.to_json() for each in getattr(self, name)] for name in parts},
        }


@dataclass(frozen=True, slots=True)
class Times:
    """Active time of the submissions of short or of long pairs of two languages: those of at most, or of more than,
    the median length. `seconds` is the mean, `median` the median, `pace` seconds for 100 tokens.
    """

    languages: str
    long: bool
    bound: float
    submissions: int
    tokens: float
    seconds: Estimate
    median: float
    pace: float

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "seconds": self.seconds.value, "seconds_ci": self.seconds.interval}


@dataclass(frozen=True, slots=True)
class Analyses:
    """All analyses of a project. `gold`: whether `labels` are those of the gold, not of submissions."""

    gold: bool
    runs: tuple[RunAnalysis, ...]
    labels: tuple[TokensByLabel, ...]
    times: tuple[Times, ...]
    failures: tuple[RunFailures, ...]
    verdicts: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """As `analyses --format json` prints it."""
        return {
            "runs": [each.to_json() for each in self.runs],
            "labels_of": "gold" if self.gold else "submissions",
            "labels": [asdict(each) for each in self.labels],
            "times": [each.to_json() for each in self.times],
            "failures": [
                {
                    **{name: getattr(each, name) for name in ("run", "method", "pairs", "failed")},
                    "without": each.no_result,
                    **{f"{name}_share": some / of if of else None for name, (some, of) in each.faulty.items()},
                }
                for each in self.failures
            ],
            "verdicts": dict(self.verdicts),
        }


def analyses(project: Project, *, resamples: int = RESAMPLES, on_progress: OnAdvance = ignore_progress) -> Analyses:
    """Every analysis of a project: of its newest gold, all submissions and all runs.

    `on_progress` is called between parts.
    """
    gold = gold_newest(project)
    own = annotations_by_person(project)
    marks = bool(project.labels.labels)
    runs = []
    for number, run in enumerate(highlight_runs(project) if marks else (), 1):
        runs.append(_run(project, run, gold, own, resamples, on_progress))
        on_progress(number)
    return Analyses(
        gold is not None,
        tuple(runs),
        tuple(label_counts(project, gold)) if marks else (),
        tuple(times_of(timed_annotations(project), resamples)),
        tuple(run_reader(project).failures()),
        verdicts(project),
    )


def _run(
    project: Project,
    run: HighlightRun,
    gold: int | None,
    own: Mapping[str, Mapping[int, int]],
    resamples: int,
    on_progress: OnAdvance,
) -> RunAnalysis:
    people: list[Ranks] = []
    for alias, decided in own.items():
        scored = scored_against(project, run.run, decided)
        on_progress(len(people))
        if scored.splits:
            people.append(ranks(alias, scored, scored.counted, resamples))
    if gold is None:
        return RunAnalysis(run.run, run.method, (), (), (), tuple(people))
    scored = scored_run(project, run.run, gold)
    return RunAnalysis(
        run.run,
        run.method,
        tuple(by_position(scored, resamples)),
        tuple(by_length(scored, resamples)),
        tuple(by_languages(scored, resamples)),
        tuple(people),
    )


def by_position(scored: ScoredTokens, resamples: int = RESAMPLES) -> Iterator[Ranks]:
    """Tenths of the texts by the position of a token, from the beginning; of documents of any length."""
    tenth = tenths(scored)
    for number in range(TENTHS if scored.splits else 0):
        yield ranks(str(number + 1), scored, (tenth == number) & scored.counted, resamples)


def tenths(scored: ScoredTokens) -> Ints:
    """The tenth of its text that each token is in, from 0."""
    return np.minimum((scored.position * TENTHS).astype(np.int64), TENTHS - 1)


def by_length(scored: ScoredTokens, resamples: int = RESAMPLES) -> Iterator[Ranks]:
    """Quarters of the documents, from the shortest to the longest: equally many in each, or one more in the first."""
    for part in quarters(scored):
        lengths = scored.lengths[part]
        taken = np.isin(scored.documents, part) & scored.counted
        yield ranks(f"{int(lengths.min())}-{int(lengths.max())}", scored, taken, resamples)


def quarters(scored: ScoredTokens) -> list[Ints]:
    """The documents of each quarter; fewer quarters if there are fewer documents."""
    order = np.argsort(scored.lengths, kind="stable")
    return np.array_split(order, min(QUARTERS, len(order))) if len(order) else []


def by_languages(scored: ScoredTokens, resamples: int = RESAMPLES) -> Iterator[Ranks]:
    """Each language pair."""
    for name in sorted(set(scored.languages)):
        yield ranks(name, scored, tokens_of_languages(scored, name) & scored.counted, resamples)


def tokens_of_languages(scored: ScoredTokens, name: str) -> Bools:
    """The tokens of the documents of a language pair."""
    return np.asarray((np.array(scored.languages) == name)[scored.documents])


def ranks(name: str, scored: ScoredTokens, taken: Bools, resamples: int) -> Ranks:
    """The correlations on some tokens; intervals are over the documents that have any of them."""
    present, documents = np.unique(scored.documents[taken], return_inverse=True)
    tokens = scored.scores[taken], scored.codes[taken], documents.astype(np.int64), scored.values
    weights = draws(len(present), resamples)
    return Ranks(
        name,
        len(present),
        int(taken.sum()),
        rank_correlation(*tokens, weights, "spearman"),
        rank_correlation(*tokens, weights, "kendall"),
    )


def times_of(annotations: Sequence[TimedAnnotation], resamples: int = RESAMPLES) -> Iterator[Times]:
    """Short and long pairs of each language pair, cut at the median length of the pairs that were submitted."""
    for languages in sorted({each.languages for each in annotations}):
        own = [each for each in annotations if each.languages == languages]
        longer = is_long(own)
        for long in (False, True):
            part = [each for each, one in zip(own, longer, strict=True) if one == long]
            if part:
                yield _times(languages, long, median_length(own), part, resamples)


def median_length(annotations: Sequence[TimedAnnotation]) -> float:
    """The median length of the pairs that were submitted, each counted once."""
    return float(np.median(list({each.annotated.pair: each.tokens for each in annotations}.values())))


def is_long(annotations: Sequence[TimedAnnotation]) -> list[bool]:
    """Which submissions are of long pairs: longer than the median."""
    bound = median_length(annotations)
    return [each.tokens > bound for each in annotations]


def _times(languages: str, long: bool, bound: float, annotations: Sequence[TimedAnnotation], resamples: int) -> Times:
    pairs: Ints = np.unique([each.annotated.pair for each in annotations], return_inverse=True)[1]
    seconds, tokens = (
        np.array([getattr(each, name) for each in annotations], dtype=float) for name in ("seconds", "tokens")
    )
    counts = np.zeros((int(pairs.max()) + 1, 2))
    np.add.at(counts, pairs, np.stack([seconds, np.ones(len(annotations))], axis=1))
    return Times(
        languages,
        long,
        bound,
        len(annotations),
        float(tokens.mean()),
        estimate(counts, mean, draws(len(counts), resamples)),
        float(np.median(seconds)),
        100 * float(seconds.sum() / tokens.sum()),
    )
