"""The analyses as tables and plots, for their page and the command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _

from agreement.prelabel_eval.analyses import Analyses, Ranks, RunAnalysis, Times
from agreement.prelabel_eval.analyses_lists import FAILED, PROCESSED, WITHOUT, FigurePart, labels_part, times_part
from agreement.prelabel_eval.analyses_plots import (
    labels_plot,
    length_plot,
    position_plot,
    times_plot,
    times_title,
)
from agreement.prelabel_eval.analyses_published import PublishedFigures, published_for
from agreement.report.render.tables import minutes, number, percent, share_of, whole, with_interval
from annotation.display_names import OUTCOMES
from annotation.figure_tables import NONE, Table, cell, table_json
from annotation.models import Project
from annotation.plots import Plot
from annotation.scheme_words import label_name
from annotation.selectors.runs import FAILURES
from annotation.text.schemes import Scheme


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: its name in addresses, its title, its tables, and a plot if a picture helps."""

    key: str
    title: str
    tables: tuple[Table, ...]
    plot: Callable[[], Plot | None]


def analyses_body(project: Project, analyses: Analyses) -> dict[str, Any]:
    """What the page shows: sections, each with its title, plot and tables."""
    sections = [
        {
            "key": each.key,
            "title": each.title,
            "tables": [table_json(table) for table in each.tables],
            "plot": asdict(plot) if (plot := each.plot()) else None,
        }
        for each in _sections(project, analyses)
    ]
    return {"sections": sections, "json": analyses.to_json()}


def analyses_tables(project: Project, analyses: Analyses) -> list[Table]:
    """All tables, for the command."""
    return [table for section in _sections(project, analyses) for table in section.tables]


def _sections(project: Project, analyses: Analyses) -> list[Section]:
    """The sections that have a table with a row."""
    published, scheme, runs = published_for(project), project.labels, analyses.runs
    parts: list[tuple[str, str, list[Table], Callable[[], Plot | None]]] = [
        ("position", _("By position in the text"), [_by_position(runs)], lambda: position_plot(runs)),
        ("length", _("By length of the pair"), _by_length(runs), lambda: length_plot(runs)),
        ("languages", _("By language pair"), [_by_languages(runs, published)], _no_plot),
        ("annotators", _("By annotator whose labels are used as gold"), [_by_annotator(runs)], _no_plot),
        (
            "labels",
            _("Labels by language"),
            [_labels(analyses, scheme, published)],
            lambda: labels_plot(analyses, scheme),
        ),
        (
            "times",
            _("Active time of short and long pairs"),
            [_times(analyses.times)],
            lambda: times_plot(analyses.times),
        ),
        ("failures", _("Failures"), [_failures(analyses, published), *_verdicts(analyses)], _no_plot),
    ]
    sections = [Section(key, title, tuple(t for t in tables if t.rows), plot) for key, title, tables, plot in parts]
    return [each for each in sections if each.tables]


def _no_plot() -> Plot | None:
    return None


def _ranks(name: str, each: Ranks, part: FigurePart) -> tuple[str, ...]:
    link = part.link
    counts = (cell(whole(count), drilldown=link) for count in (each.documents, each.tokens))
    return (
        name,
        *counts,
        *(with_interval(estimate, percent, drilldown=link) for estimate in (each.spearman, each.kendall)),
    )


def _column_heads(first: str) -> tuple[str, ...]:
    return first, _("pairs"), _("tokens"), _("Spearman's ρ"), _("Kendall's τ-b")


def _by_position(runs: Sequence[RunAnalysis]) -> Table:
    """A row for each run, a column for each tenth."""
    rows = tuple(
        (
            run.run,
            *(
                cell(percent(each.spearman.value), drilldown=FigurePart("position", each.name, run.run).link)
                for each in run.position
            ),
        )
        for run in runs
        if run.position
    )
    tenths = tuple(_("tenth %(n)s") % {"n": n} for n in range(1, 11))
    note = _("Each tenth of the texts' tokens, pooled over all documents.")
    return Table(_("Spearman's ρ with the gold, by tenth of the text (× 100)"), (_("run"), *tenths), rows, note)


def _by_length(runs: Sequence[RunAnalysis]) -> list[Table]:
    note = _("Quarters of the pairs from short to long, by the tokens of both texts.")
    return [
        Table(
            _("%(run)s: correlation with the gold by length (× 100)") % {"run": run.run},
            _column_heads(_("tokens of the pair")),
            tuple(
                _ranks(_lengths(each.name), each, FigurePart("length", str(number), run.run))
                for number, each in enumerate(run.length, 1)
            ),
            note,
        )
        for run in runs
    ]


def _lengths(name: str) -> str:
    """'120-1340' as '120–1,340', '120-120' as '120'."""
    return "–".join(whole(int(length)) for length in dict.fromkeys(name.split("-")))


def _by_languages(runs: Sequence[RunAnalysis], published: PublishedFigures) -> Table:
    rows = [
        _ranks(f"{run.run}, {each.name}", each, FigurePart("languages", each.name, run.run))
        for run in runs
        for each in run.languages
    ]
    languages = {each.name for run in runs for each in run.languages}
    theirs = [each for each in published.ranks if each.languages in languages]
    rows += [
        (_("published: %(what)s") % {"what": f"{each.method}, {each.languages}"}, "", "", number(each.value, 1), "")
        for each in theirs
    ]
    title = _("Correlation with the gold by language pair (× 100)")
    return Table(title, _column_heads(_("run, languages")), tuple(rows), published.source if theirs else "")


def _by_annotator(runs: Sequence[RunAnalysis]) -> Table:
    rows = tuple(
        _ranks(f"{run.run}, {each.name}", each, FigurePart("annotators", each.name, run.run))
        for run in runs
        for each in run.annotators
    )
    note = _("Against what one person submitted, on that person's pairs; without re-tests.")
    return Table(_("Correlation with one annotator's labels (× 100)"), _column_heads(_("run, annotator")), rows, note)


def _labels(analyses: Analyses, scheme: Scheme, published: PublishedFigures) -> Table:
    """Shares of tokens by label; published counts of the same data below."""
    names = list(analyses.labels[0].tokens) if analyses.labels else []
    rows = [
        (
            f"{each.pair}, {each.language}",
            cell(whole(sum(each.tokens.values())), drilldown=labels_part(each, "").link),
            *(
                cell(share, drilldown=labels_part(each, name).link)
                for name, share in zip(names, _shares(each.tokens, names), strict=True)
            ),
        )
        for each in analyses.labels
    ]
    languages = {each.pair for each in analyses.labels}
    theirs = [each for each in published.labels if each.languages in languages and set(each.tokens) == set(names)]
    rows += [
        (
            _("published: %(what)s") % {"what": f"{published.dataset}, {each.languages}"},
            whole(sum(each.tokens.values())),
            *_shares(each.tokens, names),
        )
        for each in theirs
    ]
    title = _("Share of the tokens of the gold") if analyses.gold else _("Share of the tokens of all submissions")
    note = _("Tokens of ASCII punctuation alone are not counted.") if scheme.graded else ""
    columns = (_("languages, language of the text"), _("tokens"), *(label_name(scheme, name) for name in names))
    source = published.source if theirs else ""
    return Table(f"{title} (× 100)", columns, tuple(rows), " ".join(filter(None, (note, source))))


def _shares(tokens: Any, names: Sequence[str]) -> list[str]:
    total = sum(tokens.values())
    return [percent(tokens[name] / total if total else None) for name in names]


def _times(times: Sequence[Times]) -> Table:
    rows = tuple(
        (
            times_title(each),
            cell(whole(each.submissions), drilldown=times_part(each).link),
            cell(whole(round(each.tokens)), drilldown=times_part(each).link),
            with_interval(each.seconds, minutes, drilldown=times_part(each).link),
            cell(minutes(each.median), drilldown=times_part(each).link),
            cell(number(each.pace, 1), drilldown=times_part(each).link),
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
    note = _(
        "Short and long pairs are divided at the median length of the submitted pairs in each language pair; "
        "imported annotations have no recorded time."
    )
    return Table(_("Active time per submission"), columns, rows, note)


def _failures(analyses: Analyses, published: PublishedFigures) -> Table:
    rows = [
        (
            each.run,
            cell(whole(each.pairs), drilldown=FigurePart("failures", PROCESSED, each.run).link),
            *(
                cell(share_of(some, each.pairs), drilldown=FigurePart("failures", of, each.run).link)
                for of, some in ((FAILED, each.failed), (WITHOUT, each.no_result))
            ),
            *(
                cell(share_of(*each.faulty[kind]), drilldown=FigurePart("failures", kind, each.run).link)
                if kind in each.faulty
                else NONE
                for kind in FAILURES
            ),
        )
        for each in analyses.failures
    ]
    models = any(each.faulty for each in analyses.failures)
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


def _verdicts(analyses: Analyses) -> list[Table]:
    total = sum(analyses.verdicts.values())
    rows = tuple(
        (
            str(OUTCOMES[name]),
            *(cell(text, drilldown=FigurePart("verdicts", name).link) for text in (whole(n), share_of(n, total))),
        )
        for name, n in analyses.verdicts.items()
    )
    return [Table(_("Verdicts"), (_("verdict"), _("times"), _("share (× 100)")), rows)]
