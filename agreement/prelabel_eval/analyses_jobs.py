"""The analyses of a project, computed once for a state of its data: by a worker if there is much of it.

They are stored like reports, under views of their own: the page, and each list behind one of its figures.
"""

from __future__ import annotations

import hashlib
import json
import time
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, QuerySet, Sum
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from agreement.models import ANALYSES, IS_ANALYSES, MAX_VIEW_LENGTH, CachedReport
from agreement.prelabel_eval.analyses import analyses
from agreement.prelabel_eval.analyses_lists import FigurePart, pair_list_of
from agreement.prelabel_eval.analyses_panel import analyses_body
from agreement.report.services.cached_reports import (
    cached_report_request,
    cached_report_write,
    computed_fields,
    failed_fields,
)
from agreement.selectors import gold_annotations, gold_newest
from annotation.errors import NotFound
from annotation.models import Annotation, Highlight, Project, Source
from annotation.progress import ignore_progress
from annotation.selectors.runs import run_reader
from annotation.services.claims import Heartbeat, claim_finish
from annotation.services.jobs import JobKind

VERSION = "4"
MAX_SYNC_ROWS = 300
"""Up to this many highlights and submissions together, a page waits for the analyses."""


def state_of(project: Project) -> str:
    """A digest of what the analyses are of: scheme, gold, people's work, highlights and runs."""
    gold = gold_newest(project)
    decided = (
        gold_annotations(project, gold).order_by().aggregate(n=Count("pk"), at=Max("changed"))
        if gold is not None
        else {}
    )
    annotations = _annotations(project).aggregate(n=Count("pk"), at=Max("changed"), revisions=Sum("revision"))
    highlights = Highlight.objects.filter(pair__project=project).aggregate(n=Count("pk"), at=Max("made"))
    runs = run_reader(project).state()
    scheme = json.dumps(project.scheme, sort_keys=True)
    return hashlib.sha256(repr([VERSION, scheme, gold, decided, annotations, highlights, runs]).encode()).hexdigest()


def is_small(project: Project) -> bool:
    """Whether a page can wait for the analyses."""
    return _annotations(project).count() + Highlight.objects.filter(pair__project=project).count() <= MAX_SYNC_ROWS


def _annotations(project: Project) -> QuerySet[Annotation]:
    return Annotation.objects.filter(pair__project=project, source=Source.HUMAN)


def analyses_request(
    *, project: Project, part: FigurePart | None = None, retry: bool = False
) -> tuple[CachedReport, bool]:
    """The stored analyses in the reader's language, or the list behind one `part` of them, which has no words; and
    whether they are of the current data.

    They are computed at once if there is little data, and otherwise requested from the workers. Analyses that could not
    be computed are not requested again until the data changes, or with `retry`.
    """
    current = state_of(project)
    language = settings.LANGUAGE_CODE if part else get_language() or settings.LANGUAGE_CODE
    key = f"{ANALYSES}?{part}" if part else ANALYSES
    if len(key) > MAX_VIEW_LENGTH:
        raise NotFound(_("There is no such figure."), where=project.name)
    row = CachedReport.objects.get_or_create(project=project, view=key, language=language)[0]
    if row.body is not None and row.fingerprint == current:
        return row, True
    if is_small(project):
        return cached_report_write(row, _computed_fields(row, current)), True
    return cached_report_request(row, current, ANALYSES_JOBS.name, retry=retry), False


def _computed_fields(row: CachedReport, current: str, heartbeat: Heartbeat | None = None) -> dict[str, Any]:
    """The fields of a computed row, in the language of the row."""
    started = time.monotonic()
    with override(row.language):
        on_progress = (lambda _n: heartbeat.check()) if heartbeat else ignore_progress
        if row.view == ANALYSES:
            _forget_lists(row.project, current)
            body = analyses_body(row.project, analyses(row.project, on_progress=on_progress))
        else:
            pairs = pair_list_of(row.project, FigurePart.parse(row.view.partition("?")[2]), on_progress)
            body = {"list": pairs.to_json() if pairs else None}
    return computed_fields(body, current, time.monotonic() - started)


def _forget_lists(project: Project, current: str) -> None:
    """Delete the lists of earlier states of the data, so that those which nobody opens again don't pile up."""
    lists = CachedReport.objects.filter(project=project, view__startswith=f"{ANALYSES}?", requested_fingerprint="")
    lists.exclude(fingerprint=current).delete()


def _perform(row: CachedReport, heartbeat: Heartbeat) -> None:
    fields = _computed_fields(row, state_of(row.project), heartbeat)
    with transaction.atomic():
        claim_finish(row, **fields)


ANALYSES_JOBS = JobKind(
    name="analyses",
    unfinished=lambda: (
        CachedReport.objects.filter(IS_ANALYSES)
        .exclude(requested_fingerprint="")
        .select_related("project")
        .order_by("pk")
    ),
    perform=_perform,
    failed=failed_fields,
    language=lambda row: row.language,
)
