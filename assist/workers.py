"""What workers poll for: lots of runs, automatic runs, word lists, articles and encoders to compare, items to make."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.conf import settings

from annotation.polling import poll_for, poll_now
from annotation.services.jobs import jobs_run
from assist.encoder_comparisons.jobs import COMPARISONS, comparisons_run
from assist.item_requests.jobs import GENERATION_JOBS, generation_jobs_run
from assist.mining_requests.jobs import MINING_JOBS, mining_jobs_run
from assist.models import Queue
from assist.runs import processing
from assist.runs.automatic import prelabel_automatically
from assist.runs.services import RUNS
from assist.runs.word_lists import WORD_LISTS

QUEUES = tuple(Queue.values)


def process_waiting_lots(queues: Sequence[str], stop: Callable[[], bool]) -> int:
    """Process the lots that are waiting in these queues."""
    return processing.lots_process([queue for queue in queues if queue in QUEUES], stop=stop)


def automatic(queues: Sequence[str], stop: Callable[[], bool]) -> None:
    """Request the runs of projects with automatic pre-labelling."""
    if prelabel_automatically():
        poll_now(RUNS)


poll_for(RUNS, process_waiting_lots, queues=QUEUES, threads=settings.PRELABEL_METHODS_AT_ONCE)
poll_for("automatic runs", automatic, queues=QUEUES)
poll_for(WORD_LISTS.name, lambda queues, stop: jobs_run(WORD_LISTS, stop))
poll_for(MINING_JOBS.name, lambda queues, stop: mining_jobs_run(stop))
poll_for(GENERATION_JOBS.name, lambda queues, stop: generation_jobs_run(stop))
poll_for(COMPARISONS.name, lambda queues, stop: comparisons_run(stop), queues=QUEUES)
