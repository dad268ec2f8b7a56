"""The failures of a run, pair by pair: which failed, which got no result, and which answers had problems.

Models of assist are looked up by name: agreement doesn't import it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.models import Count, Sum

from annotation.models import Project

FAILURES = ("repaired", "unusable", "padded")
"""Problems that answers of language models may have: repaired, unreadable, words without a label."""
DENOMINATORS = {"repaired": "answers", "unusable": "answers", "padded": "tokens"}
"""The total that each problem is counted against."""


@dataclass(frozen=True, slots=True)
class RunFailures:
    """The failures of a run: of the pairs that it has processed, how many failed, and how many got no result;
    answers of a language model.

    `no_result` counts pairs. `faulty` maps each kind of problem to the number of answers (or tokens) that have it and
    the total; it is empty for other methods.
    """

    run: str
    method: str
    pairs: int
    failed: int
    no_result: int
    faulty: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class RunPair:
    """A pair that a run has processed: why it failed ('' if it did not), whether it got no result, and, for
    language models, the number of faulty answers by kind and the total.
    """

    pair: int
    failed: str
    no_result: bool
    faulty: Mapping[str, tuple[int, int]]


def run_failures(project: Project) -> list[RunFailures]:
    """Every run's failures, oldest first."""
    runs = _model("Run").filter(project=project).order_by("requested", "pk")
    found = []
    for pk, slug, method, done, failed, report in runs.values_list("pk", "slug", "method", "done", "failed", "report"):
        sums = (
            _model("LlmOutcome")
            .filter(run=pk)
            .aggregate(rows=Count("pk"), **{name: Sum(name) for name in (*FAILURES, "answers", "tokens")})
        )
        faulty = {name: (sums[name], sums[of]) for name, of in DENOMINATORS.items()} if sums["rows"] else {}
        processed = done + failed
        no_result = min(processed, len(_pairs_without_source(report)))
        found.append(RunFailures(slug, method, processed, failed, no_result, faulty))
    return found


def run_pairs(project: Project, run: str) -> list[RunPair] | None:
    """The pairs that a run has processed, by key; None if there is no such run."""
    found = _model("Run").filter(project=project, slug=run).values_list("pk", "report").first()
    if found is None:
        return None
    key, report = found
    failures: dict[int, str] = {}
    processed: set[int] = set()
    for pairs, why in _model("Lot").filter(run=key, finished__isnull=False).values_list("pairs", "failures"):
        processed.update(pairs)
        failures.update((int(pk), reason) for pk, reason in why.items())
    no_result = _pairs_without_source(report)
    columns = ("pair", *FAILURES, "answers", "tokens")
    outcomes = {row["pair"]: row for row in _model("LlmOutcome").filter(run=key).values(*columns)}
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


def _pairs_without_source(report: Mapping[str, Any]) -> set[int]:
    """The pairs that a run found nothing to carry over to."""
    return {int(pk) for pk, sources in report.get("sources", {}).items() if not sources}


def _model(name: str) -> Any:
    return apps.get_model("assist", name)._default_manager
