"""The papers' plots of a comparison: bars by part of speech, histograms of angles and of ratios of lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.plots import ACCENT, INK, QUIET, WARN, Plot, chart_of, svg
from assist.encoder_comparisons.figures import ComparisonFigures, Model, groups, models_of, number, part_of_speech

COLOURS = (ACCENT, INK, WARN, QUIET)
"""Colours of encoders; beyond these, the opacity tells them apart too."""
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 2, 2, 2])
_WIDTH = 320


def changes_plots(figures: ComparisonFigures) -> list[Plot]:
    """Grouped bars by part of speech: cross-lingual changes, and monolingual ones."""
    models = [each for each in models_of(figures, "clsd") if each["changes"]]
    if not models:
        return []
    titles = {"cross": _("Cross-lingual change by part of speech"), "mono": _("Monolingual change by part of speech")}
    return [_bars(models, kind, title) for kind, title in titles.items()]


def _bars(models: Sequence[Model], kind: str, title: str) -> Plot:
    import altair as alt

    names = [each["model"] for each in models]
    parts = [part_of_speech(group) for group in groups(models)]
    rows = [
        {"group": part_of_speech(group), "model": each["model"], "value": each["changes"][group][kind]}
        for group in groups(models)
        for each in models
        if group in each["changes"]
    ]
    chart = (
        chart_of(rows)
        .mark_bar()
        .encode(
            x=alt.X("group:N", sort=parts, title=None, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("model:N", sort=names),
            y=alt.Y("value:Q", title=None),
            **_series_styles(names, fill=True),
        )
    )
    text = "; ".join(f"{row['group']}, {row['model']}: {number(row['value'], 3)}" for row in rows)
    return Plot(f"changes-{kind}", title, _("in units of the encoder's own gap"), text, _as_svg(chart, 420))


def histogram_titles() -> dict[str, str]:
    """The title of each histogram."""
    return {
        "c2": _("C2: where the overlap is projected"),
        "c5": _("C5: where the difference is projected"),
        "c6": _("C6: where the union is projected"),
        "norm_ratio": _("Length of A over length of B"),
    }


def histogram_plots(figures: ComparisonFigures) -> list[Plot]:
    """Histograms of the normalised angle for C2, C5 and C6, and of norm ratios: percentage of the samples."""
    models = models_of(figures, "compositionality")
    return [_steps(models, name, title) for name, title in histogram_titles().items()] if models else []


def _steps(models: Sequence[Model], name: str, title: str) -> Plot:
    import altair as alt

    names = [each["model"] for each in models]
    rows = []
    for each in models:
        edges, counts = each["histograms"][name]["edges"], each["histograms"][name]["counts"]
        total = sum(counts) or 1
        shares = [100 * count / total for count in counts]
        rows += [
            {"at": edge, "model": each["model"], "share": share}
            for edge, share in zip(edges, [*shares, shares[-1]], strict=True)
        ]
    chart = (
        chart_of(rows)
        .mark_line(interpolate="step-after", strokeWidth=2)
        .encode(
            x=alt.X("at:Q", title=None, scale=alt.Scale(nice=False, zero=False), axis=alt.Axis(tickCount=5)),
            y=alt.Y("share:Q", title=_("% of the samples")),
            **_series_styles(names, fill=False),
        )
    )
    remark = "" if name == "norm_ratio" else _("angle to B over that between A and B: 0 at B, 1 at A")
    return Plot(f"histogram-{name}", title, remark, _description(models, name), _as_svg(chart, _WIDTH))


def _description(models: Sequence[Model], name: str) -> str:
    """The highest bar of each encoder."""
    parts = []
    for each in models:
        edges, counts = each["histograms"][name]["edges"], each["histograms"][name]["counts"]
        at = counts.index(max(counts))
        params = {"model": each["model"], "low": number(edges[at]), "high": number(edges[at + 1])}
        parts.append(_("%(model)s: most samples from %(low)s to %(high)s") % params)
    return "; ".join(parts)


def _series_styles(names: Sequence[str], *, fill: bool) -> dict[str, Any]:
    """Colours and, for lines, dashes of encoders, with a legend above the plot."""
    import altair as alt

    legend = alt.Legend(orient="top", title=None, labelLimit=260, columns=2, labelColor=INK)
    colours = [COLOURS[index % len(COLOURS)] for index in range(len(names))]
    channels: dict[str, Any] = {
        "color": alt.Color(
            "model:N", sort=list(names), scale=alt.Scale(domain=list(names), range=colours), legend=legend
        )
    }
    if fill:
        shades = [1.0 if index < len(COLOURS) else 0.45 for index in range(len(names))]
        channels["opacity"] = alt.Opacity("model:N", scale=alt.Scale(domain=list(names), range=shades), legend=None)
    else:
        dashes = [_DASHES[index % len(_DASHES)] for index in range(len(names))]
        channels["strokeDash"] = alt.StrokeDash(
            "model:N", scale=alt.Scale(domain=list(names), range=dashes), legend=legend
        )
    return channels


def _as_svg(chart: Any, width: int) -> str:
    return svg(chart.properties(width=width, height=180))
