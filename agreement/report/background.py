"""The tables beside the figures: what more annotators would change, change over time, highlights, the data itself."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from agreement.metrics.bootstrap import Estimate
from agreement.report.drift import ASSUMPTION, UNTESTED, Drift, Trend
from agreement.report.effect import Highlights
from agreement.report.statistics import ALL, LabelCount, Statistics
from agreement.report.tables import NONE, Cell, Table, cell, number, opens, percent, whole, with_interval
from agreement.report.words import OUTCOMES


def ceiling_table(joint: Sequence[tuple[int, Estimate]]) -> Table:
    """What more annotators would likely change."""
    rows = tuple(
        (_("%(n)s together") % {"n": count}, with_interval(found, behind=opens("disagreements", counted=1)))
        for count, found in joint
    )
    note = _(
        "Spearman-Brown over α: the reliability of the joint label of so many annotators, if they can stand in for "
        "each other and err independently."
    )
    return Table(_("What more annotators would likely change"), (_("annotators"), _("reliability")), rows, note)


def drift_table(drifts: Sequence[Drift]) -> Table:
    """Trends over each annotator's own documents."""
    rows = []
    for drift in drifts:
        for title, trend in ((_("IoU with the others"), drift.agreement), (_("share marked"), drift.marked)):
            rows.append((f"{drift.name}, {title}", *_trend(drift.name, trend)))
        if drift.label is not None:
            rows.append((f"{drift.name}, {OUTCOMES['mean label']}", *_trend(drift.name, drift.label)))
    columns = (_("annotator, figure"), _("documents"), _("first half"), _("second half"), "τ-b", "p")
    return Table(_("Change over time"), columns, tuple(rows), str(ASSUMPTION))


def _trend(name: str, trend: Trend) -> tuple[str, ...]:
    """A row's cells; they lead to the annotator's documents in their order of work."""
    own = opens("documents", person=name, order="work")
    figures = (trend.first_half, trend.second_half, trend.tau, trend.p)
    why = "" if trend.p is not None else str(UNTESTED)
    tested = (cell(number(figure, 3), why=why if place > 1 else "", behind=own) for place, figure in enumerate(figures))
    return (cell(whole(trend.documents), behind=own), *tested)


def highlights_table(found: Highlights | None) -> Table:
    """With highlights against without."""
    columns = ("", _("without"), pgettext("highlights", "with"), _("difference"), _("Cohen's d"))
    if found is None:
        return Table(_("What highlights do"), columns, ())
    rows: list[tuple[str, ...]] = [
        (
            str(OUTCOMES.get(effect.name, effect.name)),
            number(effect.without.value),
            number(effect.with_them.value),
            with_interval(effect.difference),
            with_interval(effect.size),
        )
        for effect in found.effects
    ]
    rows.append(
        (
            _("spans that began as a suggestion"),
            NONE,
            with_interval(found.accepted, percent, behind=opens("spans", suggested=1)),
            NONE,
            NONE,
        )
    )
    counts = _("%(shown)s assignments with highlights, %(hidden)s without.")
    note = f"{counts % {'shown': found.shown, 'hidden': found.hidden}} {found.conclusion}"
    return Table(_("What highlights do"), columns, tuple(rows), note)


def size_table(statistics: Statistics) -> Table:
    """Lengths of the texts per side and language."""
    rows = tuple(
        (
            f"{name[2:]} ({name[0].upper()})",
            str(size.texts),
            whole(size.tokens),
            str(size.shortest),
            str(size.longest),
            number(size.mean, 1),
        )
        for name, size in statistics.languages.items()
    )
    columns = ("", _("texts"), _("tokens"), _("shortest"), _("longest"), _("mean"))
    return Table(_("Texts, in tokens"), columns, rows)


def label_table(statistics: Statistics) -> Table:
    """Tokens, spans and sentences per label and split."""
    rows = tuple(
        (f"{split if split != ALL else _('all')}, {label}", *_counts(split, label, count))
        for split, labels in statistics.labels.items()
        for label, count in labels.items()
    )
    columns = (_("split, label"), _("tokens"), _("spans"), _("sentences"))
    return Table(_("Labels given"), columns, rows, _("Summed over annotators."))


def _counts(split: str, label: str, count: LabelCount) -> tuple[Cell, ...]:
    where = opens("spans", label=label, split="" if split == ALL else split)
    return tuple(cell(whole(number), behind=where) for number in (count.tokens, count.spans, count.sentences))
