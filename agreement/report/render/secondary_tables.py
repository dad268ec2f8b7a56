"""The tables below the main ones: what more annotators would change, change over time, highlights, the data itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from agreement.metrics.bootstrap import Estimate
from agreement.report.compute.drift import Drift, Trend, share_of
from agreement.report.compute.effect import Highlights
from agreement.report.compute.statistics import ALL, LabelCount, Statistics
from agreement.report.display_names import OUTCOMES, note_text, person_name, quote_label
from agreement.report.render.sentences import DRIFT_ASSUMPTION, conclusion
from agreement.report.render.tables import drilldown_link, number, percent, whole, with_interval
from annotation.figure_tables import NONE, Cell, Table, cell


def ceiling_table(joint: Sequence[tuple[int, Estimate]]) -> Table:
    """The expected effect of more annotators."""
    rows = tuple(
        (
            _("%(n)s together") % {"n": count},
            with_interval(estimate, drilldown=drilldown_link("disagreements", counted=1)),
        )
        for count, estimate in joint
    )
    note = _(
        "Spearman-Brown applied to α: the reliability of the joint label of this many annotators, "
        "assuming they are interchangeable and err independently."
    )
    return Table(
        _("Expected reliability with more annotators"),
        (_("annotators"), _("reliability")),
        rows,
        note,
        key="more-annotators",
    )


def drift_table(drifts: Sequence[Drift], label_names: Mapping[str, str]) -> Table:
    """Trends over each annotator's own documents. `label_names`: names of labels by key, where they differ."""
    rows = []
    for drift in drifts:
        trends = [("agreement", _("IoU with the others"), drift.agreement), ("marked", _("share marked"), drift.marked)]
        if drift.label is not None:
            trends.append(("label", str(OUTCOMES["mean label"]), drift.label))
        for label, of_label in drift.shares.items():
            trends.append((share_of(label), share_title(label_names.get(label, label)), of_label))
        rows += [
            (f"{person_name(drift.name)}, {title}", *_trend(drift.name, key, trend)) for key, title, trend in trends
        ]
    columns = (_("annotator, figure"), _("documents"), _("first half"), _("second half"), "τ-b", "p")
    return Table(_("Change over time"), columns, tuple(rows), str(DRIFT_ASSUMPTION), key="drift")


def share_title(label: str) -> str:
    return _("share of “%(label)s”") % {"label": label}


def _trend(name: str, figure: str, trend: Trend) -> tuple[str, ...]:
    """A row's cells, linked to the figure for each of the annotator's documents, in their order of work."""
    own = drilldown_link("trends", person=name, figure=figure)
    return (
        cell(whole(trend.documents), drilldown=own),
        *(cell(number(half, 3), drilldown=own) for half in (trend.first_half, trend.second_half)),
        with_interval(trend.tau, drilldown=own),
        cell(number(trend.p, 3), why="" if trend.p is not None else note_text(trend.tau.note), drilldown=own),
    )


def highlights_table(highlights: Highlights | None) -> Table:
    """With highlights against without."""
    columns = ("", _("without"), pgettext("highlights", "with"), _("difference"), _("Cohen's d"))
    if highlights is None:
        return Table(_("Effect of pre-labels"), columns, (), key="highlights")
    rows: list[tuple[str, ...]] = [
        (
            str(OUTCOMES.get(effect.name, effect.name)),
            with_interval(effect.without, drilldown=drilldown_link("outcomes", outcome=effect.name, highlights="no")),
            with_interval(
                effect.with_them, drilldown=drilldown_link("outcomes", outcome=effect.name, highlights="yes")
            ),
            with_interval(effect.difference, drilldown=drilldown_link("outcomes", outcome=effect.name)),
            with_interval(effect.size, drilldown=drilldown_link("outcomes", outcome=effect.name)),
        )
        for effect in highlights.effects
    ]
    rows.append(
        (
            _("spans that started as a suggestion"),
            NONE,
            with_interval(highlights.accepted, percent, drilldown=drilldown_link("spans", suggested=1)),
            NONE,
            NONE,
        )
    )
    counts = _("%(shown)s assignments with pre-labels, %(hidden)s without.")
    note = f"{counts % {'shown': highlights.shown, 'hidden': highlights.hidden}} {conclusion(highlights)}"
    return Table(_("Effect of pre-labels"), columns, tuple(rows), note, key="highlights")


COUNTED = gettext_lazy("Counts cover all submitted work, not a sample, so they have no interval.")


def size_table(statistics: Statistics) -> Table:
    """Lengths of the texts per side and language."""
    rows = []
    for name, size in statistics.languages.items():
        side, language = name[0], name[2:]
        texts = drilldown_link("texts", side=side, language=language)
        rows.append(
            (
                f"{language} ({side.upper()})",
                cell(str(size.texts), drilldown=texts),
                cell(whole(size.tokens), drilldown=texts),
                cell(str(size.shortest), drilldown=f"{texts}&order=shortest"),
                cell(str(size.longest), drilldown=texts),
                cell(number(size.mean, 1), drilldown=texts),
            )
        )
    columns = ("", _("texts"), _("tokens"), _("shortest"), _("longest"), _("mean"))
    return Table(_("Texts, in tokens"), columns, tuple(rows), str(COUNTED), key="texts")


def label_table(statistics: Statistics, label_names: Mapping[str, str], *, partition: bool) -> Table:
    """Tokens, spans and sentences per label and split; `label_names` as above."""
    everything = pgettext("splits", "all")
    rows = tuple(
        (
            f"{split if split != ALL else everything}, {quote_label(label_names.get(label, label))}",
            *_counts(split, label, count, partition=partition),
        )
        for split, labels in statistics.labels.items()
        for label, count in labels.items()
    )
    columns = (_("split, label"), _("tokens"), _("spans"), _("sentences"))
    text = _("A span is a maximal sequence of words with one label.") if partition else ""
    note = " ".join(filter(None, (_("Totals over all annotators."), text, str(COUNTED))))
    return Table(_("Labels given"), columns, rows, note, key="labels-given")


def _counts(split: str, label: str, count: LabelCount, *, partition: bool) -> tuple[Cell, ...]:
    """Words and sentences link to passages with the label; spans link to spans, unless these are the same."""
    where = {"label": label, "split": "" if split == ALL else split}
    runs, spans = drilldown_link("spans", runs=1, **where), drilldown_link("spans", **where)
    return (
        cell(whole(count.tokens), drilldown=runs),
        cell(whole(count.spans), drilldown=runs if partition else spans),
        cell(whole(count.sentences), drilldown=runs),
    )
