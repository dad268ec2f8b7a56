"""The pairs behind each figure of the analyses, and what each contributes to it.

A list is a `FigurePart` in an address, and is computed and stored as the analyses are; `analyses_list_page` has its
words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any
from urllib.parse import parse_qsl

import numpy as np

from agreement.data.analysis_inputs import (
    PairAnnotation,
    TimedAnnotation,
    TokensByLabel,
    annotations_by_person,
    annotations_with_verdict,
    labelled_sides,
    timed_annotations,
)
from agreement.data.annotation_arrays import label_codes
from agreement.data.highlight_arrays import ScoredTokens, scored_against, scored_run
from agreement.metrics.arrays import Bools
from agreement.prelabel_eval.analyses import Times, is_long, quarters, tenths, tokens_of_languages
from agreement.prelabel_eval.ranks import correlation
from agreement.report.render.tables import drilldown_link
from agreement.selectors import gold_newest
from annotation.models import Pair, Project, Verdict
from annotation.progress import OnAdvance
from annotation.selectors.highlights import highlight_runs
from annotation.selectors.runs import DENOMINATORS, FAILURES, RunPair, run_reader

CHUNK = 500
"""Pairs whose names are read at a time."""
RANKED = ("position", "length", "languages", "annotators")
PROCESSED, FAILED, WITHOUT = "processed", "failed", "without"
Value = float | int | str | None


@dataclass(frozen=True, slots=True)
class FigurePart:
    """The figure that a list of pairs explains. `kind` is its section, and `of` the part of it:

    position: a tenth, '1' to '10'; length: a quarter, '1' to '4'; languages: 'EN-DE'; annotators: an alias (all of
    these of a `run`); labels: a label, or '' for all tokens, on a `side` of the texts of `languages`; times: 'short' or
    'long', of `languages`; failures: PROCESSED, FAILED, WITHOUT or one of FAILURES, of a `run`; verdicts: a verdict.
    """

    kind: str
    of: str = ""
    run: str = ""
    languages: str = ""
    side: str = ""
    language: str = ""

    def __str__(self) -> str:
        """As in addresses: 'kind=position&of=3&run=default-v5'."""
        return self.link.partition("?")[2]

    @property
    def link(self) -> str:
        """As a cell's link."""
        return drilldown_link("pairs", **{field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def parse(cls, text: Mapping[str, str] | str) -> FigurePart:
        """The part from the result of `str`, or from an address."""
        values = dict(parse_qsl(text)) if isinstance(text, str) else text
        return cls(**{field.name: values.get(field.name, "") for field in fields(cls)})


def labels_part(each: TokensByLabel, label: str) -> FigurePart:
    """The part of a label, or '' for all tokens, on one side of the texts of some languages."""
    return FigurePart("labels", label, languages=each.pair, side=each.side, language=each.language)


def times_part(each: Times) -> FigurePart:
    """The part of some times."""
    return FigurePart("times", "long" if each.long else "short", languages=each.languages)


@dataclass(frozen=True, slots=True)
class AnalysedRow:
    """What one piece of work contributes. `anchor` is where in the texts it begins ('b12'), if that is one position."""

    annotated: PairAnnotation
    values: tuple[Value, ...]
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class PairList:
    """The rows behind a figure, and the `totals` that the figure is made from.

    `gold`: whether it is of the gold rather than of people's work. The `values` of rows are, by kind of part:
    correlations: tokens, those with a label other than the default, the mean score of these, of the others, and the
    correlation within the pair; labels: tokens, those with the label; times: tokens, seconds; failures: the reason, or
    how many, and of how many; verdicts: none.
    """

    rows: tuple[AnalysedRow, ...]
    totals: tuple[Value, ...]
    gold: bool = False

    def to_json(self) -> dict[str, Any]:
        rows = [[*astuple(row.annotated), list(row.values), row.anchor] for row in self.rows]
        return {"rows": rows, "totals": list(self.totals), "gold": self.gold}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> PairList:
        rows = tuple(
            AnalysedRow(PairAnnotation(*annotated), tuple(values), anchor)
            for *annotated, values, anchor in body["rows"]
        )
        return cls(rows, tuple(body["totals"]), body["gold"])


def pair_list_of(project: Project, part: FigurePart, on_progress: OnAdvance) -> PairList | None:
    """The pairs behind a figure; None if there is no such figure. `on_progress` is called between parts."""
    lists: dict[str, Callable[[], PairList | None]] = {
        **{kind: lambda: _rank_list(project, part, on_progress) for kind in RANKED},
        "labels": lambda: _label_list(project, part),
        "times": lambda: _time_list(project, part),
        "failures": lambda: _failures(project, part),
        "verdicts": lambda: _verdicts(project, part.of),
    }
    return lists[part.kind]() if part.kind in lists else None


def _rank_list(project: Project, part: FigurePart, on_progress: OnAdvance) -> PairList | None:
    if not any(run.run == part.run for run in highlight_runs(project)):
        return None
    if part.kind == "annotators":
        decided = annotations_by_person(project).get(part.of)
        scored = scored_against(project, part.run, decided) if decided else None
        return _contributions(project, scored, scored.counted, on_progress) if scored else None
    gold = gold_newest(project)
    if gold is None:
        return None
    scored = scored_run(project, part.run, gold)
    taken = _tokens_of_part(scored, part)
    return None if taken is None else _contributions(project, scored, taken & scored.counted, on_progress, gold=True)


def _tokens_of_part(scored: ScoredTokens, part: FigurePart) -> Bools | None:
    """The tokens that a figure is of; None if there is no such figure."""
    if part.kind == "languages":
        return tokens_of_languages(scored, part.of) if part.of in scored.languages else None
    number = int(part.of) if part.of.isascii() and part.of.isdigit() and len(part.of) < 3 else 0
    if part.kind == "position":
        return np.asarray(tenths(scored) == number - 1) if number in range(1, 11) else None
    parts = quarters(scored)
    return np.isin(scored.documents, parts[number - 1]) if number in range(1, len(parts) + 1) else None


def _contributions(
    project: Project, scored: ScoredTokens, taken: Bools, on_progress: OnAdvance, *, gold: bool = False
) -> PairList:
    """Each pair's tokens, labels and scores, where its scores order its labels worst first."""
    rows = []
    label_values = scored.values[scored.codes]
    names = _names(project, scored.pairs)
    # The tokens of a document are consecutive.
    edges = np.searchsorted(scored.documents, np.arange(len(scored.pairs) + 1))
    for index, pair in enumerate(scored.pairs):
        own = slice(edges[index], edges[index + 1])
        in_pair = taken[own]
        scores, labels = scored.scores[own][in_pair], label_values[own][in_pair]
        if len(scores):
            marked = scored.codes[own][in_pair] > 0
            values = (
                len(scores),
                int(marked.sum()),
                _mean(scores[marked]),
                _mean(scores[~marked]),
                correlation(scores, labels, "spearman"),
            )
            rows.append(AnalysedRow(PairAnnotation(pair, names[pair]), values))
        on_progress(index)
    rows.sort(key=lambda row: (row.values[4] is None, row.values[4]))
    whole = correlation(scored.scores[taken], label_values[taken], "spearman")
    return PairList(tuple(rows), (int(taken.sum()), whole), gold)


def _mean(values: Any) -> float | None:
    return float(values.mean()) if len(values) else None


def _label_list(project: Project, part: FigurePart) -> PairList | None:
    gold, names = gold_newest(project), label_codes(project.labels)[0]
    if part.of and part.of not in names:
        return None
    rows = []
    for each in labelled_sides(project, gold):
        if (each.languages, each.side, each.language) == (part.languages, part.side, part.language):
            has_label = each.codes == names.index(part.of) if part.of else np.ones(len(each.codes), dtype=bool)
            if has_label.any():
                first = f"{each.side}{each.tokens[has_label][0]}" if part.of and part.of != names[0] else ""
                rows.append(AnalysedRow(each.annotated, (len(each.codes), int(has_label.sum())), first))
            elif len(each.codes):
                rows.append(AnalysedRow(each.annotated, (len(each.codes), 0)))
    rows.sort(key=lambda row: (-_share(row.values), row.annotated.name))
    return PairList(tuple(rows), _sums(rows, 2), gold is not None) if rows else None


def _share(values: Sequence[Any]) -> float:
    return float(values[1] / values[0])


def _sums(rows: Iterable[AnalysedRow], width: int) -> tuple[int, ...]:
    values: Any = [row.values for row in rows]
    return tuple(int(sum(each[index] for each in values)) for index in range(width))


def _time_list(project: Project, part: FigurePart) -> PairList | None:
    own = [each for each in timed_annotations(project) if each.languages == part.languages]
    if part.of not in ("short", "long") or not own:
        return None
    chosen: list[TimedAnnotation] = [
        each for each, long in zip(own, is_long(own), strict=True) if long == (part.of == "long")
    ]
    chosen.sort(key=lambda each: -each.seconds)
    rows = tuple(AnalysedRow(each.annotated, (each.tokens, each.seconds)) for each in chosen)
    return PairList(rows, _sums(rows, 2))


def _failures(project: Project, part: FigurePart) -> PairList | None:
    pairs = run_reader(project).pairs(part.run)
    if pairs is None or part.of not in (PROCESSED, FAILED, WITHOUT, *FAILURES):
        return None
    if part.of in DENOMINATORS:
        counted = [(each.pair, each.faulty[part.of]) for each in pairs if part.of in each.faulty]
        totals = sum(some for _, (some, _) in counted), sum(whole for _, (_, whole) in counted)
        shown: list[tuple[int, tuple[Value, ...]]] = [(pair, (some, whole)) for pair, (some, whole) in counted if some]
    else:
        chosen: dict[str, Callable[[RunPair], bool]] = {
            PROCESSED: lambda each: True,
            FAILED: lambda each: bool(each.failed),
            WITHOUT: lambda each: each.no_result,
        }
        shown = [(each.pair, (_state(each), each.failed)) for each in pairs if chosen[part.of](each)]
        totals = len(shown), len(pairs)
    names = _names(project, [pair for pair, _ in shown])
    rows = [AnalysedRow(PairAnnotation(pair, names[pair]), values) for pair, values in shown if pair in names]
    if part.of in DENOMINATORS:
        rows.sort(key=lambda row: -_share(row.values[::-1]))
    return PairList(tuple(rows), totals)


def _state(each: RunPair) -> str:
    """The result of a pair as a word, which the page translates."""
    return FAILED if each.failed else WITHOUT if each.no_result else PROCESSED


def _verdicts(project: Project, verdict: str) -> PairList | None:
    if verdict not in Verdict.values or verdict == Verdict.NONE:
        return None
    rows = tuple(AnalysedRow(annotated, ()) for annotated in annotations_with_verdict(project, verdict))
    return PairList(rows, (len(rows),))


def _names(project: Project, pairs: Sequence[int]) -> dict[int, str]:
    """The ids of pairs that are still there, by key, in the project's order."""
    names: dict[int, str] = {}
    for start in range(0, len(pairs), CHUNK):
        rows = Pair.objects.filter(project=project, pk__in=pairs[start : start + CHUNK])
        names.update(rows.order_by("position", "pk").values_list("pk", "external_id"))
    return names
