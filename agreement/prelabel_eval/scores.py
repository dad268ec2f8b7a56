"""How good pre-labels are: the highlights of each run against the newest gold, as the papers score them.

Spearman and Kendall are over all tokens of all documents, on every side that the scheme marks, pooled, without tokens
of only ASCII punctuation (SwissGov-RSD's -1). 'New' is the label with that name, or any label in a graded scheme; if
there are splits its threshold is chosen on dev and reported on test, otherwise folds of documents are used. Labels are
those that a method predicts; if it gives only scores they are derived from the score, each label with its share of
tokens in the part where thresholds are chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.data.accepted_labels import NOTHING_ACCEPTED, AcceptedSuggestionCounts, accepted_labels
from agreement.data.highlight_arrays import NEW, ScoredTokens, scored_run
from agreement.metrics import detection
from agreement.metrics.arrays import Bools, Floats, Ints
from agreement.metrics.bootstrap import RESAMPLES, SEED, Estimate, draws, estimate
from agreement.metrics.detection import Detection
from agreement.prelabel_eval.projection import ProjectionScore, projection_score
from agreement.prelabel_eval.ranks import rank_correlation
from agreement.selectors import gold_newest
from annotation.errors import Invalid, NotFound
from annotation.models import Project
from annotation.selectors.highlights import HighlightRun, highlight_runs
from annotation.selectors.runs import run_reader

FOLDS = 5
FIFTHS = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """How well 'new' is found: the counts, the interval of F1, where the threshold was chosen and what is reported."""

    counts: Detection
    f1: Estimate
    threshold: float
    chosen_on: str
    reported_on: str


@dataclass(frozen=True, slots=True)
class ScoredFifth:
    """One fifth of the texts by position: its tokens, their correlation, and how well 'new' is found in it."""

    tokens: int
    spearman: float | None
    new: Detection


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What the workspace underlines, against the gold: `share` of the tokens, `detection` (which of these are 'new',
    token by token) and suggestions per pair.

    `two_sided`: of gold spans with fragments on both sides that a suggestion touches, the share that a single
    suggestion touches on both; None without such spans. `as_is` and `one_change` are the shares of gold spans that are
    suggested exactly, and except for one change.
    """

    share: float | None
    detection: Detection
    per_pair: float | None
    two_sided: float | None
    as_is: float | None
    one_change: float | None

    def to_json(self) -> dict[str, float | None]:
        """As `evaluate_prelabels --format json` prints it."""
        return {
            "share": self.share,
            "precision": self.detection.precision,
            "recall": self.detection.recall,
            "per_pair": self.per_pair,
            "two_sided": self.two_sided,
        }


@dataclass(frozen=True, slots=True)
class GradeAgreement:
    """Of tokens that both gold and run mark: the shares with the same grade, and with at most one grade off."""

    tokens: int
    exact: float | None
    within_one: float | None


@dataclass(frozen=True, slots=True)
class Score:
    """One run against the gold. `labels` says how well each label is found; `confusion` is the table of all of them.

    `predicted`: whether the method predicts labels itself. `macro_f1` is the mean F1 of the labels that the gold or the
    run has, including the default; `grades` is None without grades. `accepted`: suggestions with a predicted label that
    annotators accepted unchanged, and how many of these kept that label. `projection`: figures of labels that were
    carried over, None for other methods.
    """

    run: str
    method: str
    settings: Mapping[str, Any]
    documents: int
    tokens: int
    spearman: Estimate
    kendall: Estimate
    new: Finding
    suggestions: Suggestions
    labels: dict[str, Detection]
    predicted: bool
    macro_f1: float | None
    grades: GradeAgreement | None
    accepted: AcceptedSuggestionCounts
    confusion: dict[str, dict[str, int]]
    position: tuple[ScoredFifth, ...]
    seconds: float
    projection: ProjectionScore | None = None

    def to_json(self) -> dict[str, Any]:
        """One of the runs that `evaluate_prelabels --format json` prints."""
        new = self.new
        return {
            "run": self.run,
            "method": self.method,
            "settings": dict(self.settings),
            **_estimate_json("spearman", self.spearman),
            **_estimate_json("kendall", self.kendall),
            "documents": self.documents,
            "tokens": self.tokens,
            "labels": {label: _detection_json(counts) for label, counts in self.labels.items()},
            "labels_predicted": self.predicted,
            "macro_f1": self.macro_f1,
            "grades": asdict(self.grades) if self.grades else None,
            "accepted": asdict(self.accepted),
            "new": {
                **_detection_json(new.counts),
                "threshold": None if np.isnan(new.threshold) else new.threshold,
                "f1_ci": new.f1.interval,
                "chosen_on": new.chosen_on,
                "reported_on": new.reported_on,
            },
            "suggestions": self.suggestions.to_json(),
            "confusion": self.confusion,
            "position": [
                {"tokens": part.tokens, "spearman": part.spearman, "new": _detection_json(part.new)}
                for part in self.position
            ],
            "seconds_per_pair": self.seconds,
            **({"projection": self.projection.to_json()} if self.projection else {}),
        }


def _estimate_json(name: str, value: Estimate) -> dict[str, Any]:
    return {name: value.value, f"{name}_ci": value.interval}


def _detection_json(counts: Detection) -> dict[str, float | None]:
    return {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}


def prelabel_scores(project: Project, *, method: str = "", run: str = "", resamples: int = RESAMPLES) -> list[Score]:
    """A score for each run of `method` ('default', 'default.v1'; '' for all) with highlights, newest first.

    `run` names one of them.

    Raises Invalid if there is no gold or the scheme has no labels, NotFound if no such run has highlights.
    """
    gold = gold_newest(project)
    if gold is None or not project.labels.labels:
        raise Invalid(
            _("There is no gold to score pre-labels against."),
            code="no-gold",
            where=project.slug,
            hint=_("Import gold, or adjudicate first."),
        )
    runs = [
        each
        for each in highlight_runs(project)
        if run in ("", each.run) and method in ("", each.method, each.method.rsplit(".", 1)[0])
    ]
    if not runs:
        raise NotFound(
            _("This method has not pre-labelled this project."),
            where=run or method or project.slug,
            hint=_("Run the prelabel command."),
        )
    settings = run_reader(project).settings()
    return [
        replace(
            score(
                scored_run(project, each.run, gold),
                each,
                settings.get(each.run, {}),
                resamples,
                accepted_labels(project, each.run),
            ),
            projection=projection_score(project, each, gold, resamples),
        )
        for each in runs
    ]


def score(
    scored: ScoredTokens,
    run: HighlightRun,
    settings: Mapping[str, Any],
    resamples: int = RESAMPLES,
    accepted: AcceptedSuggestionCounts = NOTHING_ACCEPTED,
) -> Score:
    """Every figure of one run."""
    weights = draws(len(scored.splits), resamples)
    counted = scored.scores[scored.counted], scored.codes[scored.counted], scored.documents[scored.counted]
    classified = _apply_thresholds(scored)
    table = detection.confusion(scored.codes[classified.taken], classified.labels[classified.taken], len(scored.labels))
    names = scored.labels
    labels = {name: detection.label_detection(table, code) for code, name in enumerate(names)}
    return Score(
        run=run.run,
        method=run.method,
        settings=settings,
        documents=len(scored.splits),
        tokens=len(counted[0]),
        spearman=rank_correlation(*counted, scored.values, weights, "spearman"),
        kendall=rank_correlation(*counted, scored.values, weights, "kendall"),
        new=_finding(scored, classified, weights),
        suggestions=_suggestions(scored, classified.taken),
        labels=labels,
        predicted=scored.named is not None,
        macro_f1=_mean([each.f1 for each in labels.values()]),
        grades=_grades(table) if scored.graded else None,
        accepted=accepted,
        confusion={
            name: {other: int(table[row, column]) for column, other in enumerate(names)}
            for row, name in enumerate(names)
        },
        position=tuple(_parts(scored, classified)),
        seconds=run.seconds,
    )


def _mean(values: Sequence[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def _grades(table: Ints) -> GradeAgreement:
    """How far grades agree, from counts of gold labels (rows) by found label (columns), the default first."""
    marked = table[1:, 1:]
    tokens = int(marked.sum())
    near = sum(int(np.trace(marked, offset)) for offset in (-1, 0, 1))
    return GradeAgreement(
        tokens, float(np.trace(marked) / tokens) if tokens else None, near / tokens if tokens else None
    )


@dataclass(frozen=True, slots=True)
class _Classified:
    """The result of thresholds: tokens counted as new, a label for every token, and the tokens to report on."""

    new: Bools
    labels: Ints
    taken: Bools
    threshold: float
    chosen_on: str
    reported_on: str


def _apply_thresholds(scored: ScoredTokens) -> _Classified:
    """Thresholds chosen on dev and reported on test; without both, chosen on other folds and reported on all."""
    dev = scored.tokens_of("dev", "validation") & scored.labelled
    test = scored.tokens_of("test") & scored.labelled
    if dev.any() and test.any():
        choices = [(dev, np.ones(len(dev), dtype=bool))]
        taken, names = test, ("dev", "test")
    else:
        taken, names = scored.labelled, (f"the other of {FOLDS} folds", "all")
        choices = [(choose & taken, reported) for choose, reported in detection.folds(scored.documents, FOLDS, SEED)]
    new, labels = np.zeros(len(taken), dtype=bool), np.zeros(len(taken), dtype=np.int64)
    for choose, reported in choices:
        on = choose if choose.any() else taken  # with a single document, there is no other to choose on
        threshold = detection.best_threshold(scored.scores[on], scored.new[on])
        new[reported] = scored.scores[reported] >= threshold
        labels[reported] = detection.labels_from_scores(scored.scores[reported], _cuts(scored, on, threshold))
    whole = choices[0][0] if names[0] == "dev" else taken
    threshold = detection.best_threshold(scored.scores[whole], scored.new[whole])
    if scored.named is not None:
        labels = scored.named
    return _Classified(new, labels, taken, threshold, *names)


def _cuts(scored: ScoredTokens, on: Bools, threshold: float) -> Floats:
    """The score at which each label begins: by its share of tokens in `on`, 'new' at its threshold."""
    cuts = detection.label_thresholds(scored.scores[on], scored.codes[on], len(scored.labels))
    return np.append(np.minimum(cuts[:-1], threshold), threshold) if NEW in scored.labels else cuts


def _finding(scored: ScoredTokens, result: _Classified, weights: Any) -> Finding:
    new, taken = scored.new[result.taken], result.new[result.taken]
    counts = np.zeros((len(scored.splits), 3))
    cells = np.stack([taken & new, taken & ~new, ~taken & new], axis=1)
    np.add.at(counts, scored.documents[result.taken], cells)
    interval = estimate(counts, detection.f1_of, weights)
    return Finding(detection.detection(taken, new), interval, result.threshold, result.chosen_on, result.reported_on)


def _suggestions(scored: ScoredTokens, taken: Bools) -> Suggestions:
    """Figures of underlined tokens among those reported on, in their documents."""
    underlined = scored.suggested[taken]
    documents = np.unique(scored.documents[taken])
    touched, both = scored.linked[documents].sum(axis=0)
    spans, as_is, one_change = scored.saved[documents].sum(axis=0)
    return Suggestions(
        share=float(underlined.mean()) if len(underlined) else None,
        detection=detection.detection(underlined, scored.new[taken]),
        per_pair=float(scored.suggestions[documents].mean()) if len(documents) else None,
        two_sided=float(both / touched) if touched else None,
        as_is=float(as_is / spans) if spans else None,
        one_change=float(one_change / spans) if spans else None,
    )


def _parts(scored: ScoredTokens, result: _Classified) -> Iterator[ScoredFifth]:
    """The same figures by position: fifths of each text, from its beginning."""
    from scipy import stats

    fifth = np.minimum((scored.position * FIFTHS).astype(np.int64), FIFTHS - 1)
    for number in range(FIFTHS):
        inside = fifth == number
        scores, values = scored.scores[inside & scored.counted], scored.values[scored.codes[inside & scored.counted]]
        defined = len(scores) > 1 and np.ptp(scores) > 0 and np.ptp(values) > 0
        rho = float(stats.spearmanr(scores, values).statistic) if defined else None
        on = inside & result.taken
        yield ScoredFifth(len(scores), rho, detection.detection(result.new[on], scored.new[on]))
