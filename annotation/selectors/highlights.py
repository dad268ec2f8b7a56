"""Reads of what models predicted for pairs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Avg, BooleanField, Count, Exists, ExpressionWrapper, Max, Min, OuterRef, Q, QuerySet, Value
from django.db.models.expressions import Combinable

from annotation.cached_statements import PreparedQuery
from annotation.hooks import NEWEST_RUN
from annotation.models import Assignment, Dismissal, Highlight, Pair, Project
from annotation.project_options import LATEST, ProjectOptions
from annotation.selectors.projects import options_of

MIN_DISMISSALS = 3
"""Dismissals of the same words in a project after which they are no longer suggested."""


@dataclass(frozen=True, slots=True)
class HighlightRun:
    """The highlights of one run: its method, number of pairs, seconds per pair, and when the last one was written."""

    run: str
    method: str
    pairs: int
    seconds: float
    made: datetime


def displayed_run(project: Project, options: ProjectOptions) -> str:
    """The slug of the run whose highlights a project shows: the chosen one, or else the newest; '' for none."""
    if options.highlights_run != LATEST:
        return options.highlights_run
    for newest_run in NEWEST_RUN:
        if newest := newest_run(project):
            return str(newest)
    row = _LAST_RUN.first(project=project.pk)
    return row[0] if row else ""


def has_highlights(pair: Pair) -> bool:
    """Whether the run that the project shows has highlights for a pair."""
    run = displayed_run(pair.project, options_of(pair.project))
    return Highlight.objects.filter(pair=pair, run=run).exists()


_LAST_RUN: PreparedQuery[tuple[str]] = PreparedQuery(
    lambda project: Highlight.objects.filter(pair__project=project).order_by("-made", "-pk").values_list("run")[:1],
    project=int,
)


def highlight_runs(project: Project) -> list[HighlightRun]:
    """The runs that wrote highlights in a project, newest first."""
    rows = (
        Highlight.objects.filter(pair__project=project)
        .values("run")
        .annotate(method=Min("method"), pairs=Count("pk"), seconds=Avg("seconds"), made=Max("made"))
        .order_by("-made", "run")
    )
    return [HighlightRun(**row) for row in rows]


def highlight_list(project: Project, run: str) -> QuerySet[Highlight]:
    """All highlights of one run in a project, with pairs and texts, in the order of the pairs."""
    return (
        Highlight.objects.filter(pair__project=project, run=run)
        .select_related("pair__a", "pair__b")
        .order_by("pair__position", "pair_id")
    )


def highlight_shown(pair: Pair, options: ProjectOptions) -> Highlight | None:
    """The highlight of a pair by the run that its project shows; None if that run has none for it.

    Another run's never takes its place: suggestions of two methods in one project could not be told apart.
    """
    run = displayed_run(pair.project, options)
    return _OF_RUN.first(pair=pair.pk, run=run) if run else None


_OF_RUN: PreparedQuery[Highlight] = PreparedQuery(
    lambda pair, run: Highlight.objects.filter(pair=pair, run=run).order_by("pk")[:1], pair=int, run=str
)


def highlight_for(assignment: Assignment, options: ProjectOptions) -> Highlight | None:
    """The highlight that an assignment shows. One without highlights gets None, as if no model had run."""
    return highlight_shown(assignment.pair, options) if assignment.highlights_shown else None


def highlights_seen(project: Project) -> Combinable:
    """Of each assignment of a project, for `annotate`: whether its annotator could see highlights when working on it.

    The assignment shows them, and there were some (`highlights_existed`).
    """
    existed = highlights_existed(project, changed="annotation__changed")
    return ExpressionWrapper(Q(highlights_shown=True) & Q(existed), output_field=BooleanField())


def highlights_existed(project: Project, *, changed: str = "changed") -> Exists | Value:
    """Of each annotation of a project, for `annotate`: whether there were highlights that it could be made with.

    A run had written some for the pair before the work was last changed, and the project showed a run. `changed` names
    the column with that time, from the row that is annotated.
    """
    if not _was_shown(project):
        return Value(False, output_field=BooleanField())
    return Exists(Highlight.objects.filter(pair=OuterRef("pair"), made__lte=OuterRef(changed)))


def _was_shown(project: Project) -> bool:
    """Whether the project has shown a run at any time since it has highlights, going by its history."""
    if options_of(project).highlights_run:
        return True
    first = Highlight.objects.filter(pair__project=project).aggregate(first=Min("made"))["first"]
    if first is None:
        return False
    # In force since then are the settings of the last change before it and all later ones.
    for at, settings in project.history.order_by("-history_date").values_list("history_date", "settings"):
        if settings.get("highlights_run", LATEST):
            return True
        if at <= first:
            break
    return False


def often_dismissed(project: Project) -> set[str]:
    """Digests of the words that annotators of a project have dismissed as suggestions three times or more."""
    return {phrase for (phrase,) in _OFTEN.rows(project=project.pk)}


_OFTEN: PreparedQuery[tuple[str]] = PreparedQuery(
    lambda project: (
        Dismissal.objects.filter(project=project)
        .order_by()
        .values("phrase")
        .annotate(times=Count("pk"))
        .filter(times__gte=MIN_DISMISSALS)
        .values_list("phrase")
    ),
    project=int,
)


def proposals_shown(highlight: Highlight, dismissed: Collection[str]) -> list[dict[str, Any]]:
    """The suggestions of a highlight without those whose words are dismissed repeatedly.

    Those that the annotator dismissed here are kept, so that they can be restored. A label that was removed from the
    scheme since the run is not suggested.
    """
    if not highlight.proposals:
        return []
    often = often_dismissed(highlight.pair.project)
    keys = {label["key"] for label in highlight.pair.project.scheme.get("labels", ())}
    return [
        each
        for each in highlight.proposals
        if each.get("label") in keys and (each.get("phrase") not in often or each.get("id") in dismissed)
    ]
