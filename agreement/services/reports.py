"""Reports kept for the page: computed once for a state of the work, by a worker where the work is much."""

from __future__ import annotations

import hashlib
import logging
import time
from collections import OrderedDict
from datetime import timedelta
from threading import Lock
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language, override

from agreement.metrics.documents import Collection
from agreement.models import CachedReport
from agreement.page import body_of
from agreement.report.disputes import Dispute, disputes
from agreement.reports import View, agreement_report
from annotation.models import Annotation, Project, Source

logger = logging.getLogger(__name__)

VERSION = "8"
AT_ONCE = 1500
"""Up to so many annotations a report is computed while the page waits."""
REMEMBERED = 4
_remembered: OrderedDict[str, tuple[Collection, list[Dispute]]] = OrderedDict()
_lock = Lock()
STALE_CLAIM = timedelta(minutes=5)


def fingerprint(project: Project, view: View) -> str:
    """What a report rests on: scheme, and every human annotation's revision and verdict in the phase."""
    rows = (
        Annotation.objects.filter(pair__project=project, source=Source.HUMAN, assignment__phase=view.phase)
        .order_by("pk")
        .values_list("pk", "revision", "verdict", "assignment__annotator__alias")
    )
    state = hashlib.sha256(f"{VERSION} {project.pk} {view} {project.scheme}".encode())
    for row in rows.iterator(chunk_size=2000):
        state.update(repr(row).encode())
    return state.hexdigest()


def disputes_seen(project: Project, view: View) -> tuple[Collection, list[Dispute]]:
    """What people disagree on in a view, remembered by this process while the work stays as it is."""
    key = fingerprint(project, view)
    with _lock:
        if key in _remembered:
            _remembered.move_to_end(key)
            return _remembered[key]
    collection = view.of(project)
    found = collection, disputes(collection)
    with _lock:
        _remembered[key] = found
        while len(_remembered) > REMEMBERED:
            _remembered.popitem(last=False)
    return found


def report_ask(*, project: Project, view: View) -> tuple[CachedReport, bool]:
    """The kept report in the reader's language, and whether it is of the work as it stands.

    One that is not is computed here and now where there is little work; else it is asked for, the workers are told, and
    the older one is returned for the page to show with that said.
    """
    current = fingerprint(project, view)
    language = get_language() or settings.LANGUAGE_CODE
    row = CachedReport.objects.get_or_create(project=project, view=str(view), language=language)[0]
    if row.body is not None and row.fingerprint == current:
        return row, True
    size = Annotation.objects.filter(pair__project=project, source=Source.HUMAN, assignment__phase=view.phase).count()
    if size <= AT_ONCE:
        return report_compute(row, view, current), True
    if row.asked != current:
        row.asked, row.claimed, row.problem = current, None, ""
        row.save(update_fields=["asked", "claimed", "problem"])
    return row, False


def report_compute(row: CachedReport, view: View, current: str) -> CachedReport:
    """Compute and keep the report of a view, in the language of its row."""
    started = time.monotonic()
    with override(row.language):
        body: dict[str, Any] = body_of(row.project, agreement_report(row.project, view=view), view)
    row.body, row.fingerprint, row.made = body, current, timezone.now()
    row.seconds, row.asked, row.claimed, row.problem = time.monotonic() - started, "", None, ""
    row.save()
    return row


def reports_work() -> int:
    """Compute what pages wait for, one after another; returns how many. Any worker may call it at any time.

    A claim older than a few minutes is that of a worker that died, and is taken over. A report that fails keeps the
    reason for its page and is not tried again until the work changes.
    """
    done = 0
    while (row := _claim()) is not None:
        view = View.asked(row.view)
        try:
            report_compute(row, view, fingerprint(row.project, view))
        except Exception as error:
            logger.exception("report %s", row)
            CachedReport.objects.filter(pk=row.pk).update(
                asked="", claimed=None, problem=f"{type(error).__name__}: {error}"
            )
        done += 1
    return done


@transaction.atomic
def _claim() -> CachedReport | None:
    waiting = CachedReport.objects.select_for_update(of=("self",)).exclude(asked="").select_related("project")
    dead = timezone.now() - STALE_CLAIM
    for row in waiting.order_by("pk"):
        if row.claimed is None or row.claimed < dead:
            row.claimed = timezone.now()
            row.save(update_fields=["claimed"])
            return row
    return None
