"""Cached reports: computed once for a state of the work, by a worker if there is much work.

With a report, a worker stores what the lists behind its numbers and the downloads need, so that a web process computes
none of it.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F
from django.utils.translation import get_language, override

from agreement.metrics.base import METRICS
from agreement.metrics.documents import Collection
from agreement.models import CachedReport, ReportData
from agreement.report.compute.disputes import Dispute, disputes
from agreement.report.compute.serialized import from_bytes, to_bytes
from agreement.report.files import files_of
from agreement.report.project_report import Report, agreement_report
from agreement.report.scope import Scope
from agreement.report.services.cached_reports import (
    cached_report_request,
    cached_report_write,
    computed_fields,
)
from annotation.models import Annotation, Project, Source
from annotation.selectors.export_records import published_aliases
from annotation.services.claims import Heartbeat, claim_finish

VERSION = "16"
REPORT_JOBS = "reports"
"""The name of the kind of job that computes a report."""
BodyOf = Callable[[Project, Report, Sequence[Dispute]], dict[str, Any]]
"""What makes, of a report and its disputes, the body that is stored for its page: see `report.page`."""
MAX_SYNC_ANNOTATIONS, MAX_SYNC_PEOPLE = 1500, 8
"""Up to this many annotations, by this many people, reports, lists, files and dry runs are computed at once."""
CACHE_SIZE = 4
_cache: OrderedDict[str, tuple[Collection, list[Dispute]]] = OrderedDict()
_lock = Lock()


def fingerprint(project: Project, scope: Scope) -> str:
    """A digest of what a report is based on: metrics, scheme, and the phase's human annotations (revision, verdict)."""
    rows = (
        Annotation.objects.filter(pair__project=project, source=Source.HUMAN, assignment__phase=scope.phase)
        .order_by("pk")
        .values_list("pk", "revision", "verdict", "assignment__annotator__alias")
    )
    # PostgreSQL returns the keys of a JSON object in its own order.
    scheme = json.dumps(project.scheme, sort_keys=True)
    state = hashlib.sha256(f"{VERSION} {','.join(METRICS)} {project.pk} {scope} {scheme}".encode())
    for row in rows.iterator(chunk_size=2000):
        state.update(repr(row).encode())
    return state.hexdigest()


class NotComputed(Exception):
    """What a page shows is not computed yet: `report` is requested from the workers, or its `problem` says why not."""

    def __init__(self, report: CachedReport) -> None:
        super().__init__(f"{report} is not computed")
        self.report = report


def disputes_of_scope(project: Project, scope: Scope) -> tuple[Collection, list[Dispute]]:
    """What people disagree on in a scope, cached by this process until the work changes.

    Raises NotComputed if there is much work and no worker has computed its report yet.
    """
    key = fingerprint(project, scope)
    with _lock:
        if key in _cache:
            _cache.move_to_end(key)
            return _cache[key]
    computed: tuple[Collection, list[Dispute]]
    if is_small(project, scope.phase):
        collection = scope.of(project)
        computed = collection, disputes(collection)
    else:
        computed = from_bytes(bytes(_data(project, scope, key).work))
    with _lock:
        _cache[key] = computed
        while len(_cache) > CACHE_SIZE:
            _cache.popitem(last=False)
    return computed


def report_files(project: Project, scope: Scope) -> dict[str, str]:
    """The report's downloads by ending, in the language that is active. Raises NotComputed as `disputes_of_scope` does.

    Annotators have the names under which they are published.
    """
    if is_small(project, scope.phase):
        return files_of(agreement_report(project, scope=replace(scope, names=published_aliases(project))))
    files: dict[str, str] = _data(project, scope, fingerprint(project, scope), language=_language()).files
    return files


def _data(project: Project, scope: Scope, current: str, **filters: str) -> ReportData:
    """What a worker stored with the report of a scope. Raises NotComputed."""
    own = {f"report__{name}": value for name, value in filters.items()}
    stored = ReportData.objects.filter(
        report__project=project, report__view=str(scope), report__fingerprint=current, **own
    ).first()
    if stored is None:
        raise NotComputed(cached_report_request(_row(project, scope), current, REPORT_JOBS))
    return stored


def is_small(project: Project, phase: str) -> bool:
    """Whether a page can wait for a report: its time grows with the annotations, and with who can be compared."""
    annotations = Annotation.objects.filter(pair__project=project, source=Source.HUMAN, assignment__phase=phase)
    size = annotations.aggregate(annotations=Count("pk"), people=Count("assignment__annotator", distinct=True))
    return bool(size["annotations"] <= MAX_SYNC_ANNOTATIONS and size["people"] <= MAX_SYNC_PEOPLE)


def _language() -> str:
    return get_language() or settings.LANGUAGE_CODE


def _row(project: Project, scope: Scope) -> CachedReport:
    return CachedReport.objects.get_or_create(project=project, view=str(scope), language=_language())[0]


def report_request(
    *, project: Project, scope: Scope, body_of: BodyOf, retry: bool = False
) -> tuple[CachedReport, bool]:
    """The cached report in the reader's language, and whether it is of the current work.

    An outdated one is recomputed immediately if there is little work; otherwise it is requested from the workers, and
    the old one is returned for the page to show as outdated. A report that could not be computed is not requested again
    until the work changes, or with `retry`.
    """
    current = fingerprint(project, scope)
    row = _row(project, scope)
    if row.body is not None and row.fingerprint == current:
        return row, True
    if is_small(project, scope.phase):
        # Wait for a locked database now, not after the report has been computed.
        CachedReport.objects.filter(pk=row.pk).update(seconds=F("seconds"))
        return cached_report_write(row, report_compute(row, scope, current, body_of)[0]), True
    return cached_report_request(row, current, REPORT_JOBS, retry=retry), False


def report_compute(
    row: CachedReport, scope: Scope, current: str, body_of: BodyOf
) -> tuple[dict[str, Any], Report, list[Dispute]]:
    """Compute a scope's report in the language of its row; returns the fields to keep, the report, its disputes."""
    started = time.monotonic()
    with override(row.language):
        report = agreement_report(row.project, scope=scope)
        disputed = disputes(report.collection)
        body = body_of(row.project, report, disputed)
    return computed_fields(body, current, time.monotonic() - started), report, disputed


def report_perform(row: CachedReport, _heartbeat: Heartbeat, *, body_of: BodyOf) -> None:
    """Compute a requested report, and what the lists behind its numbers and the downloads need."""
    scope = Scope.parse(row.view)
    fields, report, disputed = report_compute(row, scope, fingerprint(row.project, scope), body_of)
    data = {
        "work": to_bytes(report.collection, disputed),
        # Downloads are always in English.
        "files": _files(row.project, scope, report) if row.language == "en" else {},
    }
    with transaction.atomic():
        claim_finish(row, **fields)
        ReportData.objects.update_or_create(report=row, defaults=data)


def _files(project: Project, scope: Scope, report: Report) -> dict[str, str]:
    """The downloads of a report, which is computed again if annotators are published under other names."""
    names = published_aliases(project)
    if any(alias != name for alias, name in names.items()):
        report = agreement_report(project, scope=replace(scope, names=names))
    return files_of(report)
