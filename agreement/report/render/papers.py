"""The report in the format of the two papers: the same rows, columns and rounding."""

from __future__ import annotations

from django.utils.translation import gettext as _

from agreement.report.compute.figure_parts import Spread
from agreement.report.compute.figures import Figures
from agreement.report.render.tables import drilldown_link, number, percent, whole
from annotation.figure_tables import NONE, Table, cell


def paper_table(figures: Figures, names: dict[str, str], *, partition: bool) -> Table:
    """X-PARADE's tables 2 and 3 if every token has one label, otherwise SwissGov-RSD's tables 2 and 6."""
    return _xparade(figures, names) if partition else _swissgov(figures, names)


def _swissgov(figures: Figures, names: dict[str, str]) -> Table:
    """One column: spans and tokens of each annotator, mean IoU and F1 of each side, matched spans and their labels."""
    rows: list[tuple[str, ...]] = []
    for title, count in ((_("spans, %(name)s"), "spans"), (_("marked tokens, %(name)s"), "tokens")):
        for name, counted in figures.annotators.items():
            drilldown = drilldown_link("spans", counted=1, annotator=name)
            rows.append((title % {"name": name}, cell(whole(getattr(counted, count)), drilldown=drilldown)))
    for measure, title in (("iou", _("mean IoU")), ("f1", _("mean F1"))):
        rows += [
            (
                f"{title}, {names[side]}",
                cell(percent(measures[measure].value), drilldown=drilldown_link("documents", counted=1, side=side)),
            )
            for side, measures in figures.sides.items()
        ]
    matched = [
        (f"IoU ≥ {threshold / 100:.2f}", str(threshold), matches) for threshold, matches in figures.fuzzy.items()
    ]
    for name, threshold, matches in [*matched, (_("exact match"), "exact", figures.exact)]:
        drilldown = drilldown_link("spans", counted=1, matched=threshold)
        rows.append((_("%(name)s, matches") % {"name": name}, cell(str(matches.count), drilldown=drilldown)))
        rows.append(
            (_("%(name)s, Spearman's ρ") % {"name": name}, cell(percent(matches.spearman.value), drilldown=drilldown))
        )
    columns = ("", "–".join(names[side] for side in figures.sides))
    return Table(
        _("As in SwissGov-RSD, tables 2 and 6"), columns, tuple(rows) if figures.documents else (), key="papers"
    )


def _xparade(figures: Figures, names: dict[str, str]) -> Table:
    """One row: alpha, and F1 over ordered pairs of annotators, macro and for every label."""
    columns = ("", _("Krippendorff's α"), _("macro F1"), *figures.label_f1)
    link = drilldown_link("disagreements", counted=1)
    row = (
        "–".join(names.values()),
        cell(number(figures.alpha["nominal"].value), drilldown=link),
        cell(plus_minus(figures.macro_f1), drilldown=link),
        *(
            cell(plus_minus(spread), drilldown=drilldown_link("disagreements", counted=1, label=label))
            for label, spread in figures.label_f1.items()
        ),
    )
    return Table(_("As in X-PARADE, tables 2 and 3"), columns, (row,) if figures.documents else (), key="papers")


def plus_minus(spread: Spread) -> str:
    """'62.5 ± 2.9': mean and standard deviation over pairs, times 100."""
    return NONE if spread.mean.value is None else f"{percent(spread.mean.value, 1)} ± {percent(spread.sd.value, 1)}"
