"""The analyses as tables and plots, for their page and the command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from agreement.metrics.bootstrap import Estimate
from agreement.prelabel_eval.analyses import Analyses, Ranks, RunAnalysis, Times
from agreement.prelabel_eval.analyses_published import Figures, published_for
from agreement.report.render.plots import label_colours
from agreement.report.render.tables import number, percent, whole, with_interval
from annotation.display_names import OUTCOMES
from annotation.figure_tables import NONE, Table, table_json
from annotation.models import Project
from annotation.plots import ACCENT, INK, QUIET, RULE, Plot, chart_of, svg
from annotation.text.schemes import Scheme

MOST_LINES = 6
"""Runs that one plot shows, the newest first; the tables have all."""
DASHES = ((1, 0), (6, 3), (2, 2), (8, 2, 2, 2), (1, 3), (10, 4))
COLOURS = (ACCENT, INK, QUIET, ACCENT, INK, QUIET)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: its name in addresses, its title, its tables, and a plot if a picture helps."""

    key: str
    title: str
    tables: tuple[Table, ...]
    plot: Callable[[], Plot | None]


def analyses_body(project: Project, found: Analyses) -> dict[str, Any]:
    """What the page shows: sections, each with its title, plot and tables."""
    sections = [
        {
            "key": each.key,
            "title": each.title,
            "tables": [table_json(table) for table in each.tables],
            "plot": asdict(plot) if (plot := each.plot()) else None,
        }
        for each in _sections(project, found)
    ]
    return {"sections": sections, "json": found.to_json()}


def analyses_tables(project: Project, found: Analyses) -> list[Table]:
    """All tables, for the command."""
    return [table for section in _sections(project, found) for table in section.tables]


def _sections(project: Project, found: Analyses) -> list[Section]:
    """The sections that have a table with a row."""
    published, scheme, runs = published_for(project), project.labels, found.runs
    parts: list[tuple[str, str, list[Table], Callable[[], Plot | None]]] = [
        ("position", _("By position in the text"), [_by_position(runs)], lambda: _position_plot(runs)),
        ("length", _("By length of the pair"), _by_length(runs), lambda: _length_plot(runs)),
        ("languages", _("By language pair"), [_by_languages(runs, published)], _no_plot),
        ("annotators", _("By whose labels are taken for the gold"), [_by_annotator(runs)], _no_plot),
        ("labels", _("Labels by language"), [_labels(found, scheme, published)], lambda: _labels_plot(found, scheme)),
        (
            "times",
            _("Active time of short and long pairs"),
            [_times(found.times)],
            lambda: _times_plot(found.times),
        ),
        ("failures", _("Failures"), [_failures(found, published), *_verdicts(found)], _no_plot),
    ]
    sections = [Section(key, title, tuple(t for t in tables if t.rows), plot) for key, title, tables, plot in parts]
    return [each for each in sections if each.tables]


def _no_plot() -> Plot | None:
    return None


def _rho(found: Estimate) -> str:
    return with_interval(found, percent) if found.value is not None else NONE


def _ranks(name: str, each: Ranks) -> tuple[str, ...]:
    return name, whole(each.documents), whole(each.tokens), _rho(each.spearman), _rho(each.kendall)


def _heads(first: str) -> tuple[str, ...]:
    return first, _("pairs"), _("tokens"), _("Spearman's ρ"), _("Kendall's τ-b")


def _by_position(runs: Sequence[RunAnalysis]) -> Table:
    """A row for each run, a column for each tenth."""
    rows = tuple((run.run, *(percent(each.spearman.value) for each in run.position)) for run in runs if run.position)
    tenths = tuple(_("tenth %(n)s") % {"n": n} for n in range(1, 11))
    note = _("The n-th tenth of each text's tokens, of all documents together.")
    return Table(_("Spearman's ρ with the gold, by tenth of the text (× 100)"), (_("run"), *tenths), rows, note)


def _by_length(runs: Sequence[RunAnalysis]) -> list[Table]:
    note = _("Quarters of the pairs from short to long, by the tokens of both texts.")
    return [
        Table(
            _("%(run)s: correlation with the gold by length (× 100)") % {"run": run.run},
            _heads(_("tokens of the pair")),
            tuple(_ranks(_lengths(each.name), each) for each in run.length),
            note,
        )
        for run in runs
    ]


def _lengths(name: str) -> str:
    """'120-1340' as '120–1,340', '120-120' as '120'."""
    return "–".join(whole(int(length)) for length in dict.fromkeys(name.split("-")))


def _by_languages(runs: Sequence[RunAnalysis], published: Figures) -> Table:
    rows = [(f"{run.run}, {each.name}", *_ranks("", each)[1:]) for run in runs for each in run.languages]
    there = {each.name for run in runs for each in run.languages}
    theirs = [each for each in published.ranks if each.languages in there]
    rows += [
        (_("published: %(what)s") % {"what": f"{each.method}, {each.languages}"}, "", "", number(each.value, 1), "")
        for each in theirs
    ]
    title = _("Correlation with the gold by language pair (× 100)")
    return Table(title, _heads(_("run, languages")), tuple(rows), published.source if theirs else "")


def _by_annotator(runs: Sequence[RunAnalysis]) -> Table:
    rows = tuple((f"{run.run}, {each.name}", *_ranks("", each)[1:]) for run in runs for each in run.annotators)
    note = _("Against what one person submitted, on the pairs of that person; without second rounds.")
    return Table(_("Correlation with one annotator's labels (× 100)"), _heads(_("run, annotator")), rows, note)


def _labels(found: Analyses, scheme: Scheme, published: Figures) -> Table:
    """Shares of tokens by label; published counts of the same data below."""
    names = list(found.labels[0].tokens) if found.labels else []
    rows = [
        (f"{each.pair}, {each.language}", whole(sum(each.tokens.values())), *_shares(each.tokens, names))
        for each in found.labels
    ]
    there = {each.pair for each in found.labels}
    theirs = [each for each in published.labels if each.languages in there and set(each.tokens) == set(names)]
    rows += [
        (
            _("published: %(what)s") % {"what": f"{published.dataset}, {each.languages}"},
            whole(sum(each.tokens.values())),
            *_shares(each.tokens, names),
        )
        for each in theirs
    ]
    of = _("Share of the tokens of the gold") if found.gold else _("Share of the tokens of all submissions")
    note = _("Tokens of ASCII punctuation alone are not counted.") if scheme.graded else ""
    columns = (_("languages, text in"), _("tokens"), *names)
    source = published.source if theirs else ""
    return Table(f"{of} (× 100)", columns, tuple(rows), " ".join(filter(None, (note, source))))


def _shares(tokens: Any, names: Sequence[str]) -> list[str]:
    total = sum(tokens.values())
    return [percent(tokens[name] / total if total else None) for name in names]


def _kind(each: Times) -> str:
    bound = whole(round(each.bound))
    said = _("%(languages)s, over %(n)s tokens") if each.long else _("%(languages)s, up to %(n)s tokens")
    return said % {"languages": each.languages, "n": bound}


def _minutes(seconds: float | None) -> str:
    return number(None if seconds is None else seconds / 60, 1)


def _times(times: Sequence[Times]) -> Table:
    rows = tuple(
        (
            _kind(each),
            whole(each.submissions),
            whole(round(each.tokens)),
            with_interval(each.seconds, _minutes),
            _minutes(each.median),
            number(each.pace, 1),
        )
        for each in times
    )
    columns = (
        _("pairs"),
        _("submissions"),
        _("mean tokens"),
        _("mean minutes"),
        _("median minutes"),
        _("seconds per 100 tokens"),
    )
    note = _("Cut at the median length of the submitted pairs of the languages; imported work has no time.")
    return Table(_("Active time per submission"), columns, rows, note)


def _failures(found: Analyses, published: Figures) -> Table:
    rows = [
        (
            each.run,
            whole(each.pairs),
            percent(each.failed / each.pairs if each.pairs else None),
            percent(each.without / each.pairs if each.pairs else None),
            *(percent(each.amiss[kind][0] / each.amiss[kind][1] if kind in each.amiss and each.amiss[kind][1] else None)
              for kind in ("repaired", "unusable", "padded")),
        )
        for each in found.failures
    ]  # fmt: skip
    models = any(each.amiss for each in found.failures)
    theirs = published.failures if models else ()
    rows += [
        (_("published: %(what)s") % {"what": name}, "", number(value, 1), "", "", "", "") for name, value in theirs
    ]
    columns = (
        _("run"),
        _("pairs processed"),
        _("failed"),
        _("without pre-labels"),
        _("answers repaired"),
        _("answers unusable"),
        _("words without a label of their own"),
    )
    note = _("The paper gives a rate of failures without defining it. %(source)s") % {"source": published.source}
    return Table(_("Share of a run's pairs and answers (× 100)"), columns, tuple(rows), note if theirs else "")


def _verdicts(found: Analyses) -> list[Table]:
    total = sum(found.verdicts.values())
    rows = tuple((str(OUTCOMES[name]), whole(n), percent(n / total)) for name, n in found.verdicts.items())
    return [Table(_("How people ended pairs"), (_("verdict"), _("times"), _("share (× 100)")), rows)]


def _lines(rows: list[dict[str, Any]], x: Any, names: Sequence[str]) -> Any:
    """A line for each run, told apart by dashes and colour, with its name at its end."""
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
        color=styles["color"]
    ) + named  # fmt: skip


def _points(runs: Sequence[RunAnalysis], parts: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for run in runs[:MOST_LINES]:
        own = [
            {"run": run.run, "at": at, "name": each.name, "value": each.spearman.value, "last": False}
            for at, each in enumerate(getattr(run, parts), 1)
            if each.spearman.value is not None
        ]
        if own:
            own[-1]["last"] = True
            rows += own
    return rows


def _said(rows: Sequence[dict[str, Any]]) -> str:
    """The points of lines in words, by run."""
    by_run: dict[str, list[str]] = {}
    for row in rows:
        by_run.setdefault(row["run"], []).append(f"{row['name'].replace('-', '–')}: {number(row['value'], 2)}")
    return "; ".join(f"{run}, {', '.join(points)}" for run, points in by_run.items())


def _position_plot(runs: Sequence[RunAnalysis]) -> Plot | None:
    import altair as alt

    rows = _points(runs, "position")
    if not rows:
        return None
    for row in rows:
        row["percent"] = 10 * row["at"] - 5
    scale = alt.Scale(domain=[0, 115])
    axis = alt.Axis(grid=False, values=[0, 25, 50, 75, 100])
    x = alt.X("percent:Q", title=_("per cent of the text"), scale=scale, axis=axis)
    chart = _lines(rows, x, list(dict.fromkeys(row["run"] for row in rows)))
    picture = svg(chart.properties(width=520, height=200))
    return Plot("position", _("Correlation by position in the text"), _("tenths of the texts"), _said(rows), picture)


def _length_plot(runs: Sequence[RunAnalysis]) -> Plot | None:
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
    return Plot("length", _("Correlation by length of the pair"), _("quarters of the pairs"), _said(rows), picture)


def _labels_plot(found: Analyses, scheme: Scheme) -> Plot | None:
    """Shares of the labels except the default, by language, in the labels' own colours."""
    import altair as alt

    stand_in = label_colours(scheme)
    rows: list[dict[str, Any]] = [
        {
            "place": f"{each.pair}, {each.language}",
            "label": label,
            "share": n / max(sum(each.tokens.values()), 1),
            "shown": percent(n / max(sum(each.tokens.values()), 1), 1),
        }
        for each in found.labels
        for label, n in each.tokens.items()
        if label in stand_in
    ]
    if not rows:
        return None
    labels = list(dict.fromkeys(row["label"] for row in rows))
    scale = alt.Scale(domain=labels, range=[stand_in[label] for label in labels])
    base = chart_of(rows).encode(x=alt.X("share:Q", title=None, axis=None), y=alt.Y("label:N", sort=labels, title=None))
    bars = base.mark_bar(stroke=RULE).encode(color=alt.Color("label:N", scale=scale, legend=None))
    chart = (
        (bars + base.mark_text(align="left", dx=4, color=INK).encode(text="shown:N"))
        .properties(width=130, height={"step": 20})
        .facet(facet=alt.Facet("place:N", title=None, header=alt.Header(labelColor=QUIET)), columns=3)
    )
    said = "; ".join(f"{row['place']}, {row['label']}: {row['shown']}" for row in rows)
    grounds = {stand_in[label.key]: f"--{label.colour}" for label in scheme.labels}
    return Plot("labels", _("Labels by language"), _("per cent of the tokens"), said, svg(chart, grounds))


def _times_plot(times: Sequence[Times]) -> Plot | None:
    import altair as alt

    rows = [
        {
            "name": _kind(each),
            "minutes": (each.seconds.value or 0) / 60,
            "low": (each.seconds.low if each.seconds.low is not None else each.seconds.value or 0) / 60,
            "high": (each.seconds.high if each.seconds.high is not None else each.seconds.value or 0) / 60,
            "shown": _minutes(each.seconds.value),
        }
        for each in times
    ]
    if not rows:
        return None
    base = chart_of(rows).encode(y=alt.Y("name:N", sort=None, title=None))
    x = alt.X("low:Q", title=_("mean minutes, with the 95 % interval"), scale=alt.Scale(zero=True))
    chart = (
        base.mark_rule(strokeWidth=2.5, opacity=0.5, color=ACCENT).encode(x=x, x2="high:Q")
        + base.mark_circle(size=70, color=ACCENT, opacity=1).encode(x="minutes:Q")
        + base.mark_text(align="left", dx=9, dy=-9, color=INK).encode(x="minutes:Q", text="shown:N")
    )
    said = "; ".join(f"{row['name']}: {row['shown']}" for row in rows)
    picture = svg(chart.properties(width=420, height={"step": 30}))
    return Plot("times", _("Active time"), pgettext("plot", "minutes per submission"), said, picture)
