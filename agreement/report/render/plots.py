"""The plots of the agreement page, as SVG in the page's own colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape, unescape
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.metrics.bootstrap import Estimate
from agreement.report.compute.disputes import DisputedDocument
from agreement.report.compute.figures import Figures
from agreement.report.display_names import person_name
from agreement.report.render.tables import number, whole
from annotation.plots import ACCENT, INK, QUIET, RULE, WARN, Plot, chart_of, svg
from annotation.text.schemes import Scheme

LOW = 0.12


def href(link: str) -> str:
    """The link of a mark in a stored plot, which a page turns into a URL (`with_hrefs`)."""
    return f"#{link}"


def with_hrefs(picture: str, address: Callable[[str], str]) -> str:
    """The plot with the URLs that its marks link to."""
    return re.sub(r'(?<=href=")#([^"]+)', lambda match: escape(address(unescape(match[1]))), picture)


def label_colours(scheme: Scheme) -> dict[str, str]:
    """A placeholder colour for each label, replaced by the custom property of its background."""
    return {label.key: f"#0601{index:02x}" for index, label in enumerate(scheme.labels)}


def _whisker(estimate: Estimate) -> dict[str, float | None]:
    """The ends of an interval; the value itself if there is none."""
    return (
        {"low": estimate.value, "high": estimate.value}
        if estimate.low is None
        else {"low": estimate.low, "high": estimate.high}
    )


def intervals(rows: Sequence[tuple[str, Estimate, str]]) -> Plot:
    """Numbers with their intervals; a row is a name, an estimate and a link."""
    import altair as alt

    data: list[dict[str, Any]] = [
        {
            "name": name,
            "value": estimate.value,
            **_whisker(estimate),
            "shown": number(estimate.value, 2),
            "href": href,
        }
        for name, estimate, href in rows
        if estimate.value is not None
    ]
    order = [row["name"] for row in data]
    lowest = min([0.0, *(row["low"] for row in data)])
    base = chart_of(data).encode(y=alt.Y("name:N", sort=order, title=None), href="href:N")
    scale = alt.Scale(domain=[lowest, 1])
    chart = (
        base.mark_rule(strokeWidth=2.5, opacity=0.5, color=ACCENT).encode(
            x=alt.X("low:Q", scale=scale, title=None), x2="high:Q"
        )
        + base.mark_circle(size=70, color=ACCENT, opacity=1).encode(x="value:Q")
        + base.mark_text(align="left", dx=9, dy=-9, color=INK).encode(x="value:Q", text="shown:N")
    )
    text = "; ".join(f"{row['name']} {row['shown']}" for row in data)
    return Plot(
        "agreement",
        _("Agreement"),
        _("click a figure to see its documents"),
        text,
        svg(chart.properties(width=520, height={"step": 30})),
    )


def _label_names(figures: Figures, label_names: Mapping[str, str]) -> dict[str, str]:
    """What each label is called, by key. `label_names`: names of labels by key, where they differ.

    Names differ from each other, and here from that of unmarked tokens too.
    """
    unmarked = figures.labels[0]
    names = {label: label_names.get(label, label) for label in figures.labels}
    return {label: label if name == unmarked else name for label, name in names.items()}


def labels_by_annotator(
    figures: Figures, scheme: Scheme, label_names: Mapping[str, str], hrefs: Mapping[tuple[str, str], str]
) -> Plot:
    """Spans by label and annotator, in the labels' own colours; a bar links to its spans. `label_names` as above."""
    import altair as alt

    stand_in = label_colours(scheme)
    named = _label_names(figures, label_names)
    names = [person_name(name) for name in figures.annotators]
    data = [
        {"annotator": person_name(name), "label": named[label], "spans": count, "href": hrefs[name, label]}
        for name, counted in figures.annotators.items()
        for label, count in counted.labels.items()
    ]
    labels = [label for label in figures.labels[1:] if label in stand_in]
    order = [named[label] for label in labels]
    colour = alt.Color(
        "label:N", scale=alt.Scale(domain=order, range=[stand_in[label] for label in labels]), legend=None
    )
    base = chart_of(data).encode(
        x=alt.X("spans:Q", title=None, axis=None), y=alt.Y("label:N", sort=order, title=None), href="href:N"
    )
    bars = base.mark_bar(stroke=RULE).encode(color=colour)
    texts = base.mark_text(align="left", dx=5, color=INK).encode(text="spans:Q")
    width = max(70, 420 // max(len(names), 1) - 40)
    chart = (
        (bars + texts)
        .properties(width=width, height={"step": 26})
        .facet(column=alt.Column("annotator:N", sort=names, title=None, header=alt.Header(labelColor=QUIET)))
    )
    text = "; ".join(f"{row['annotator']}, {row['label']}: {row['spans']}" for row in data)
    grounds = {stand_in[label.key]: f"--{label.colour}" for label in scheme.labels}
    return Plot("labels", _("Labels given"), _("spans, by annotator"), text, svg(chart, grounds))


def by_document(rows: Sequence[DisputedDocument], hrefs: Mapping[int, str]) -> Plot:
    """Mean IoU of every document, the lowest last and in a different colour."""
    import altair as alt

    data: list[dict[str, Any]] = []
    for row in rows:
        values = [value for value in row.iou if value is not None]
        if values:
            value = sum(values) / len(values)
            data.append({"name": row.name, "iou": value, "low": value < LOW, "href": hrefs[row.pair]})
    data.sort(key=lambda row: -row["iou"])
    for rank, point in enumerate(data):
        point["rank"] = rank
    chart = (
        chart_of(data)
        .mark_bar(opacity=0.8)
        .encode(
            x=alt.X("rank:O", axis=None),
            y=alt.Y("iou:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=3)),
            color=alt.Color("low:N", scale=alt.Scale(domain=[False, True], range=[ACCENT, WARN]), legend=None),
            href="href:N",
            description="name:N",
        )
        .properties(width=520, height=110)
    )
    low = sum(bool(row["low"]) for row in data)
    remark = _("mean of the sides")
    if low:
        remark = _("%(n)s below %(bound)s: check these first") % {"n": low, "bound": number(LOW, 2)}
    text = ""
    if data:
        text = ngettext(
            "%(n)s document, the highest %(high)s, the lowest %(low)s",
            "%(n)s documents, the highest %(high)s, the lowest %(low)s",
            len(data),
        ) % {"n": len(data), "high": number(data[0]["iou"], 2), "low": number(data[-1]["iou"], 2)}
    return Plot("documents", _("IoU by document"), remark, text, svg(chart))


def confusion(figures: Figures, label_names: Mapping[str, str], hrefs: Mapping[tuple[int, int], str]) -> Plot:
    """Tokens by the labels of two annotators; the shade is the share of the row. `label_names` as above."""
    import altair as alt

    order = list(_label_names(figures, label_names).values())
    data = [
        {
            "one": one,
            "other": other,
            "tokens": cell,
            "shown": whole(cell) if cell else "",
            "share": cell / max(sum(row), 1),
            "href": hrefs.get((i, j), ""),
        }
        for i, (one, row) in enumerate(zip(order, figures.confusion, strict=True))
        for j, (other, cell) in enumerate(zip(order, row, strict=True))
    ]
    base = chart_of(data).encode(
        x=alt.X("other:N", sort=order, title=None, axis=alt.Axis(orient="top", labelAngle=0)),
        y=alt.Y("one:N", sort=order, title=None),
        href="href:N",
    )
    chart = base.mark_rect(color=ACCENT, stroke=RULE).encode(
        opacity=alt.Opacity("share:Q", scale=alt.Scale(domain=[0, 1], range=[0.02, 0.6]), legend=None)
    ) + base.mark_text(color=INK).encode(text="shown:N")
    text = "; ".join(_("%(one)s and %(other)s: %(tokens)s") % row for row in data if row["tokens"])
    remark = _("words by the first (rows) and second annotator's label; %(label)s is unmarked") % {
        "label": figures.labels[0]
    }
    picture = svg(chart.properties(width={"step": max(64, 420 // len(order))}, height={"step": 34}))
    return Plot("confusion", _("Label confusion matrix"), remark, text, picture)


def by_position(estimates: Sequence[Estimate], hrefs: Sequence[str]) -> Plot:
    """IoU in each tenth of the texts, with interval; a point links to the disagreements there."""
    import altair as alt

    data: list[dict[str, Any]] = [
        {
            "percent": tenth * 10 + 5,
            "iou": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "href": hrefs[tenth],
        }
        for tenth, estimate in enumerate(estimates)
        if estimate.value is not None
    ]
    base = chart_of(data).encode(
        x=alt.X(
            "percent:Q", title=_("percentage of the text"), scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(grid=False)
        )
    )
    y = alt.Y("low:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=3))
    chart = (
        base.mark_area(color=ACCENT, opacity=0.18).encode(y=y, y2="high:Q")
        + base.mark_line(color=ACCENT).encode(y="iou:Q")
        + base.mark_circle(color=ACCENT, size=60, opacity=1).encode(y="iou:Q", href="href:N")
    )
    text = "; ".join(
        _("at %(position)s%% of the text: %(iou)s") % {"position": row["percent"], "iou": number(row["iou"], 2)}
        for row in data
    )
    picture = svg(chart.properties(width=520, height=110))
    return Plot("position", _("IoU by position in the text"), _("tenths of the texts"), text, picture)


def growth(points: Sequence[tuple[int, Estimate, str]]) -> Plot:
    """Nominal alpha as documents came in: their number, its value and interval, and a link to the last document."""
    import altair as alt

    data: list[dict[str, Any]] = [
        {
            "documents": count,
            "alpha": alpha.value,
            **_whisker(alpha),
            "href": href,
        }
        for count, alpha, href in points
    ]
    # With two or three documents an interval may reach far below 0: the scale is that of the values.
    lowest = min([0.0, *(row["alpha"] for row in data)])
    base = chart_of(data).encode(
        x=alt.X("documents:Q", title=_("documents"), axis=alt.Axis(grid=False, tickMinStep=1)),
    )
    scale = alt.Scale(domain=[lowest, 1])
    y = alt.Y("alpha:Q", title=None, scale=scale, axis=alt.Axis(tickCount=3))
    chart = (
        base.mark_area(color=ACCENT, opacity=0.18, clip=True).encode(
            y=alt.Y("low:Q", title=None, scale=scale), y2="high:Q"
        )
        + base.mark_line(color=ACCENT).encode(y=y)
        + base.mark_circle(color=ACCENT, size=30, opacity=1).encode(y=y, href="href:N")
    )
    text = ""
    if data:
        last = data[-1]
        text = ngettext("α %(alpha)s after %(n)s document", "α %(alpha)s after %(n)s documents", last["documents"])
        text = text % {"alpha": number(last["alpha"], 2), "n": last["documents"]}
    picture = svg(chart.properties(width=520, height=110))
    remark = _("α by number of documents submitted by two annotators; click a point to see the last of them")
    return Plot("growth", _("Agreement over time"), remark, text, picture)
