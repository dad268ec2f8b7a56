"""The tables beside the figures: what more annotators would change, change over time, highlights, the data itself."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from agreement.metrics.bootstrap import Estimate
from agreement.report.drift import ASSUMPTION, Drift, Trend
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
        trends = [(_("IoU with the others"), drift.agreement), (_("share marked"), drift.marked)]
        if drift.label is not None:
            trends.append((str(OUTCOMES["mean label"]), drift.label))
        trends += [(_("share of “%(label)s”") % {"label": label}, trend) for label, trend in drift.shares.items()]
        rows += [(f"{drift.name}, {title}", *_trend(drift.name, trend)) for title, trend in trends]
    columns = (_("annotator, figure"), _("documents"), _("first half"), _("second half"), "τ-b", "p")
    return Table(_("Change over time"), columns, tuple(rows), str(ASSUMPTION))


def _trend(name: str, trend: Trend) -> tuple[str, ...]:
    """A row's cells; they lead to the annotator's documents in their order of work."""
    own = opens("documents", person=name, order="work")
    return (
        cell(whole(trend.documents), behind=own),
        *(cell(number(half, 3), behind=own) for half in (trend.first_half, trend.second_half)),
        with_interval(trend.tau, behind=own),
        cell(number(trend.p, 3), why="" if trend.p is not None else trend.tau.note, behind=own),
    )


def highlights_table(found: Highlights | None) -> Table:
    """With highlights against without."""
    columns = ("", _("without"), pgettext("highlights", "with"), _("difference"), _("Cohen's d"))
    if found is None:
        return Table(_("What highlights do"), columns, ())
    rows: list[tuple[str, ...]] = [
        (
            str(OUTCOMES.get(effect.name, effect.name)),
            with_interval(effect.without, behind=opens("outcomes", outcome=effect.name, highlights="no")),
            with_interval(effect.with_them, behind=opens("outcomes", outcome=effect.name, highlights="yes")),
            with_interval(effect.difference, behind=opens("outcomes", outcome=effect.name)),
            with_interval(effect.size, behind=opens("outcomes", outcome=effect.name)),
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


COUNTED = gettext_lazy("Counts are of all that was handed in, not of a sample: they have no interval.")


def size_table(statistics: Statistics) -> Table:
    """Lengths of the texts per side and language."""
    rows = []
    for name, size in statistics.languages.items():
        side, language = name[0], name[2:]
        texts = opens("texts", side=side, language=language)
        rows.append(
            (
                f"{language} ({side.upper()})",
                cell(str(size.texts), behind=texts),
                cell(whole(size.tokens), behind=texts),
                cell(str(size.shortest), behind=f"{texts}&order=shortest"),
                cell(str(size.longest), behind=texts),
                cell(number(size.mean, 1), behind=texts),
            )
        )
    columns = ("", _("texts"), _("tokens"), _("shortest"), _("longest"), _("mean"))
    return Table(_("Texts, in tokens"), columns, tuple(rows), str(COUNTED))


def label_table(statistics: Statistics, *, partition: bool) -> Table:
    """Tokens, spans and sentences per label and split."""
    rows = tuple(
        (
            f"{split if split != ALL else pgettext('splits', 'all')}, {label}",
            *_counts(split, label, count, partition=partition),
        )
        for split, labels in statistics.labels.items()
        for label, count in labels.items()
    )
    columns = (_("split, label"), _("tokens"), _("spans"), _("sentences"))
    said = _("A span is a longest run of words with one label.") if partition else ""
    note = " ".join(filter(None, (_("Summed over annotators."), said, str(COUNTED))))
    return Table(_("Labels given"), columns, rows, note)


def _counts(split: str, label: str, count: LabelCount, *, partition: bool) -> tuple[Cell, ...]:
    """Words and sentences lead to stretches of words with the label, spans to spans where they are not the same."""
    where = {"label": label, "split": "" if split == ALL else split}
    runs, spans = opens("spans", runs=1, **where), opens("spans", **where)
    return (
        cell(whole(count.tokens), behind=runs),
        cell(whole(count.spans), behind=runs if partition else spans),
        cell(whole(count.sentences), behind=runs),
    )
