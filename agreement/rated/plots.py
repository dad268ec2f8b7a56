"""The box plot of ratings: a box for each operator, or for each question about distractors."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from agreement.rated.compute import RatedItems
from agreement.rated.group_names import group_name
from agreement.report.render.tables import number
from annotation.plots import ACCENT, INK, Plot, chart_of, svg


def box_plot(rated: RatedItems) -> Plot | None:
    """The averages of the items of each group; None without ratings."""
    import altair as alt

    if not rated.groups:
        return None
    rows: list[dict[str, Any]] = []
    for group in rated.groups:
        low, lower, median, upper, high = group.quartiles
        values = {"low": low, "lower": lower, "median": median, "upper": upper, "high": high, "mean": group.mean}
        rows.append({"group": group_name(group.name), **values, "shown": number(median, 2)})
    every = [value for question in rated.questions for value in question.values or ()]
    scale = alt.Scale(domain=[min(every), max(every)])
    names = [row["group"] for row in rows]
    base = chart_of(rows).encode(y=alt.Y("group:N", sort=names, title=None))
    chart = (
        base.mark_rule(strokeWidth=1.5, color=INK).encode(
            x=alt.X("low:Q", scale=scale, title=None, axis=alt.Axis(tickCount=5)), x2="high:Q"
        )
        + base.mark_bar(size=18, color=ACCENT, opacity=0.35).encode(x="lower:Q", x2="upper:Q")
        + base.mark_tick(size=18, thickness=2.5, color=INK).encode(x="median:Q")
        + base.mark_point(shape="cross", size=50, color=INK, filled=True).encode(x="mean:Q")
        + base.mark_text(dy=-17, color=INK).encode(x="median:Q", text="shown:N")
    )
    parts = []
    for row in rows:
        params = {name: number(row[name], 2) for name in ("median", "lower", "upper")}
        say = _("%(group)s: median %(median)s, half of the items from %(lower)s to %(upper)s")
        parts.append(say % {"group": row["group"], **params})
    remark = _("averages of the items: range, middle half, median; the cross is the mean")
    picture = svg(chart.properties(width=520, height={"step": 52}))
    return Plot("ratings", _("Ratings"), remark, "; ".join(parts), picture)
