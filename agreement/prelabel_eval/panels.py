"""The lead's page of pre-label quality: each run's scores as tables and a curve, and runs compared."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from django.core.cache import cache
from django.db.models import Count, Max
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from agreement.data.accepted_labels import AcceptedSuggestionCounts, accepted_labels
from agreement.data.highlight_arrays import NEW, ScoredTokens, scored_run
from agreement.metrics.detection import Detection, curve
from agreement.prelabel_eval.projection import projection_score
from agreement.prelabel_eval.projection_panel import projection_tables
from agreement.prelabel_eval.scores import FOLDS, Score, score
from agreement.report.render.tables import number, percent, whole, with_interval
from annotation.figure_tables import NONE, Table, table_json
from annotation.models import Annotation, Highlight, Project, Source
from annotation.plots import ACCENT, INK, QUIET, Plot, chart_of, svg
from annotation.selectors.highlights import HighlightRun

RESAMPLES = 300
POINTS = 60
CACHE_SECONDS = 24 * 3600
CACHE_VERSION = 2
"""The version of what is cached; a release that caches something else does not show what an earlier one cached."""


def run_panel(project: Project, run: HighlightRun, gold: int) -> dict[str, Any]:
    """Everything the page shows for one run: `tables`, `plot`, `answer` in a sentence, and `kept` (labels).

    All but `kept`, which changes with every span, is cached until the gold or the highlights change.
    """
    key = f"prelabels:{project.pk}:{run.run}:{_state_key(project, run.run, gold)}"
    panel: dict[str, Any] | None = cache.get(key)
    if panel is None:
        scored = scored_run(project, run.run, gold)
        if scored.splits:
            run_score = score(scored, run, {}, RESAMPLES)
            panel = {
                "answer": _summary(run_score),
                "tables": tables(run_score),
                "plot": asdict(threshold_plot(scored, run_score)),
            }
        else:
            panel = {"answer": _("None of the pairs that this run pre-labelled has gold."), "tables": [], "plot": None}
        cache.set(key, panel, CACHE_SECONDS)
    return {**panel, "kept": _kept_labels_note(accepted_labels(project, run.run))}


def projection_panel(project: Project, run: HighlightRun, gold: int | None) -> list[dict[str, Any]]:
    """The tables of a run whose labels were carried over; cached until gold, highlights or people's work change."""
    rows = Annotation.objects.filter(pair__project=project, source=Source.HUMAN)
    annotations = rows.aggregate(n=Count("pk"), last=Max("changed"))
    stamp = f"{_state_key(project, run.run, -1 if gold is None else gold)}-{annotations['n']}-{annotations['last']}"
    key = f"projection:{project.pk}:{run.run}:{hashlib.sha256(stamp.encode()).hexdigest()}"
    tables: list[dict[str, Any]] | None = cache.get(key)
    if tables is None:
        projected = projection_score(project, run, gold, RESAMPLES)
        projection = projection_tables(projected, run.run) if projected else []
        tables = [table_json(table) for table in projection]
        cache.set(key, tables, CACHE_SECONDS)
    return tables


def _kept_labels_note(accepted: AcceptedSuggestionCounts) -> str:
    if not accepted.spans:
        return ""
    say = ngettext(
        "Of %(n)s suggestion accepted with a predicted label, %(kept)s kept that label.",
        "Of %(n)s suggestions accepted with a predicted label, %(kept)s kept that label.",
        accepted.spans,
    )
    return say % {"n": whole(accepted.spans), "kept": whole(accepted.kept)}


def _state_key(project: Project, run: str, gold: int) -> str:
    """The state a panel is computed from: the run's highlights and the gold."""
    highlights = Highlight.objects.filter(pair__project=project, run=run).aggregate(n=Count("pk"), last=Max("made"))
    rows = Annotation.objects.filter(pair__project=project, source=Source.GOLD, gold_version=gold)
    decided = rows.aggregate(n=Count("pk"), last=Max("changed"))
    parts = (CACHE_VERSION, get_language(), gold, highlights["n"], highlights["last"], decided["n"], decided["last"])
    return "-".join(str(part.timestamp() if hasattr(part, "timestamp") else part) for part in parts)


def _summary(score: Score) -> str:
    new = score.new
    rho = with_interval(score.spearman, percent) if score.spearman.value is not None else NONE
    say = _(
        "Spearman's ρ %(rho)s; F1 of 'new' %(f1)s at threshold %(threshold)s (chosen on %(chosen)s, "
        "reported on %(reported)s)."
    )
    first = say % {
        "rho": rho,
        "f1": with_interval(new.f1, percent),
        "threshold": number(new.threshold, 3),
        "chosen": _part(new.chosen_on),
        "reported": _part(new.reported_on),
    }
    say = ngettext(
        "%(n)s document, %(tokens)s tokens, %(seconds)s s per pair.",
        "%(n)s documents, %(tokens)s tokens, %(seconds)s s per pair.",
        score.documents,
    )
    return f"{first} {say % {'n': score.documents, 'tokens': whole(score.tokens), 'seconds': number(score.seconds, 2)}}"


def _part(name: str) -> str:
    """The name of the part that thresholds were chosen or reported on: a split, or folds."""
    if name == "all":
        return pgettext("documents", "all")
    return name if name in ("dev", "test") else _("the other folds, of %(n)s in all") % {"n": FOLDS}


def tables(score: Score) -> list[dict[str, Any]]:
    """The tables: by label, the confusion matrix, and by position."""
    figures = [(label, *detection_figures(each)) for label, each in score.labels.items()]
    if NEW not in score.labels:
        figures.insert(0, (NEW, *detection_figures(score.new.counts)))
    confusion = tuple((label, *(whole(n) for n in row.values())) for label, row in score.confusion.items())
    parts = tuple(
        (_("fifth %(n)s") % {"n": number}, whole(part.tokens), percent(part.spearman), percent(part.new.f1))
        for number, part in enumerate(score.position, 1)
    )
    shown = score.suggestions
    suggested = (
        percent(shown.share),
        percent(shown.detection.precision),
        percent(shown.detection.recall),
        percent(shown.two_sided),
        percent(shown.as_is),
        percent(shown.one_change),
        number(shown.per_pair, 1),
    )
    tables = (
        Table(
            _("What annotators see: the suggestions (× 100)"),
            (
                _("tokens underlined"),
                pgettext("measure", "precision"),
                _("recall"),
                _("two-sided"),
                _("spans saved: accepted as is"),
                _("spans saved: accepted with one change"),
                _("suggestions per pair (not × 100)"),
            ),
            (suggested,),
        ),
        Table(_("By label (× 100)"), ("", pgettext("measure", "precision"), _("recall"), "F1"), tuple(figures)),
        _labels_table(score),
        Table(_("Gold (rows) and predicted (columns), in tokens"), ("", *score.confusion), confusion),
        Table(_("By position in the text (× 100)"), ("", _("tokens"), _("Spearman's ρ"), _("F1 of new")), parts),
    )
    return [table_json(table) for table in tables]


def _labels_table(score: Score) -> Table:
    """Macro F1 and, for tokens that both mark, how often the grade is the same."""
    title = (
        _("Labels, as the method predicts them (× 100)")
        if score.predicted
        else _("Labels derived from the score (× 100)")
    )
    if not score.grades:
        return Table(title, (_("macro F1"),), ((percent(score.macro_f1),),))
    columns = (_("macro F1"), _("tokens marked by both"), _("same grade"), _("at most one grade off"))
    grades = (whole(score.grades.tokens), percent(score.grades.exact), percent(score.grades.within_one))
    return Table(title, columns, ((percent(score.macro_f1), *grades),))


def detection_figures(counts: Detection) -> tuple[str, str, str]:
    """Precision, recall and F1, times 100."""
    return percent(counts.precision), percent(counts.recall), percent(counts.f1)


def threshold_plot(scored: ScoredTokens, score: Score) -> Plot:
    """Precision, recall and F1 of 'new' by threshold on the score; the best threshold is marked."""
    import altair as alt

    names = [pgettext("measure", "precision"), _("recall"), "F1"]
    points = curve(scored.scores[scored.labelled], scored.new[scored.labelled], POINTS)
    rows = [
        {"threshold": at, "measure": name, "value": value}
        for at, counts in points
        for name, value in ((names[0], counts.precision), (names[1], counts.recall), (names[2], counts.f1))
        if value is not None
    ]
    colour = alt.Color("measure:N", scale=alt.Scale(domain=names, range=[QUIET, INK, ACCENT]), legend=None)
    dash = alt.StrokeDash("measure:N", scale=alt.Scale(domain=names, range=[[2, 2], [6, 3], [1, 0]]), legend=None)
    lines = (
        chart_of(rows)
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("threshold:Q", title=_("threshold"), scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("value:Q", title=None, scale=alt.Scale(domain=[0, 1])),
            color=colour,
            strokeDash=dash,
        )
    )
    named = chart_of(_line_names(rows, names)).mark_text(align="left", dx=5, dy=-7, fontSize=12)
    named = named.encode(x="threshold:Q", y="value:Q", text="measure:N", color=colour)
    at = score.new.threshold
    chosen = chart_of([] if np.isnan(at) else [{"threshold": at}])
    chart = lines + named + chosen.mark_rule(color=ACCENT, strokeDash=[3, 3]).encode(x="threshold:Q")
    text = "; ".join(
        _("threshold %(threshold)s, F1 %(f1)s") % {"threshold": number(at, 2), "f1": percent(counts.f1, 0)}
        for at, counts in points[:: POINTS // 6]
    )
    title = _("Choosing a threshold")
    return Plot(
        "threshold", title, _("for 'new', on all tokens with gold"), text, svg(chart.properties(width=420, height=200))
    )


def _line_names(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[Mapping[str, Any]]:
    """Where to put each line's name so that they don't collide: where recall begins, F1 is highest, precision ends."""
    precision, recall, f1 = ([row for row in rows if row["measure"] == name] for name in names)
    ends = (recall[:1], sorted(f1, key=lambda row: -row["value"])[:1], precision[-1:])
    return [row for end in ends for row in end]


def methods_table(project: Project, runs: Sequence[HighlightRun], gold: int) -> Table:
    """Spearman's rho between the scores of every two runs, over the tokens of documents that both have."""
    names = [run.run for run in runs]
    key = f"prelabels:{project.pk}:between:{'/'.join(_state_key(project, name, gold) for name in names)}"
    cached: Table | None = cache.get(key)
    if cached is not None:
        return cached
    scores = {name: _scores_by_document(project, name) for name in names}
    rows = tuple((one, *(percent(_score_correlation(scores[one], scores[other])) for other in names)) for one in names)
    note = _("A high value means that two methods agree, not that either is right.")
    table = Table(_("Agreement between methods (Spearman's ρ × 100)"), ("", *names), rows, note)
    cache.set(key, table, CACHE_SECONDS)
    return table


def _scores_by_document(project: Project, run: str) -> dict[int, np.ndarray[Any, Any]]:
    rows = Highlight.objects.filter(pair__project=project, run=run).values_list("pair", "scores_a", "scores_b")
    return {pair: np.array([*a, *b]) for pair, a, b in rows.iterator(200)}


def _score_correlation(one: dict[int, Any], other: dict[int, Any]) -> float | None:
    both = sorted(set(one) & set(other))
    if not both:
        return None
    left, right = (np.concatenate([scores[pair] for pair in both]) for scores in (one, other))
    if len(left) < 2 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return None
    from scipy import stats

    return float(stats.spearmanr(left, right).statistic)
