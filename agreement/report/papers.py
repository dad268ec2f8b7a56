"""The report as the two papers print theirs: the same rows and columns, rounded as they round."""

from __future__ import annotations

from django.utils.translation import gettext as _

from agreement.report.figures import Figures
from agreement.report.parts import Spread
from agreement.report.tables import NONE, Table, number, percent, whole


def paper_table(figures: Figures, names: dict[str, str], *, partition: bool) -> Table:
    """X-PARADE's tables 2 and 3 where every token has one label, else SwissGov-RSD's tables 2 and 6."""
    return _xparade(figures, names) if partition else _swissgov(figures, names)


def _swissgov(figures: Figures, names: dict[str, str]) -> Table:
    """One column: spans and tokens of each annotator, mean IoU and F1 of each side, matched spans and their labels."""
    rows = [(_("spans, %(name)s") % {"name": name}, whole(tally.spans)) for name, tally in figures.annotators.items()]
    rows += [
        (_("marked tokens, %(name)s") % {"name": name}, whole(tally.tokens))
        for name, tally in figures.annotators.items()
    ]
    for measure, title in (("iou", _("mean IoU")), ("f1", _("mean F1"))):
        rows += [(f"{title}, {names[side]}", percent(found[measure].value)) for side, found in figures.sides.items()]
    matched = [(f"IoU ≥ {threshold / 100:.2f}", found) for threshold, found in figures.fuzzy.items()]
    for name, found in [*matched, (_("exact match"), figures.exact)]:
        rows.append((_("%(name)s, matches") % {"name": name}, str(found.count)))
        rows.append((_("%(name)s, Spearman's ρ") % {"name": name}, percent(found.spearman.value)))
    columns = ("", "–".join(names[side] for side in figures.sides))
    return Table(_("As in SwissGov-RSD, tables 2 and 6"), columns, tuple(rows) if figures.documents else ())


def _xparade(figures: Figures, names: dict[str, str]) -> Table:
    """One row: alpha, and F1 over ordered pairs of annotators, macro and of every label."""
    columns = ("", _("Krippendorff's α"), _("macro F1"), *figures.label_f1)
    row = (
        "–".join(names.values()),
        number(figures.alpha["nominal"].value),
        plus_minus(figures.macro_f1),
        *(plus_minus(spread) for spread in figures.label_f1.values()),
    )
    return Table(_("As in X-PARADE, tables 2 and 3"), columns, (row,) if figures.documents else ())


def plus_minus(spread: Spread) -> str:
    """'62.5 ± 2.9': mean and standard deviation over pairs, times 100."""
    return NONE if spread.mean.value is None else f"{percent(spread.mean.value, 1)} ± {percent(spread.sd.value, 1)}"
