"""The plots of the analyses: each point and bar opens the pairs behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from agreement.prelabel_eval.analyses import Analyses, RunAnalysis, Times
from agreement.prelabel_eval.analyses_lists import FigurePart, labels_part, times_part
from agreement.report.render.plots import href, label_colours
from agreement.report.render.tables import minutes, number, percent, whole
from annotation.plots import ACCENT, INK, QUIET, RULE, Plot, chart_of, svg
from annotation.scheme_words import label_name
from annotation.text.schemes import Scheme

MAX_LINES = 6
"""Runs that one plot shows, the newest first; the tables have all."""
DASHES = ((1, 0), (6, 3), (2, 2), (8, 2, 2, 2), (1, 3), (10, 4))
COLOURS = (ACCENT, INK, QUIET, ACCENT, INK, QUIET)


def times_title(each: Times) -> str:
    """Which pairs some times are of: 'EN-DE, up to 120 tokens'."""
    bound = whole(round(each.bound))
    text = _("%(languages)s, over %(n)s tokens") if each.long else _("%(languages)s, up to %(n)s tokens")
    return text % {"languages": each.languages, "n": bound}


def _lines(rows: list[dict[str, Any]], x: Any, names: Sequence[str]) -> Any:
    """A line for each run, distinguished by dashes and colour, with its name at its end."""
    import altair as alt

    styles = {
        "color": alt.Color(
            "run:N", scale=alt.Scale(domain=list(names), range=list(COLOURS[: len(names)])), legend=None
        ),
        "strokeDash": alt.StrokeDash(
            "run:N",
            scale=alt.Scale(domain=list(names), range=[list(dash) for dash in DASHES[: len(names)]]),
            legend=None,
        ),
    }
    lowest = min([0.0, *(row["value"] for row in rows)])
    y = alt.Y("value:Q", title=_("Spearman's ρ"), scale=alt.Scale(domain=[lowest, 1]), axis=alt.Axis(tickCount=5))
    last = [row for row in rows if row["last"]]
    base = chart_of(rows).encode(x=x, y=y)
    zero = chart_of([{"at": 0}]).mark_rule(color=RULE).encode(y="at:Q")
    named = chart_of(last).mark_text(align="left", dx=6, fontSize=12).encode(
        x=x, y=y, text="run:N", color=styles["color"]
    )  # fmt: skip
    return zero + base.mark_line(strokeWidth=2).encode(**styles) + base.mark_circle(size=30).encode(
        color=styles["color"], href="href:N"
    ) + named  # fmt: skip


def _points(runs: Sequence[RunAnalysis], parts: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for run in runs[:MAX_LINES]:
        own = [
            {
                **{"run": run.run, "at": position, "name": each.name, "value": each.spearman.value, "last": False},
                "href": href(FigurePart(parts, str(position), run.run).link),
            }
            for position, each in enumerate(getattr(run, parts), 1)
            if each.spearman.value is not None
        ]
        if own:
            own[-1]["last"] = True
            rows += own
    return rows


def _description(rows: Sequence[dict[str, Any]]) -> str:
    """The points of lines in words, by run."""
    by_run: dict[str, list[str]] = {}
    for row in rows:
        by_run.setdefault(row["run"], []).append(f"{row['name'].replace('-', '–')}: {number(row['value'], 2)}")
    return "; ".join(f"{run}, {', '.join(points)}" for run, points in by_run.items())


def position_plot(runs: Sequence[RunAnalysis]) -> Plot | None:
    """Spearman's rho by tenth of the texts, a line for each run."""
    import altair as alt

    rows = _points(runs, "position")
    if not rows:
        return None
    for row in rows:
        row["percent"] = 10 * row["at"] - 5
    scale = alt.Scale(domain=[0, 115])
    axis = alt.Axis(grid=False, values=[0, 25, 50, 75, 100])
    x = alt.X("percent:Q", title=_("percentage of the text"), scale=scale, axis=axis)
    chart = _lines(rows, x, list(dict.fromkeys(row["run"] for row in rows)))
    picture = svg(chart.properties(width=520, height=200))
    return Plot(
        "position", _("Correlation by position in the text"), _("tenths of the texts"), _description(rows), picture
    )


def length_plot(runs: Sequence[RunAnalysis]) -> Plot | None:
    """The same by quarter of the pairs."""
    import altair as alt

    rows = _points(runs, "length")
    if not rows:
        return None
    axis = alt.Axis(grid=False, values=[1, 2, 3, 4], format="d")
    x = alt.X(
        "at:Q", title=_("quarter of the pairs, from short to long"), scale=alt.Scale(domain=[0.8, 4.8]), axis=axis
    )
    chart = _lines(rows, x, list(dict.fromkeys(row["run"] for row in rows)))
    picture = svg(chart.properties(width=520, height=200))
    return Plot(
        "length", _("Correlation by length of the pair"), _("quarters of the pairs"), _description(rows), picture
    )


def labels_plot(analyses: Analyses, scheme: Scheme) -> Plot | None:
    """Shares of the labels except the default, by language, in the labels' own colours."""
    import altair as alt

    stand_in = label_colours(scheme)
    rows: list[dict[str, Any]] = [
        {
            "place": f"{each.pair}, {each.language}",
            "key": label,
            "label": label_name(scheme, label),
            "share": n / max(sum(each.tokens.values()), 1),
            "shown": percent(n / max(sum(each.tokens.values()), 1), 1),
            "href": href(labels_part(each, label).link),
        }
        for each in analyses.labels
        for label, n in each.tokens.items()
        if label in stand_in
    ]
    if not rows:
        return None
    named = {row["label"]: row["key"] for row in rows}
    labels = list(named)
    scale = alt.Scale(domain=labels, range=[stand_in[key] for key in named.values()])
    base = chart_of(rows).encode(x=alt.X("share:Q", title=None, axis=None), y=alt.Y("label:N", sort=labels, title=None))
    bars = base.mark_bar(stroke=RULE).encode(color=alt.Color("label:N", scale=scale, legend=None), href="href:N")
    chart = (
        (bars + base.mark_text(align="left", dx=4, color=INK).encode(text="shown:N"))
        .properties(width=130, height={"step": 20})
        .facet(facet=alt.Facet("place:N", title=None, header=alt.Header(labelColor=QUIET)), columns=3)
    )
    text = "; ".join(f"{row['place']}, {row['label']}: {row['shown']}" for row in rows)
    grounds = {stand_in[label.key]: f"--{label.colour}" for label in scheme.labels}
    return Plot("labels", _("Labels by language"), _("percentage of the tokens"), text, svg(chart, grounds))


def times_plot(times: Sequence[Times]) -> Plot | None:
    """Mean minutes of short and long pairs."""
    import altair as alt

    rows = [
        {
            "name": times_title(each),
            "minutes": (each.seconds.value or 0) / 60,
            "low": (each.seconds.low if each.seconds.low is not None else each.seconds.value or 0) / 60,
            "high": (each.seconds.high if each.seconds.high is not None else each.seconds.value or 0) / 60,
            "shown": minutes(each.seconds.value),
            "href": href(times_part(each).link),
        }
        for each in times
    ]
    if not rows:
        return None
    base = chart_of(rows).encode(y=alt.Y("name:N", sort=None, title=None))
    x = alt.X("low:Q", title=_("mean minutes, with the 95% interval"), scale=alt.Scale(zero=True))
    chart = (
        base.mark_rule(strokeWidth=2.5, opacity=0.5, color=ACCENT).encode(x=x, x2="high:Q")
        + base.mark_circle(size=70, color=ACCENT, opacity=1).encode(x="minutes:Q", href="href:N")
        + base.mark_text(align="left", dx=9, dy=-9, color=INK).encode(x="minutes:Q", text="shown:N")
    )
    text = "; ".join(f"{row['name']}: {row['shown']}" for row in rows)
    picture = svg(chart.properties(width=420, height={"step": 30}))
    return Plot("times", _("Active time"), pgettext("plot", "minutes per submission"), text, picture)
