"""The tables of a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from agreement.metrics.alpha import DISTANCES
from agreement.metrics.base import METRICS
from agreement.metrics.documents import SIDES
from agreement.report import name_lists
from agreement.report.compute.figure_parts import AnnotatorCounts, Matched
from agreement.report.compute.figures import Figures
from agreement.report.compute.ratings import Rating
from agreement.report.compute.statistics import Statistics
from agreement.report.compute.summary_rows import SummaryRow
from agreement.report.display_names import DISTANCES as DISTANCE_NAMES
from agreement.report.display_names import KINDS, person_name, quote_label
from agreement.report.render.papers import plus_minus
from agreement.report.render.secondary_tables import COUNTED
from agreement.report.render.sentences import row_name
from agreement.report.render.tables import drilldown_link, number, percent, whole, with_interval
from annotation.display_names import phase_name
from annotation.figure_tables import NONE, Cell, Table, cell


def side_names(statistics: Statistics) -> dict[str, str]:
    """A name for each side: its language if all its texts have the same one, otherwise 'side A'."""
    names = {}
    for side in SIDES:
        languages = [key[2:] for key in statistics.languages if key.startswith(f"{side} ")]
        names[side] = languages[0] if len(languages) == 1 else _("side %(side)s") % {"side": side.upper()}
    if names["a"] == names["b"]:
        names = {side: f"{name} ({side.upper()})" for side, name in names.items()}
    return names


def ratings_table(ratings: Sequence[Rating]) -> Table:
    """Agreement of answers, one row per question."""
    distances = [distance for distance in DISTANCES if any(distance in rating.alpha for rating in ratings)]
    columns = (
        _("question"),
        _("items"),
        _("same answer"),
        *(f"α, {DISTANCE_NAMES[distance]}" for distance in distances),
        _("Fleiss' κ"),
    )
    rows = []
    for rating in ratings:
        items = drilldown_link("answers", counted=1, question=rating.question.key)
        rows.append(
            (
                rating.question.text,
                cell(whole(rating.items), drilldown=items),
                with_interval(rating.same, percent, drilldown=items),
                *(with_interval(rating.alpha.get(distance), drilldown=items) for distance in distances),
                with_interval(rating.fleiss, drilldown=items),
            )
        )
    return Table(_("Agreement of answers"), columns, tuple(rows), key="answer-agreement")


def answers_table(ratings: Sequence[Rating]) -> Table:
    """How often each person gave each answer, one row per answer."""
    people = list(dict.fromkeys(name for rating in ratings for name in rating.people))
    rows = tuple(
        (
            f"{rating.question.text} {answer}" if len(ratings) > 1 else answer,
            cell(whole(count), drilldown=drilldown_link("answers", question=rating.question.key, answer=answer)),
            *(
                cell(
                    whole(rating.people.get(name, {}).get(answer, 0)),
                    drilldown=drilldown_link("answers", question=rating.question.key, answer=answer, person=name),
                )
                for name in people
            ),
        )
        for rating in ratings
        for answer, count in rating.answers.items()
    )
    return Table(
        _("Answers given"), (_("answer"), pgettext("people", "all"), *people), rows, str(COUNTED), key="answers"
    )


def overlap_table(figures: Figures, with_empty: Figures | None, names: dict[str, str]) -> Table:
    """IoU and F1 per side; a second column includes documents in which someone marked nothing."""
    text = ngettext("%(n)s document", "%(n)s documents", figures.documents)
    columns = ["", text % {"n": figures.documents}]
    if with_empty:
        more = with_empty.documents - figures.documents
        columns.append(ngettext("including the %(n)s excluded", "including the %(n)s excluded", more) % {"n": more})
    rows = []
    for measure, title in (("iou", "IoU"), ("f1", "F1")):
        for side in figures.sides:
            row = [f"{title}, {names[side]}"]
            row.append(
                with_interval(
                    figures.sides[side][measure], percent, drilldown=drilldown_link("documents", counted=1, side=side)
                )
            )
            if with_empty:
                estimate = with_empty.sides[side][measure]
                row.append(with_interval(estimate, percent, drilldown=drilldown_link("documents", side=side)))
            rows.append(tuple(row))
    if len(figures.sides) > 1:
        both = [figures, with_empty] if with_empty else [figures]
        links = [drilldown_link("documents", counted=1), drilldown_link("documents")]
        cells = [with_interval(each.iou, percent, drilldown=link) for each, link in zip(both, links, strict=False)]
        rows.append((_("IoU, mean of both sides"), *cells))
    return Table(_("Overlap of marked tokens (× 100)"), tuple(columns), tuple(rows), key="overlap")


def matched_table(figures: Figures, with_empty: Figures | None, kinds: Sequence[SummaryRow]) -> Table:
    """Matched spans and the correlation of their labels."""
    named: list[tuple[str, Matched, dict[str, str]]] = [
        (f"IoU ≥ {number(threshold / 100, 2)}", matched, {"matched": str(threshold)})
        for threshold, matched in figures.fuzzy.items()
    ]
    named.append((_("same tokens"), figures.exact, {"matched": "exact"}))
    for kind in (each for each in kinds if each.marked):
        name = f"{KINDS.get(kind.name, kind.name)}, IoU ≥ {number(0.5, 2)}"
        named.append((name, kind.matched, {"matched": "50", "kind": kind.name}))
    rows = tuple(
        (
            name,
            cell(whole(figure.count), drilldown=drilldown_link("spans", counted=1, **filters)),
            with_interval(figure.spearman, percent, drilldown=drilldown_link("spans", counted=1, **filters)),
        )
        for name, figure, filters in named
    )
    note = _("Documents in which an annotator marked nothing have no spans to match.") if with_empty else ""
    return Table(
        _("Matched spans"), ("", _("pairs of spans"), _("Spearman's ρ of labels (× 100)")), rows, note, key="matched"
    )


def annotator_table(annotators: dict[str, AnnotatorCounts], label_names: Mapping[str, str]) -> Table:
    """What each annotator marked. `label_names`: names of labels by key, where they differ."""
    labels = next(iter(annotators.values())).labels if annotators else {}
    rows = tuple(
        (
            person_name(name),
            cell(whole(counted.documents), drilldown=drilldown_link("documents", counted=1, person=name)),
            cell(whole(counted.spans), drilldown=drilldown_link("spans", counted=1, annotator=name)),
            cell(whole(counted.tokens), drilldown=drilldown_link("spans", counted=1, annotator=name)),
            cell(whole(counted.distinct), drilldown=drilldown_link("spans", counted=1, runs=1, annotator=name)),
            cell(whole(counted.broken), drilldown=drilldown_link("spans", counted=1, annotator=name, broken=1)),
            *(
                cell(
                    whole(counted.labels[label]),
                    drilldown=drilldown_link("spans", counted=1, annotator=name, label=label),
                )
                for label in labels
            ),
        )
        for name, counted in annotators.items()
    )
    counts = (_("annotator"), _("documents"), _("spans"), _("tokens"), _("distinct"), _("broken"))
    columns = (*counts, *(_("spans “%(label)s”") % {"label": label_names.get(label, label)} for label in labels))
    note = _("Tokens are summed over spans; “distinct” counts each token once. Broken spans have no tokens.")
    note = f"{note} {COUNTED}"
    return Table(_("Annotators"), columns, rows, note, key="annotators")


def chance_table(figures: Figures, with_empty: Figures | None, names: dict[str, str]) -> Table:
    """All chance-corrected figures, and rank correlations of token labels.

    A second column includes documents in which someone marked nothing.
    """
    columns = [_chance(figures, names, counted=1)]
    heads = ["", _("value")]
    if with_empty:
        columns.append(_chance(with_empty, names))
        more = with_empty.documents - figures.documents
        heads.append(ngettext("including the %(n)s excluded", "including the %(n)s excluded", more) % {"n": more})
    rows = tuple((name, *(column[name] for column in columns)) for name in columns[0])
    return Table(_("Agreement of token labels"), tuple(heads), rows, key="labels-chance")


def _chance(figures: Figures, names: dict[str, str], **filters: object) -> dict[str, Cell]:
    alpha, link = _("Krippendorff's α"), drilldown_link("disagreements", **filters)
    rows = {
        f"{alpha}, {DISTANCE_NAMES[distance]}": with_interval(estimate, drilldown=link)
        for distance, estimate in figures.alpha.items()
    }
    for side, alphas in figures.side_alpha.items() if len(figures.side_alpha) > 1 else ():
        of_side = drilldown_link("disagreements", side=side, **filters)
        for distance, estimate in alphas.items():
            rows[f"{alpha}, {DISTANCE_NAMES[distance]}, {names[side]}"] = with_interval(estimate, drilldown=of_side)
    rows[_("unitizing α, with labels")] = with_interval(figures.unitizing["nominal"], drilldown=link)
    rows[_("unitizing α, positions only")] = with_interval(figures.unitizing["binary"], drilldown=link)
    rows[_("Cohen's κ, mean over annotator pairs")] = with_interval(figures.cohen.mean, drilldown=link)
    for name, estimate in figures.metrics.items():
        rows[_(METRICS[name].title)] = with_interval(estimate, drilldown=link)
    ranks = (_("Spearman's ρ of token labels"), figures.spearman), (_("Kendall's τ-b of token labels"), figures.kendall)
    for title, spread in ranks:
        if spread is not None:
            rows[title] = with_interval(spread.mean, drilldown=link)
    return rows


def f1_table(figures: Figures, label_names: Mapping[str, str]) -> Table:
    """Macro F1 over pairs of annotators, and F1 and sentence-level alpha of every label; `label_names` as above."""
    link = drilldown_link("disagreements", counted=1)
    macro = (_("macro F1"), cell(plus_minus(figures.macro_f1), drilldown=link))
    rows: list[tuple[str, ...]] = [
        (*macro, with_interval(figures.macro_f1.mean, _figure_text, drilldown=link), NONE, NONE)
    ]
    for label, spread in figures.label_f1.items():
        of_label = drilldown_link("disagreements", counted=1, label=label)
        rows.append(
            (
                quote_label(label_names.get(label, label)),
                cell(plus_minus(spread), drilldown=of_label),
                with_interval(spread.mean, _figure_text, drilldown=of_label),
                with_interval(figures.label_alpha[label], drilldown=of_label),
                with_interval(figures.sentences[label], drilldown=of_label),
            )
        )
    columns = ("", _("mean ± sd over pairs (× 100)"), _("with interval"), _("α of tokens"), _("α of sentences"))
    return Table(_("F1 between annotators"), columns, tuple(rows), key="f1")


def _figure_text(value: float | None) -> str:
    return percent(value, 1)


def majority_table(figures: Figures) -> Table:
    """The human ceiling: each annotator against the majority of the others."""
    rows = tuple(
        (name, with_interval(estimate, percent, drilldown=drilldown_link("disagreements", counted=1, annotator=name)))
        for name, estimate in figures.majority.items()
    )
    columns = (_("annotator"), _("macro F1 (× 100)"))
    return Table(_("Each annotator against the majority of the others"), columns, rows, key="majority")


def kinds_table(kinds: Sequence[SummaryRow], names: dict[str, str]) -> Table:
    """A row for each kind of span that someone marked; the scheme may not even allow the other."""
    return breakdown_table(_("By kind of span"), [kind for kind in kinds if kind.marked], names, "kinds")


def phases_table(phases: Sequence[SummaryRow], names: dict[str, str]) -> Table:
    """A row for each phase, by its name; in data a row has the phase's key."""
    return breakdown_table(_("By phase"), [replace(row, name=phase_name(row.name)) for row in phases], names, "phases")


def breakdown_table(title: str, summary_rows: Sequence[SummaryRow], names: dict[str, str], key: str) -> Table:
    """One row per group with the same few figures."""
    sides = list(summary_rows[0].sides) if summary_rows else []
    distances = [distance for distance in DISTANCES if summary_rows and distance in summary_rows[0].alpha]
    columns = (
        "",
        _("documents"),
        *(_("IoU (× 100), %(side)s") % {"side": names[side]} for side in sides),
        *(f"α, {DISTANCE_NAMES[distance]}" for distance in distances),
        _("macro F1 (× 100)"),
        _("spans matched at %(threshold)s") % {"threshold": number(0.5, 2)},
    )
    rows = tuple(
        (
            str(KINDS.get(row.name) or row_name(row)),
            cell(whole(row.documents), drilldown=f"documents?{row.filters}"),
            *(
                with_interval(row.sides[side]["iou"], percent, drilldown=f"documents?{row.filters}&side={side}")
                for side in sides
            ),
            *(with_interval(row.alpha[distance], drilldown=f"disagreements?{row.filters}") for distance in distances),
            with_interval(row.macro_f1, percent, drilldown=f"disagreements?{row.filters}"),
            cell(whole(row.matched.count), drilldown=f"spans?matched=50&{row.filters}"),
        )
        for row in summary_rows
    )
    return Table(title, columns, rows, key=key)


def confusion_table(figures: Figures, label_names: Mapping[str, str]) -> Table:
    """Tokens by the labels of two annotators; `label_names` as above."""
    names = [quote_label(label_names.get(label, label)) for label in figures.labels]
    rows = tuple(
        (
            name,
            *(
                cell(whole(count), drilldown=_disagreements_link(one, other))
                for other, count in zip(figures.labels, row, strict=True)
            ),
        )
        for name, one, row in zip(names, figures.labels, figures.confusion, strict=True)
    )
    note = _("Rows: first annotator of each pair; columns: second. Tokens, over all annotator pairs.")
    return Table(_("Label confusion matrix"), ("", *names), rows, note, key="confusion")


def _disagreements_link(one: str, other: str) -> str:
    return drilldown_link("disagreements", counted=1, labels=name_lists.join_names((one, other)), ordered=1)


def not_empty(tables: Iterable[Table]) -> list[Table]:
    return [table for table in tables if table.rows]
