"""The runs of a project as other apps read them (`annotation.selectors.runs`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, Sum

from annotation.models import Project
from annotation.selectors.runs import DENOMINATORS, FAILURES, RunFailures, RunOrigin, RunPair
from assist.models import LlmOutcome, Lot, Run
from assist.phrases.run_phrases import read_phrase
from assist.runs.method_reports import SOURCES


class ProjectRuns:
    """A `RunReader`."""

    def __init__(self, project: Project) -> None:
        self._runs = Run.objects.filter(project=project)

    def state(self) -> list[tuple[int, int, int, str]]:
        return list(self._runs.order_by("pk").values_list("pk", "done", "failed", "digest"))

    def settings(self) -> dict[str, dict[str, Any]]:
        return dict(self._runs.values_list("slug", "settings"))

    def origin(self, run: str) -> RunOrigin | None:
        found = self._runs.filter(slug=run).values_list("requested", "report").first()
        return RunOrigin(found[0], found[1].get(SOURCES, {})) if found else None

    def first_requested(self, method: str) -> datetime | None:
        first: datetime | None = self._runs.filter(method__startswith=method).aggregate(at=Min("requested"))["at"]
        return first

    def failures(self) -> list[RunFailures]:
        runs = self._runs.order_by("requested", "pk")
        found = []
        for pk, slug, method, done, failed, report in runs.values_list(
            "pk", "slug", "method", "done", "failed", "report"
        ):
            sums = LlmOutcome.objects.filter(run=pk).aggregate(
                rows=Count("pk"), **{name: Sum(name) for name in (*FAILURES, "answers", "tokens")}
            )
            faulty = {name: (sums[name], sums[of]) for name, of in DENOMINATORS.items()} if sums["rows"] else {}
            processed = done + failed
            no_result = min(processed, len(_pairs_without_source(report)))
            found.append(RunFailures(slug, method, processed, failed, no_result, faulty))
        return found

    def pairs(self, run: str) -> list[RunPair] | None:
        found = self._runs.filter(slug=run).values_list("pk", "report").first()
        if found is None:
            return None
        key, report = found
        failures: dict[int, str] = {}
        processed: set[int] = set()
        for pairs, why in Lot.objects.filter(run=key, finished__isnull=False).values_list("pairs", "failures"):
            processed.update(pairs)
            failures.update((int(pk), read_phrase(reason).text()) for pk, reason in why.items())
        no_result = _pairs_without_source(report)
        columns = ("pair", *FAILURES, "answers", "tokens")
        outcomes = {row["pair"]: row for row in LlmOutcome.objects.filter(run=key).values(*columns)}
        return [
            RunPair(
                pk,
                failures.get(pk, ""),
                pk in no_result,
                {name: (outcomes[pk][name], outcomes[pk][of]) for name, of in DENOMINATORS.items()}
                if pk in outcomes
                else {},
            )
            for pk in sorted(processed | no_result | set(outcomes))
        ]


def counts_for_deletion(project: Project) -> dict[str, int]:
    """How many runs a project has."""
    return {"runs": Run.objects.filter(project=project).count()}


def _pairs_without_source(report: Mapping[str, Any]) -> set[int]:
    """The pairs that a run found nothing to carry over to."""
    return {int(pk) for pk, sources in report.get(SOURCES, {}).items() if not sources}
