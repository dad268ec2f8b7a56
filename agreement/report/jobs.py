"""Reports as a kind of job: what workers compute, and how it is rendered for its page."""

from __future__ import annotations

from functools import partial

from agreement.models import IS_ANALYSES, CachedReport
from agreement.report.page import body_of
from agreement.report.services import reports
from agreement.report.services.cached_reports import failed_fields
from annotation.services.jobs import JobKind

REPORTS = JobKind(
    name=reports.REPORT_JOBS,
    unfinished=lambda: (
        CachedReport.objects.exclude(requested_fingerprint="")
        .exclude(IS_ANALYSES)
        .select_related("project")
        .order_by("pk")
    ),
    perform=partial(reports.report_perform, body_of=body_of),
    failed=failed_fields,
    language=lambda row: row.language,
)
