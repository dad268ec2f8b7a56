"""Automatic pre-labelling: projects switch it on, and workers request runs for them when they poll."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import DomainError, Invalid
from annotation.models import Annotation, JobStatus, Project, Source, Verdict
from annotation.selectors.annotations import IS_GOLD
from annotation.services.archive_check import changes_project
from assist.methods.base import Method
from assist.models import Run
from assist.runs.method_choice import method_for, run_slug
from assist.runs.prelabel_options import KEY, PrelabelOptions
from assist.runs.services import check_installed, project_locked, run_request, run_retrain

logger = logging.getLogger(__name__)


@changes_project()
def project_prelabel(*, project: Project, options: PrelabelOptions, from_web: bool = False) -> Project:
    """Set the project's options of automatic pre-labelling. `from_web`: paths on the server are refused.

    Raises Invalid if there is no such method, or if it is switched on and makes no highlights, sends texts elsewhere,
    or its packages are not installed.
    """
    chosen = method_for(options.method, options.settings, project.labels, from_web=from_web)
    if options.automatic and chosen.gives != "highlights":
        raise Invalid(
            _("%(method)s makes translations, not pre-labels.") % {"method": chosen.name},
            code="method",
            where=project.slug,
            hint=_("Choose a method that makes pre-labels."),
        )
    if options.automatic:
        check_sends_no_texts(project, chosen)
        check_installed(project, chosen)
    with transaction.atomic():
        project = project_locked(project)
        project.settings = {**project.settings, KEY: options.to_json()}
        project.save(update_fields=["settings"])
    return project


def check_sends_no_texts(project: Project, chosen: Method[Any, Any]) -> None:
    """Raises Invalid if the method sends texts to another server: a person decides that, each time."""
    if chosen.sends_texts:
        raise Invalid(
            _("%(method)s sends the texts to another server.") % {"method": chosen.name},
            code="method",
            where=project.slug,
            hint=_("Start its runs yourself, and choose another method here."),
        )


def prelabel_automatically() -> list[Run]:
    """For every project that has it switched on: pre-label new pairs, retrain methods that learn. Workers call it."""
    runs = []
    for project in Project.objects.filter(archived=None, **{f"settings__{KEY}__automatic": True}):
        try:
            run = _automatic(project, PrelabelOptions.of(project.settings))
        except (DomainError, ValueError) as error:
            _warn_once(f"project {project.slug} cannot be pre-labelled by itself: {error}")
            continue
        if run is not None:
            runs.append(run)
    return runs


@cache
def _warn_once(text: str) -> None:
    """Log a warning once, though workers poll every few seconds."""
    logger.warning(text)


def _automatic(project: Project, options: PrelabelOptions) -> Run | None:
    """The run that was created, extended or retrained for the project; None if there was nothing to do."""
    chosen = method_for(options.method, options.settings, project.labels)
    check_sends_no_texts(project, chosen)
    run = Run.objects.defer("training").filter(project=project, slug=run_slug(chosen, project.labels)).first()
    count = project.pairs.count()
    if run is not None and run.status in (JobStatus.CANCELLED, JobStatus.FAILED):
        return None
    if count > (run.total if run else 0):
        return run_request(project=project, method=options.method, settings=options.settings, notify_workers=False)
    if run and chosen.learns and run.status == JobStatus.DONE and 0 < options.retrain_after <= untrained_pairs(run):
        return run_retrain(run=run, notify_workers=False)
    return None


def untrained_pairs(run: Run) -> int:
    """The number of pairs with gold or submitted work that the run's model was not trained on."""
    revisions = {row[0]: row[1] for row in run.training.get("annotations", [])}
    rows = Annotation.objects.filter(pair__project=run.project_id)
    rows = rows.filter(IS_GOLD) | rows.filter(source=Source.HUMAN, verdict=Verdict.SUBMITTED)
    return len(
        {pair for pk, pair, revision in rows.values_list("pk", "pair", "revision") if revisions.get(pk) != revision}
    )
