"""Reads of runs: progress, speed, failures, and whether any worker is running."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import ACTIVE_JOB, Annotation, Highlight, Pair, Project, Source, Verdict
from annotation.phrases import Phrase
from annotation.project_options import LATEST
from annotation.selectors.annotations import IS_GOLD
from annotation.selectors.highlights import displayed_run
from annotation.selectors.projects import options_of
from annotation.selectors.workers import workers_alive
from annotation.settings_model import Settings
from assist.methods.base import Method, MethodError, create, method
from assist.models import Lot, LotStatus, Run
from assist.phrases.run_phrases import read_phrase
from assist.runs.method_reports import SOURCES

RECENT_LOTS = 20
CHUNK = 500


@dataclass(frozen=True, slots=True)
class PairFailure:
    """A pair (by its external id) that a run failed on, and why."""

    pair: str
    why: Phrase


@dataclass(frozen=True, slots=True)
class RunProgress:
    """A run's progress: percentage, pairs per second in its latest lots, seconds remaining; None if unknown."""

    percent: int
    rate: float | None
    seconds_left: float | None
    working: int
    unattended: bool

    @property
    def per_minute(self) -> float | None:
        return None if self.rate is None else 60 * self.rate


def run_list(project: Project) -> QuerySet[Run]:
    """The project's runs, newest first, without their training data."""
    return Run.objects.filter(project=project).select_related("project", "requested_by").defer("training")


def run_get(project: Project, slug: str) -> Run:
    """Raises NotFound."""
    run = run_list(project).filter(slug=slug).first()
    if run is None:
        raise NotFound(_("There is no run “%(slug)s” in this project.") % {"slug": slug}, where=project.slug)
    return run


def pair_languages(project: Project) -> list[tuple[str, str]]:
    """The languages (of A, of B) of the project's pairs, each combination once."""
    return sorted(set(Pair.objects.filter(project=project).values_list("a__language", "b__language").distinct()))


def project_labelled(project: Project) -> bool:
    """Whether any pair has gold or submitted work."""
    rows = Annotation.objects.filter(pair__project=project)
    return (rows.filter(IS_GOLD) | rows.filter(source=Source.HUMAN, verdict=Verdict.SUBMITTED)).exists()


def run_trains(run: Run, labelled: bool) -> bool:
    """Whether the run's method learns from the project's own pairs, so that retraining makes sense."""
    try:
        return create(run.method, run.settings).trains(labelled)
    except MethodError:
        # A method that is no longer there cannot be trained; its highlights stay.
        return False


def run_settings(run: Run) -> type[Settings] | None:
    """The model of the run's settings; None if its method no longer exists."""
    try:
        return method(run.method).Settings
    except MethodError:
        return None


def missing_packages_note(cls: type[Method[Any, Any]]) -> str:
    """A sentence on the packages that a method lacks here, and how to install them; '' if none are missing."""
    missing = cls.missing_packages()
    if not missing:
        return ""
    return _(
        "%(method)s needs packages that are not installed on this machine (%(packages)s): run script/setup without "
        "--core."
    ) % {"method": cls.name, "packages": ", ".join(missing)}


def run_progress(run: Run) -> RunProgress:
    """A run's progress, from its counts and its latest lots."""
    settled = run.done + run.failed
    active = run.status in ACTIVE_JOB
    rate = _rate(run)
    left = (run.total - settled) / rate if rate and active else None
    live = timezone.now() - timedelta(seconds=settings.JOB_LEASE_SECONDS)
    return RunProgress(
        percent=100 * settled // run.total if run.total else 0,
        rate=rate,
        seconds_left=left,
        working=Lot.objects.filter(run=run, status=LotStatus.CLAIMED, heartbeat__gte=live).count() if active else 0,
        unattended=active and not workers_alive(run.queue),
    )


def _rate(run: Run) -> float | None:
    """Pairs per second in the latest finished lots, over the time in which at least one worker was busy."""
    lots = Lot.objects.filter(run=run, status=LotStatus.DONE, claimed__isnull=False, finished__isnull=False)
    pairs, busy, end = 0, 0.0, None
    times = [(lot.claimed, lot.finished, len(lot.pairs)) for lot in lots.order_by("-finished")[:RECENT_LOTS]]
    for claimed, finished, count in sorted((begin, done, n) for begin, done, n in times if begin and done):
        begin = max(claimed, end) if end else claimed
        pairs += count
        busy += max(0.0, (finished - begin).total_seconds())
        end = max(finished, end) if end else finished
    return pairs / busy if busy > 0 else None


@dataclass(frozen=True, slots=True)
class ShownRun:
    """The run whose highlights annotators see.

    slug: '' for none. chosen: whether a lead chose it; if not, it is the newest. ready: pairs with its highlights.
    uncovered: pairs that it was never requested for, imported later. run: None if only its highlights are there.
    """

    slug: str
    chosen: bool
    ready: int
    uncovered: int
    run: Run | None

    @property
    def active(self) -> bool:
        return self.run is not None and self.run.status in ACTIVE_JOB


def shown_run(project: Project) -> ShownRun:
    """The run that annotators see in a project, and how much of the project it covers."""
    options = options_of(project)
    slug, chosen = displayed_run(project, options), options.highlights_run != LATEST
    if not slug:
        return ShownRun("", chosen, 0, 0, None)
    run = run_list(project).filter(slug=slug).first()
    pairs = set(Pair.objects.filter(project=project).values_list("pk", flat=True)) if run else set()
    return ShownRun(
        slug=slug,
        chosen=chosen,
        ready=Highlight.objects.filter(pair__project=project, run=slug).count(),
        uncovered=len(pairs - run_pairs(run)) if run else 0,
        run=run,
    )


def run_pairs(run: Run) -> set[int]:
    """The keys of the pairs that a run was requested for."""
    return {pk for pairs in Lot.objects.filter(run=run).values_list("pairs", flat=True) for pk in pairs}


def run_failures(run: Run) -> list[PairFailure]:
    """Every pair that the run failed on, in the project's order."""
    why: dict[int, Phrase] = {}
    for failures in Lot.objects.filter(run=run).exclude(failures={}).values_list("failures", flat=True):
        why.update((int(pk), read_phrase(reason)) for pk, reason in failures.items())
    pairs = Pair.objects.filter(pk__in=why).order_by("position", "pk").values_list("pk", "external_id")
    return [PairFailure(name, why[pk]) for pk, name in pairs]


def run_without_source(run: Run) -> list[str]:
    """The pairs (their external ids) that a run found no source of labels for, in the project's order."""
    without = [int(pk) for pk, sources in run.report.get(SOURCES, {}).items() if not sources]
    names: list[str] = []
    for start in range(0, len(without), CHUNK):
        pairs = Pair.objects.filter(project=run.project_id, pk__in=without[start : start + CHUNK])
        names.extend(pairs.order_by("position", "pk").values_list("external_id", flat=True))
    return names
