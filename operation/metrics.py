"""Metrics for Prometheus: what web processes count, and what the database says of jobs and workers.

With several web processes each counts in files of `PROMETHEUS_MULTIPROC_DIR`, which config/metrics_folder.py sets, and
whichever gets the request adds them up.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from annotation.selectors.workers import workers_alive

REGISTRY = CollectorRegistry()
REQUESTS = Counter("diptych_requests", "Requests answered.", ["view", "method", "status"], registry=REGISTRY)
SECONDS = Histogram(
    "diptych_request_seconds",
    "Time until a response was ready.",
    ["view"],
    registry=REGISTRY,
    buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30),
)
SAVES = Counter("diptych_saves", "Annotations and gold saved from the workspace.", registry=REGISTRY)
CONFLICTS = Counter(
    "diptych_save_conflicts", "Saves answered with 409, because there was newer work.", registry=REGISTRY
)
_SAVING = ("api-annotation", "api-manual-adjudication-annotation")


def count(view: str, method: str, status: int, seconds: float) -> None:
    """Count one request. `view` is the name of its URL, so that there are as many series as URLs."""
    REQUESTS.labels(view, method, status).inc()
    SECONDS.labels(view).observe(seconds)
    if view in _SAVING and method == "PUT":
        if status == 200:
            SAVES.inc()
        elif status == 409:
            CONFLICTS.inc()


class Jobs(Collector):
    """Read from the database at every request."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        # This module is loaded with every web process, and the jobs of all apps with most of what they import.
        from operation.jobs import loads, pairs_per_minute

        families = {
            name: GaugeMetricFamily(f"diptych_jobs_{name}", text, labels=["kind"])
            for name, text in (
                ("waiting", "Jobs that no worker has started; of runs, lots."),
                ("running", "Jobs that a worker holds; of runs, lots."),
                ("failed", "Jobs that failed and were not retried; of runs, whole runs."),
                ("oldest_seconds", "How long ago the job that waits longest was requested."),
            )
        }
        for load in loads():
            families["waiting"].add_metric([load.kind.name], load.waiting)
            families["running"].add_metric([load.kind.name], load.running)
            families["failed"].add_metric([load.kind.name], load.failed)
            families["oldest_seconds"].add_metric([load.kind.name], load.age or 0)
        yield from families.values()
        rate = "Pairs that workers pre-labelled a minute, in the last five minutes."
        yield GaugeMetricFamily("diptych_run_pairs_per_minute", rate, value=pairs_per_minute())
        yield GaugeMetricFamily("diptych_workers", "Workers that are running.", value=len(workers_alive()))
        free = shutil.disk_usage(settings.DATA_DIR).free
        yield GaugeMetricFamily("diptych_data_free_bytes", "Free space of the data folder.", value=free)


def exposition() -> bytes:
    """Everything, in the text format of Prometheus."""
    registry = CollectorRegistry()
    registry.register(Jobs())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
    return generate_latest(REGISTRY) + generate_latest(registry)
