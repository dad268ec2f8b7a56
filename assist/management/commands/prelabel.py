"""`prelabel`: pre-label every pair of a project with a method, by workers or in this process."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.errors import DomainError
from annotation.management.arguments import parse_settings, resolve_paths
from annotation.models import ACTIVE_JOB, JobStatus, Project
from annotation.selectors.projects import project_by_slug
from annotation.settings_model import settings_by_name
from assist.methods.base import MethodError
from assist.methods.llm import Llm
from assist.methods.projection_llm import ProjectionLlm
from assist.models import Queue, Run
from assist.runs import processing
from assist.runs.llm_costs import llm_cost, run_answers
from assist.runs.method_choice import method_class, method_for
from assist.runs.prelabel_options import METHOD
from assist.runs.selectors import run_failures, run_get, run_without_source
from assist.runs.services import run_request

PAUSE = 1.0
FAILURES_NAMED = 10
"""How many pairs without pre-labels are named."""


class Command(BaseCommand):
    help = "Pre-label a project's pairs with a method; pairs already done with the same settings are skipped."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, help="the project's slug")
        parser.add_argument(
            "--method",
            default=METHOD,
            help=f"the method's name, alone or with its version: NAME.vN (default: {METHOD})",
        )
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            dest="given",
            help="a setting of the method; may be repeated",
        )
        parser.add_argument(
            "--estimate", action="store_true", help="print what asking a language model would cost, and change nothing"
        )
        parser.add_argument("--wait", action="store_true", help="run in this process instead of a worker")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            project = project_by_slug(options["project"])
            settings = resolve_paths(
                settings_by_name(method_class(options["method"]).Settings), parse_settings(options["given"])
            )
            self.estimate(project, options["method"], settings, required=options["estimate"])
            if options["estimate"]:
                return
            run = run_request(
                project=project, method=options["method"], settings=settings, notify_workers=not options["wait"]
            )
            if options["wait"] and run.status in (*ACTIVE_JOB, JobStatus.PAUSED):
                run = self.wait(run)
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.report(run)

    def estimate(self, project: Project, name: str, settings: dict[str, Any], *, required: bool) -> None:
        """Print what asking a language model would cost; for other methods it is an error if that is wanted."""
        method = method_for(name, settings, project.labels)
        if not isinstance(method, Llm):
            if required and isinstance(method, ProjectionLlm):
                raise CommandError(
                    f"what {method.name} asks depends on the labelled pairs, so its cost isn't known before; its run "
                    f"ends before it costs more than {method.settings.limit:.2f} (--set limit=…)"
                )
            if required:
                raise CommandError(f"{method.name} asks no language model, so it costs nothing")
            return
        try:
            cost = llm_cost(project, method)
        except MethodError as error:
            if not required:
                return  # the request says why, and first what is to be installed
            raise CommandError(f"{method.name} cannot be run: {error}.") from error
        about = cost.estimate
        self.stdout.write(
            f"{cost.to.model} at {cost.to.host}: about {about.requests} requests with {about.tokens} tokens, about "
            f"{about.cost:.4f}, at most {about.max_cost:.4f}; the run's limit is {cost.limit:.2f}"
            + ("" if cost.left is None else f", the site has {cost.left:.2f} left for this month")
        )

    def wait(self, run: Run) -> Run:
        """Work on the run in this process until it has ended, waiting for lots that workers hold."""
        last = -1
        while run.status in ACTIVE_JOB:
            finished = processing.lots_process(Queue.values, run=run)
            run = run_get(run.project, run.slug)
            if run.done != last:
                self.stdout.write(f"{run.slug}: {run.done} of {run.total} pairs")
                last = run.done
            if run.status in ACTIVE_JOB and not finished:
                time.sleep(PAUSE)
        return run

    def report(self, run: Run) -> None:
        failures = run_failures(run)
        for failure in failures:
            self.stderr.write(f"{failure.pair}: {failure.why}")
        if (answers := run_answers(run)) is not None:
            statistics = answers.to_json()
            self.stdout.write(
                f"spent {answers.spent:.4f} on {answers.requests} requests ({answers.prompt} tokens sent, "
                f"{answers.answer} received)"
            )
            shares = {
                name: value for name, value in statistics.items() if name.endswith("_share") and value is not None
            }
            self.stdout.write(", ".join(f"{name[:-6]} {100 * value:.1f}%" for name, value in shares.items()))
        if run.status == JobStatus.FAILED:
            raise CommandError(f"{run.slug} failed: {run.error}")
        where = f"{run.done} of {run.total} pairs, {run.failed} failed"
        self.stdout.write(f"{run.slug} ({run.method}) is {run.get_status_display()}: {where}")
        if without := run_without_source(run):
            self.stdout.write(
                f"{len(without)} pairs get no pre-labels, as they share no text with a labelled pair of another "
                f"language: {', '.join(without[:FAILURES_NAMED])}{' …' if len(without) > FAILURES_NAMED else ''}"
            )
        if run.failed:
            raise CommandError(f"{run.failed} pairs failed; they are listed above")
