"""Writes of runs. Services write rows and notify workers, which do the work."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from django.conf import settings as settings_of_site
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid, NotFound
from annotation.job_notifications import notify
from annotation.models import ACTIVE_JOB, JobStatus, Project, User
from annotation.selectors.projects import options_of
from annotation.services.archive_check import changes_project
from annotation.services.projects import project_change
from assist.methods.base import Method
from assist.models import Lot, LotStatus, Queue, Run
from assist.phrases.run_phrases import ALL_AGAIN, CANCELLED, NO_PERSON, PAUSED, REQUESTED, TO_DO, TRIED_AGAIN, WAITING
from assist.runs.lots import log_line, lots_create, lots_prioritise, lots_reset, next_pairs, run_finalize
from assist.runs.method_choice import method_class, method_for, run_slug
from assist.runs.method_inputs import snapshot, word_list_snapshot
from assist.runs.selectors import (
    missing_packages_note,
    pair_languages,
    project_labelled,
    run_pairs,
    run_trains,
)

RUNS = "runs"
"""What workers poll for, and are notified of, when lots are waiting."""
GROWTH = 2
"""When a project has this many times as many pairs as its model was fitted on, all pairs are predicted again."""


@changes_project()
def run_request(
    *,
    project: Project,
    method: str,
    settings: Mapping[str, Any] | None = None,
    by: User | None = None,
    notify_workers: bool = True,
    from_web: bool = False,
) -> Run:
    """Create the run of `method` with `settings` over the project's pairs, or extend it by the pairs it lacks.

    A repeated request does nothing, except that a failed or cancelled run is resumed. Raises Invalid if there is no
    such method or setting, or the project has no pairs. `from_web`: paths on the server are refused.
    """
    chosen = method_for(method, settings or {}, project.labels, from_web=from_web)
    check_models(project, chosen)
    with transaction.atomic():
        project = project_locked(project)
        if not project.pairs.exists():
            raise Invalid(_("There are no pairs to pre-label."), where=project.slug, hint=_("Import some first."))
        run, created = Run.objects.get_or_create(
            project=project,
            slug=run_slug(chosen, project.labels),
            defaults={
                "method": chosen.slug(),
                "gives": chosen.gives,
                "settings": chosen.settings.model_dump(),
                "queue": Queue.GPU if chosen.gpu else Queue.CPU,
                "requested_by": by,
            },
        )
        if created:
            log_line(run, REQUESTED.with_params(who=by.get_username() if by else NO_PERSON).text())
        _continue(run, project)
    _notify(run, notify_workers)
    return _reloaded(run)


def run_extend(*, run: Run, notify_workers: bool = True) -> Run:
    """Extend a run, with its method and settings, by the pairs it lacks; a failed or cancelled one is resumed.

    Raises Invalid if its packages or models are not there.
    """
    check_models(run.project, method_for(run.method, run.settings, run.project.labels))
    with transaction.atomic():
        project = project_locked(run.project)
        run = _reloaded(run)
        _continue(run, project)
    _notify(run, notify_workers)
    return _reloaded(run)


def _continue(run: Run, project: Project) -> None:
    _extend(run, project)
    if run.status in (JobStatus.FAILED, JobStatus.CANCELLED):
        _resume(run)


def check_models(project: Project, chosen: Method[Any, Any]) -> None:
    """Raises Invalid if the method's packages are not installed, or a model that the pairs need isn't available.

    Checked only if workers run on this machine, apart from the server that a language model runs on; if not, a worker
    finds out and fails the run at once.
    """
    check_installed(project, chosen)
    has_local = has_local_workers()
    reason = chosen.unavailable(pair_languages(project)) if has_local else chosen.server_problem()
    if reason:
        raise Invalid(
            _("%(method)s cannot be run: %(reason)s.") % {"method": chosen.name, "reason": reason.text(_)},
            code="model",
            where=project.slug,
        )


def check_installed(project: Project, chosen: Method[Any, Any]) -> None:
    """Raises Invalid if the method's packages are not installed; checked only if workers run on this machine."""
    if has_local_workers() and (reason := missing_packages_note(type(chosen))):
        raise Invalid(reason, code="packages", where=project.slug)


def has_local_workers() -> bool:
    """Whether workers run on this machine: the broker is a folder."""
    return bool(settings_of_site.CELERY_BROKER_URL.startswith("filesystem://"))


def run_pause(*, run: Run) -> Run:
    """Pause a run: no further lot is claimed, and those in progress are finished. Conflict if it isn't active."""
    if not Run.objects.filter(pk=run.pk, status__in=ACTIVE_JOB).update(status=JobStatus.PAUSED):
        raise _status_conflict(
            run, _("This run is %(status)s and can't be paused."), _("Only a queued or running run can be paused.")
        )
    log_line(run, PAUSED.text())
    return _reloaded(run)


def run_cancel(*, run: Run) -> Run:
    """Cancel the run: lots in progress are dropped at their next step, and highlights already written stay."""
    ended = Run.objects.filter(pk=run.pk, status__in=(*ACTIVE_JOB, JobStatus.PAUSED))
    if not ended.update(status=JobStatus.CANCELLED, finished=Now()):
        raise _status_conflict(run, _("This run is %(status)s and can't be cancelled."), _("It has already ended."))
    log_line(run, CANCELLED.text())
    return _reloaded(run)


def run_resume(*, run: Run, notify_workers: bool = True) -> Run:
    """Resume a paused, failed or cancelled run where it stopped, and retry the pairs that failed.

    Conflict if the run is waiting or running, or is done without failures.
    """
    with transaction.atomic():
        project_locked(run.project)
        run = _reloaded(run)
        if run.status in ACTIVE_JOB or (run.status == JobStatus.DONE and not run.failed):
            raise _status_conflict(
                run, _("This run is %(status)s and can't be resumed."), _("All pairs are already done.")
            )
        check_models(run.project, method_for(run.method, run.settings, run.project.labels))
        _retry_failures(run)
        _resume(run)
    _notify(run, notify_workers)
    return _reloaded(run)


def run_retrain(*, run: Run, notify_workers: bool = True) -> Run:
    """Fit the method again on all current pairs and annotations, and predict every pair with it.

    Highlights are replaced one by one, so that annotators always have some. Conflict while the run is active or
    paused, and if the method doesn't learn from the project's pairs.
    """
    with transaction.atomic():
        project = project_locked(run.project)
        run = _reloaded(run)
        if run.status in (*ACTIVE_JOB, JobStatus.PAUSED):
            raise _status_conflict(
                run, _("This run is %(status)s and can't be retrained."), _("Wait until it ends, or cancel it.")
            )
        check_installed(project, method_for(run.method, run.settings, project.labels))
        if not run_trains(run, project_labelled(project)):
            raise Conflict(
                _("%(method)s does not learn from the project, so it can't be retrained.") % {"method": run.method},
                code="status",
                where=run.slug,
                hint=_("Request the run again to pre-label new pairs."),
            )
        _extend(run, project, everything=True)
        if run.status != JobStatus.DONE:
            _resume(run)
    _notify(run, notify_workers)
    return _reloaded(run)


def run_show(*, run: Run) -> Run:
    """Show this run's highlights to annotators. Conflict if it has none yet, or makes none."""
    if not run.gives_highlights:
        raise Conflict(
            _("%(method)s makes translations, which annotators aren't shown.") % {"method": run.method},
            code="status",
            where=run.slug,
            hint=_("Retrain the runs of other methods, so that they use them."),
        )
    if not run.done:
        raise _status_conflict(run, _("This run is %(status)s and can't be shown."), _("It has no results yet."))
    options = replace(options_of(run.project), highlights_run=run.slug)
    project_change(project=run.project, name=run.project.name, options=options)
    return _reloaded(run)


@changes_project("run.project_id")
def run_perform_action(*, run: Run, action: str) -> Run:
    """Carry out a lead's action by name. NotFound if there is no such action."""
    actions: dict[str, Callable[..., Run]] = {
        "pause": run_pause,
        "resume": run_resume,
        "cancel": run_cancel,
        "extend": run_extend,
        "retrain": run_retrain,
        "show": run_show,
    }
    if action not in actions:
        raise NotFound(
            _("“%(action)s” is not an action for a run.") % {"action": action},
            hint=_("Available: %(names)s.") % {"names": ", ".join(actions)},
        )
    return actions[action](run=run)


def _extend(run: Run, project: Project, *, everything: bool = False) -> None:
    """Add lots for the pairs that the run lacks, and record the training data: all pairs and annotations there are now.

    With `everything`, or if there are far more pairs than the model was fitted on, every pair is predicted again.
    """
    pairs = list(project.pairs.order_by("position", "pk").values_list("pk", flat=True))
    existing = run_pairs(run)
    next_up = next_pairs(project.pk)
    new = sorted((pk for pk in pairs if pk not in existing), key=lambda pk: pk not in next_up)
    if not new and not everything:
        return
    full = run.training.get("full", 0)
    everything = everything or 0 < GROWTH * full <= len(pairs)
    if everything:
        lots_reset(run)
        run.done = run.failed = 0
    run.total = len(existing) + lots_create(run, new)
    lists = word_list_snapshot(project, pair_languages(project)) if _uses_word_lists(run) else {}
    run.training = {**snapshot(project), **lists, "full": len(pairs) if everything or not full else full}
    run.digest = training_digest(run)
    run.save(update_fields=["training", "digest", "total", *(["done", "failed"] if everything else [])])
    log_line(run, (ALL_AGAIN if everything else TO_DO).with_params(n=str(len(pairs if everything else new))).text())
    lots_prioritise(run)
    if run.status == JobStatus.DONE:
        _resume(run)


def _uses_word_lists(run: Run) -> bool:
    """Whether the run's method looks words up in word lists."""
    return method_class(run.method).word_lists and bool(run.settings.get("lexicon", True))


def training_digest(run: Run) -> str:
    """A digest of the method, its settings and all its training data, which names the fitted model."""
    texts = run.project.pairs.order_by("position", "pk").values_list(
        "external_id", "split", "a__digest", "a__language", "b__digest", "b__language", "translations"
    )
    lists = [run.training.get("glossary"), run.training.get("dictionaries")]
    parts = [run.training["pairs"], run.training["annotations"], [list(row) for row in texts]]
    seed = [run.method, run.settings, *parts, *(lists if any(lists) else ())]
    return hashlib.sha256(json.dumps(seed, sort_keys=True).encode()).hexdigest()[:16]


def _retry_failures(run: Run) -> None:
    """Move the pairs that failed into new waiting lots."""
    failed_pairs: list[int] = []
    for lot in Lot.objects.filter(run=run).exclude(failures={}):
        failed = {int(pk) for pk in lot.failures}
        failed_pairs.extend(sorted(failed))
        rest = [pk for pk in lot.pairs if pk not in failed]
        if rest:
            Lot.objects.filter(pk=lot.pk).update(pairs=rest, failures={}, status=LotStatus.DONE)
        else:
            lot.delete()
    if failed_pairs:
        lots_create(run, failed_pairs)
        Run.objects.filter(pk=run.pk).update(failed=0)
        log_line(run, TRIED_AGAIN.with_params(n=str(len(failed_pairs))).text())


def _resume(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(status=JobStatus.QUEUED, error="", finished=None)
    log_line(run, WAITING.text())
    run_finalize(run)


def project_locked(project: Project) -> Project:
    """The project's row, locked, so that requests about the same project wait for each other."""
    return Project.objects.select_for_update().get(pk=project.pk)


def _reloaded(run: Run) -> Run:
    return Run.objects.select_related("project").get(pk=run.pk)


def _status_conflict(run: Run, message: str, hint: str) -> Conflict:
    now = Run.objects.only("status").get(pk=run.pk)
    return Conflict(message % {"status": JobStatus(now.status).label}, code="status", where=run.slug, hint=hint)


def _notify(run: Run, notify_workers: bool) -> None:
    if notify_workers:
        queue = run.queue
        transaction.on_commit(lambda: notify(RUNS, queue))


def runs_stop(project: Project) -> int:
    """Cancel the runs of a project that is being archived or deleted; returns how many."""
    stopped = 0
    for run in Run.objects.filter(project=project, status__in=(*ACTIVE_JOB, JobStatus.PAUSED)):
        with suppress(Conflict):  # it has just ended
            run_cancel(run=run)
            stopped += 1
    return stopped
