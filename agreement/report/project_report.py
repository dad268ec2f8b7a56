"""The agreement report of a project: one object, from which the page, the command and the published card are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from agreement.data.annotation_arrays import merged_labels_of
from agreement.metrics.bootstrap import RESAMPLES, Estimate
from agreement.metrics.documents import Collection
from agreement.report.compute import summary_rows
from agreement.report.compute.ceiling import joint_reliability
from agreement.report.compute.document_counting import Counting, counts_of
from agreement.report.compute.document_counts import DocumentCounts
from agreement.report.compute.drift import Drift, GrowthPoint, drifts, growth, repeats
from agreement.report.compute.effect import Highlights, Outcomes, highlights_of
from agreement.report.compute.figures import Figures, figures_of
from agreement.report.compute.ratings import Rating, RatingAnswers, ratings_of
from agreement.report.compute.statistics import Lengths, Statistics, statistics
from agreement.report.compute.summary_rows import SummaryRow
from agreement.report.render import layout, report_json, secondary_tables
from agreement.report.render.headline import report_headline
from agreement.report.render.methods import answer_methods, methods
from agreement.report.render.papers import paper_table
from agreement.report.render.recommended import RecommendedFigure, recommended_for_answers, recommended_for_marks
from agreement.report.scope import Scope
from annotation.figure_tables import Table
from annotation.models import Assignment, Phase, Project
from annotation.progress import OnAdvance, ignore_progress
from annotation.scheme_words import label_name


@dataclass(frozen=True, slots=True)
class Report:
    """How far people agree. `figures` is over the documents used, `with_empty` over the excluded ones too.

    `excluded` are documents in which someone marked nothing (if every token has a label, none are excluded); `single`
    were submitted by only one person and say nothing about agreement. `label_names`: by key, unless published.
    """

    project: str
    phase: str
    collection: Collection
    merged: dict[str, str]
    figures: Figures
    excluded: int
    with_empty: Figures | None
    single: int
    annotator_pairs: list[SummaryRow]
    language_pairs: list[SummaryRow]
    splits: list[SummaryRow]
    phases: list[SummaryRow]
    kinds: list[SummaryRow]
    position: list[Estimate]
    drifts: list[Drift]
    growth: list[GrowthPoint]
    repeats: list[SummaryRow]
    highlights: Highlights | None
    ceiling: list[tuple[int, Estimate]]
    statistics: Statistics
    ratings: list[Rating]
    label_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def marks(self) -> bool:
        """Whether words are marked in the scheme; a rating scheme only has questions."""
        return len(self.collection.labels) > 1

    @property
    def tables(self) -> list[Table]:
        """Every table of the report that has a row."""
        names = layout.side_names(self.statistics)
        if not self.marks:
            return layout.not_empty(
                [
                    layout.ratings_table(self.ratings),
                    layout.answers_table(self.ratings),
                    secondary_tables.size_table(self.statistics),
                ]
            )
        return layout.not_empty(
            [
                layout.ratings_table(self.ratings),
                layout.answers_table(self.ratings),
                layout.overlap_table(self.figures, self.with_empty, names),
                layout.matched_table(self.figures, self.with_empty, self.kinds),
                layout.annotator_table(self.figures.annotators, self.label_names),
                layout.chance_table(self.figures, self.with_empty, names),
                layout.f1_table(self.figures, self.label_names),
                layout.majority_table(self.figures),
                secondary_tables.ceiling_table(self.ceiling),
                layout.confusion_table(self.figures, self.label_names),
                layout.breakdown_table(_("By annotator pair"), self.annotator_pairs, names, "annotator-pairs"),
                layout.kinds_table(self.kinds, names),
                layout.breakdown_table(_("By language pair"), self.language_pairs, names, "language-pairs"),
                layout.breakdown_table(_("By split"), self.splits, names, "splits"),
                layout.phases_table(self.phases, names),
                layout.breakdown_table(_("Same person again (re-tests)"), self.repeats, names, "retests"),
                secondary_tables.drift_table(self.drifts, self.label_names),
                secondary_tables.highlights_table(self.highlights),
                secondary_tables.size_table(self.statistics),
                secondary_tables.label_table(self.statistics, self.label_names, partition=self.collection.partition),
                paper_table(self.figures, names, partition=self.collection.partition),
            ]
        )

    @property
    def key_tables(self) -> list[Table]:
        """The tables that matter most, as a dataset's card prints them."""
        if not self.marks:
            return layout.not_empty([layout.ratings_table(self.ratings), layout.answers_table(self.ratings)])
        names = layout.side_names(self.statistics)
        return layout.not_empty(
            [
                layout.ratings_table(self.ratings),
                layout.overlap_table(self.figures, self.with_empty, names),
                layout.matched_table(self.figures, self.with_empty, self.kinds),
                layout.annotator_table(self.figures.annotators, self.label_names),
                layout.chance_table(self.figures, self.with_empty, names),
                layout.f1_table(self.figures, self.label_names),
            ]
        )

    @property
    def headline(self) -> str:
        return report_headline(self.figures, self.ratings, marks=self.marks, excluded=self.excluded)

    @property
    def recommended(self) -> RecommendedFigure | None:
        """The figure to judge the agreement by; None if there is nothing to compare yet."""
        if not self.marks:
            return recommended_for_answers(self.ratings)
        names = layout.side_names(self.statistics)
        return recommended_for_marks(self.figures, names, self.ratings, partition=self.collection.partition)

    @property
    def methods(self) -> str:
        """How each number was computed, ready to paste: for answers, marks, or both."""
        paragraphs = [answer_methods(self.phase, max(rating.items for rating in self.ratings))] if self.ratings else []
        if self.marks:
            paragraphs.append(
                methods(
                    self.figures,
                    excluded=self.excluded,
                    single=self.single,
                    partition=self.collection.partition,
                    phase=self.phase,
                    merged=self.merged,
                )
            )
        return "\n\n".join(paragraphs)

    def to_json(self) -> dict[str, Any]:
        """The object that `agreement --format json` prints."""
        body = report_json.figures_json(self.figures)
        return {
            "documents": body.pop("documents"),
            "left_out": self.excluded,
            **body,
            "project": self.project,
            "phase": self.phase,
            "single": self.single,
            "with_empty": report_json.figures_json(self.with_empty) if self.with_empty else None,
            "annotator_pairs": [report_json.summary_row_json(row) for row in self.annotator_pairs],
            "language_pairs": [report_json.summary_row_json(row) for row in self.language_pairs],
            "splits": [report_json.summary_row_json(row) for row in self.splits],
            "phases": [report_json.summary_row_json(row) for row in self.phases],
            "span_kinds": {row.name: report_json.summary_row_json(row) for row in self.kinds},
            "position": [report_json.numbers(iou=estimate) for estimate in self.position],
            "drift": [report_json.drift_json(drift) for drift in self.drifts],
            "growth": [{"documents": each.documents, **report_json.numbers(alpha=each.alpha)} for each in self.growth],
            "retests": [report_json.summary_row_json(row) for row in self.repeats],
            "highlights": report_json.highlights_json(self.highlights) if self.highlights else None,
            "joint_reliability": [{"annotators": n, **report_json.numbers(value=alpha)} for n, alpha in self.ceiling],
            "statistics": asdict(self.statistics),
            "ratings": {rating.question.key: report_json.rating_json(rating) for rating in self.ratings},
        }


def used_of(collection: Collection) -> Collection:
    """The documents that the report's figures use: submitted by two people, with the papers' exclusions.

    SwissGov-RSD excludes a document in which someone marked nothing. If every token has a label (X-PARADE),
    marking nothing labels all tokens 'same', and nothing is excluded.
    """
    shared = collection.shared()
    return shared if collection.partition else shared.without_empty()


class Parts:
    """What a report is computed from, collected block by block, so that a large project is never held."""

    def __init__(self, about: Collection, *, compared: bool = True) -> None:
        """`compared`: highlights were shown to some and not to others."""
        self.collection = about.of([])
        self.documents = 0
        self._counting = Counting(about)
        self.lengths = Lengths()
        self.outcomes = Outcomes(about, compared=compared)
        self.answers = RatingAnswers(about)

    def add(self, block: Collection) -> None:
        """Add a block, whose documents come after all others."""
        self.documents += len(block.documents)
        self._counting.add(counts_of(block))
        for each in (self.lengths, self.outcomes, self.answers):
            each.add(block)

    def take_counts(self) -> DocumentCounts:
        """The counts of the documents that at least two people submitted. This object no longer keeps them."""
        return self._counting.take_counts()


def agreement_report(
    project: Project, *, phase: str = Phase.MAIN, scope: Scope | None = None, resamples: int = RESAMPLES
) -> Report:
    """Compute the report of one phase, or of `scope`. Human work only, without re-tests."""
    scope = scope or Scope(phase)
    everything = scope.of(project, round=None)
    collection = everything.first_round()
    parts = Parts(collection)
    parts.add(collection)
    used = used_of(collection)
    return replace(
        _report(project, scope, parts, resamples, ignore_progress),
        collection=collection,
        annotator_pairs=summary_rows.by_annotator_pair(used) if len(used.annotator_pairs()) > 1 else [],
        position=summary_rows.by_position(used),
        drifts=drifts(collection.shared()),
        growth=growth(collection),
        repeats=repeats(everything),
        statistics=statistics(collection),
        label_names={label.key: label_name(project.labels, label.key) for label in project.labels.labels},
    )


def published_report(project: Project, *, scope: Scope, on_progress: OnAdvance = ignore_progress) -> Report:
    """As `agreement_report`, but only what is published: without figures of two annotators, of their progress and of
    their labels, and without the collection's documents.

    Documents are read in blocks, so that memory hardly grows with the project. `on_progress` gets their number as they
    are read, and once more in the course of the draws.
    """
    assigned = Assignment.objects.filter(pair__project=project, phase=scope.phase)
    compared = len(set(assigned.values_list("highlights_shown", flat=True).distinct())) > 1
    parts: Parts | None = None
    for block in scope.blocks(project):
        parts = parts or Parts(block, compared=compared)
        parts.add(block)
        on_progress(len(block.documents))
    assert parts is not None, "there is at least one block"
    return _report(project, scope, parts, RESAMPLES, on_progress)


def _report(project: Project, scope: Scope, parts: Parts, resamples: int, on_progress: OnAdvance) -> Report:
    about, used = parts.collection, parts.take_counts()
    single, excluded = parts.documents - len(used), 0
    with_empty: Figures | None = None
    if not about.partition and (excluded := int(used.empty.sum())):
        # First, so that the counts with these documents and those without them are not both held afterwards.
        with_empty = figures_of(used, resamples, lambda documents: on_progress(documents // 2))
        used = used_counts(used)
    figures = figures_of(used, resamples, lambda documents: on_progress(documents // 2 if with_empty else documents))

    def rest(documents: int) -> None:
        """The other tables report no progress, but can be cancelled too."""
        on_progress(0)

    return Report(
        project=project.slug,
        phase=scope.phase,
        collection=about,
        merged=merged_labels_of(project.labels),
        figures=figures,
        excluded=excluded,
        with_empty=with_empty,
        single=single,
        annotator_pairs=[],
        language_pairs=summary_rows.by_column(used, "languages", "languages", rest),
        splits=summary_rows.by_column(used, "split", "split", rest),
        phases=_phases(project, scope, used, rest),
        kinds=summary_rows.by_kind_of_span(used, rest),
        position=[],
        drifts=[],
        growth=[],
        repeats=[],
        highlights=highlights_of(parts.outcomes, on_progress=rest),
        ceiling=joint_reliability(figures.alpha["ordinal" if about.graded else "nominal"]),
        statistics=Statistics(parts.documents, parts.lengths.sizes(), {}),
        ratings=ratings_of(parts.answers, resamples, rest),
    )


def used_counts(shared: DocumentCounts) -> DocumentCounts:
    """As `used_of`, of the counts of documents that at least two people submitted."""
    return shared if shared.collection.partition or not shared.empty.any() else shared.of(~shared.empty)


def _phases(project: Project, scope: Scope, current: DocumentCounts, on_progress: OnAdvance) -> list[SummaryRow]:
    """A row for each phase with work that two people submitted; empty if there is only one phase."""
    phases = set(Assignment.objects.filter(pair__project=project).values_list("phase", flat=True).distinct())
    if len(phases) < 2:
        return []
    rows = []
    for phase in Phase.values:
        if phase not in phases:
            continue
        if phase == scope.phase:
            used = current
        else:
            used = used_counts(_brief(project, replace(scope, phase=phase), on_progress))
        if len(used):
            rows.append(summary_rows.row_of(phase, used, filters=urlencode({"phase": phase}), on_progress=on_progress))
    return rows if len(rows) > 1 else []


def _brief(project: Project, scope: Scope, on_progress: OnAdvance) -> DocumentCounts:
    counting: Counting | None = None
    for block in scope.blocks(project):
        counting = counting or Counting(block)
        counting.add(counts_of(block, brief=True))
        on_progress(0)
    assert counting is not None, "there is at least one block"
    return counting.all_counts()
