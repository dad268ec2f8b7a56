"""A report as shown on its page: JSON, so that it is computed once and shown often."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.metrics.bootstrap import Estimate
from agreement.report import name_lists
from agreement.report.compute.disputes import Dispute, DisputedDocument, disputed_documents
from agreement.report.compute.drift import Drift
from agreement.report.display_names import DISTANCES, person_name
from agreement.report.project_report import Report
from agreement.report.render import groups, layout, plots
from agreement.report.render.recommended import next_steps
from agreement.report.render.sentences import cause_text
from agreement.report.render.tables import drilldown_link, number, pair_link, percent
from annotation.display_names import phase_name
from annotation.figure_tables import Table, table_json
from annotation.models import Project
from annotation.plots import Plot

DRIFT_P_VALUE = 0.01
"""The p-value below which a trend is named on the monitor: several are tested for each person."""


def body_of(project: Project, report: Report, disputed: Sequence[Dispute]) -> dict[str, Any]:
    """Everything the agreement page needs: headline, note, the recommended figure, plots, documents, tables, methods.

    Every table and plot names its group: 'who', 'disputed' or 'numbers'.

    `disputed` are the disputes of the report's collection.

    A figure's link is stored as `drilldown`, as in tables; `figure_urls` turns it into a URL for the reader.
    """
    rows = disputed_documents(report.collection, disputed) if report.marks else []
    recommended = report.recommended
    compared = report.figures.documents if report.marks else max((each.items for each in report.ratings), default=0)
    return {
        "recommended": recommended.to_json() if recommended else None,
        "steps": [asdict(step) for step in (recommended.steps if recommended else next_steps(None, compared, {}))],
        "who": groups.annotators_summary(report.figures) if report.marks else "",
        "disputed": groups.disputes_summary(report.figures, len(disputed), report.label_names) if report.marks else "",
        "graded": report.collection.graded,
        "headline": report.headline,
        "note": note(report),
        "documents": report.figures.documents,
        "plots": [{**asdict(plot), "group": groups.group_of_plot(plot.name)} for plot in _plots(project, report, rows)]
        if rows
        else [],
        "rows": [row_json(row, report.label_names) for row in rows],
        "disputes": len(disputed),
        "questions": len(report.collection.questions),
        "tables": [group_table(table) for table in report.tables],
        "methods": report.methods,
        "drifting": drifting_annotators(report.drifts),
        "sides": layout.side_names(report.statistics),
        "marked_sides": list(report.figures.sides),
    }


def drifting_annotators(drifts: Sequence[Drift]) -> list[dict[str, Any]]:
    """Who changes over time, with the means of the figure in the first and the second half of their work."""
    figures = [(each.name, name, getattr(each, name)) for each in drifts for name in ("agreement", "marked")]
    return [
        {"name": who, "figure": name, "first": trend.first_half, "second": trend.second_half}
        for who, name, trend in figures
        if trend.p is not None and trend.p < DRIFT_P_VALUE
    ]


def group_table(table: Table) -> dict[str, Any]:
    """A table of the report with its group, and without columns that have nothing in any row."""
    filled = groups.filled_columns(table)
    shorter = replace(
        table,
        columns=tuple(table.columns[index] for index in filled),
        rows=tuple(tuple(row[index] for index in filled) for row in table.rows),
    )
    return {
        **table_json(shorter),
        "note": table.note,
        "remarks": table.remarks,
        "group": groups.group_of_table(table.key),
    }


def row_json(row: DisputedDocument, label_names: Mapping[str, str]) -> dict[str, Any]:
    """One line of the list of documents. `label_names`: names of labels by key, where they differ."""
    return {
        "name": row.name,
        "drilldown": pair_link(row.pair),
        "iou": [number(value, 2) for value in row.iou],
        "overlap": list(row.iou),
        "spans": ", ".join(f"{person_name(name)}: {count}" for name, count in row.spans),
        "cost": round(row.cost),
        "answers": row.answers,
        "disputed": row.disputed,
        "behind": cause_text(row.cause, label_names),
        "split": row.split,
        "empty": row.empty,
        "order": dict(zip((name for name, _ in row.spans), row.nth, strict=True)),
    }


def note(report: Report) -> str:
    """What the headline is based on, in one or two sentences."""
    figures = report.figures
    phase = phase_name(report.phase)
    if not report.marks:
        items = max((rating.items for rating in report.ratings), default=0)
        people = len({name for rating in report.ratings for name in rating.people})
        text = ngettext(
            "%(n)s item, %(people)s annotators, phase: %(phase)s.",
            "%(n)s items, %(people)s annotators, phase: %(phase)s.",
            items,
        )
        return text % {"n": items, "people": people, "phase": phase}
    if not figures.documents and report.excluded:
        return _("A document is counted once at least two annotators have marked something in it.")
    if not figures.documents:
        return _("To measure agreement, at least two annotators must submit the same document.")
    text = ngettext(
        "%(n)s document, %(people)s annotators, phase: %(phase)s.",
        "%(n)s documents, %(people)s annotators, phase: %(phase)s.",
        figures.documents,
    )
    parts = [text % {"n": figures.documents, "people": len(figures.annotators), "phase": phase}]
    if report.with_empty:
        side, measures = next(iter(report.with_empty.sides.items()))
        name = layout.side_names(report.statistics)[side]
        text = ngettext(
            "%(n)s more, in which an annotator marked nothing, is excluded (with it, the IoU of %(side)s is %(iou)s).",
            "%(n)s more, in which an annotator marked nothing, are excluded (with them, the IoU of %(side)s "
            "is %(iou)s).",
            report.excluded,
        )
        parts.append(text % {"n": report.excluded, "side": name, "iou": percent(measures["iou"].value, 1)})
    if report.single:
        text = ngettext("%(n)s document had one annotator.", "%(n)s documents had one annotator.", report.single)
        parts.append(text % {"n": report.single})
    parts.append(_("Error bars are 95% bootstrap intervals over documents."))
    return " ".join(parts)


def _plots(project: Project, report: Report, rows: list[DisputedDocument]) -> list[Plot]:
    figures, scheme = report.figures, project.labels
    hrefs = {row.pair: plots.href(pair_link(row.pair)) for row in rows}

    def to(page: str, **filters: object) -> str:
        return plots.href(drilldown_link(page, **filters))

    cells = {
        (i, j): to("disagreements", counted=1, labels=name_lists.join_names((one, other)), ordered=1)
        for i, one in enumerate(figures.labels)
        for j, other in enumerate(figures.labels)
        if figures.confusion[i][j]
    }
    bars = {
        (name, label): to("spans", counted=1, annotator=name, label=label)
        for name, counted in figures.annotators.items()
        for label in counted.labels
    }
    result = [
        plots.intervals(headline_figures(report, to)),
        plots.labels_by_annotator(figures, scheme, report.label_names, bars),
        plots.by_document(rows, hrefs),
        plots.confusion(figures, report.label_names, cells),
    ]
    if any(estimate.value is not None for estimate in report.position):
        tenths = [to("disagreements", counted=1, tenth=tenth) for tenth in range(len(report.position))]
        result.append(plots.by_position(report.position, tenths))
    if len(report.growth) > 1:
        result.append(plots.growth([(point.documents, point.alpha, hrefs[point.pair]) for point in report.growth]))
    return result


def headline_figures(report: Report, to: Callable[..., str]) -> list[tuple[str, Estimate, str]]:
    """The few numbers in the first plot, each linked to its data."""
    names = layout.side_names(report.statistics)
    href = to("disagreements", counted=1)
    figures = report.figures
    rows = [
        (f"{title}, {names[side]}", estimates[measure], to("documents", counted=1, side=side))
        for measure, title in (("iou", "IoU"), ("f1", "F1"))
        for side, estimates in figures.sides.items()
    ]
    rows += [(f"α, {DISTANCES[distance]}", estimate, href) for distance, estimate in figures.alpha.items()]
    rows.append((_("macro F1"), figures.macro_f1.mean, href))
    if figures.fuzzy[50].spearman.value is not None:
        rows.append((_("ρ of matched labels"), figures.fuzzy[50].spearman, to("spans", counted=1, matched=50)))
    return rows
