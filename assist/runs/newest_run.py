"""Which run is shown if nobody chose one: asked whenever a pair is opened, so it imports no method."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from annotation.cached_statements import PreparedQuery
from annotation.models import Project
from assist.models import MethodOutput, Run


def newest_finished(project: Project) -> str:
    """The slug of the finished run that was requested last, or of the newest one with highlights if none has finished.

    In the order of requests, so that a run that is extended or retrained, as automation does, replaces none. '' if no
    run has made any.
    """
    row = _NEWEST.first(project=project.pk)
    return row[0] if row else ""


def _newest(project: int) -> QuerySet[Run, Any]:
    finished = Q(first_finished__isnull=False)
    rows = Run.objects.filter(finished | Q(done__gt=0), project=project, gives=MethodOutput.HIGHLIGHTS)
    newest = rows.alias(unfinished=~finished).order_by("unfinished", "-requested", "-pk")
    return newest.values_list("slug")[:1]


_NEWEST: PreparedQuery[tuple[str]] = PreparedQuery(_newest, project=int)
