"""What workers poll for in this app: requested reports, analyses, dry runs, gold and publications."""

from __future__ import annotations

from agreement.gold.rule_previews import DRY_RUNS
from agreement.gold.services.jobs import GOLD
from agreement.prelabel_eval.analyses_jobs import ANALYSES_JOBS
from agreement.publication.services.publications import PUBLICATIONS, publications_run
from agreement.report.jobs import REPORTS
from annotation.polling import poll_for
from annotation.services.jobs import jobs_run

poll_for(REPORTS.name, lambda queues, stop: jobs_run(REPORTS, stop))
poll_for(ANALYSES_JOBS.name, lambda queues, stop: jobs_run(ANALYSES_JOBS, stop))
poll_for(DRY_RUNS.name, lambda queues, stop: jobs_run(DRY_RUNS, stop))
poll_for(GOLD.name, lambda queues, stop: jobs_run(GOLD, stop))
poll_for(PUBLICATIONS.name, lambda queues, stop: publications_run(stop))
