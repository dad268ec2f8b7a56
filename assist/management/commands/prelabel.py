"""`prelabel`: pre-label every pair of a project with a method, by workers or in this process."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.errors import DomainError
from annotation.management.arguments import settings_of, whole_paths
from annotation.selectors.projects import project_by_slug
from annotation.settings_model import described
from assist import runs
from assist.choice import method_class
from assist.models import ACTIVE, Queue, Run, RunStatus
from assist.options import METHOD
from assist.selectors import run_failures, run_get
from assist.services import run_request

PAUSE = 1.0


class Command(BaseCommand):
    help = "Pre-label a project's pairs with a method; pairs already done with the same settings are skipped."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, help="the project's slug")
        parser.add_argument(
            "--method", default=METHOD, help="the method's name ('default'), or name and version ('default.v1')"
        )
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE", dest="given", help="a setting of the method"
        )
        parser.add_argument("--wait", action="store_true", help="run in this process instead of a worker")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            run = run_request(
                project=project_by_slug(options["project"]),
                method=options["method"],
                settings=whole_paths(
                    described(method_class(options["method"]).Settings), settings_of(options["given"])
                ),
                notify_workers=not options["wait"],
            )
            if options["wait"] and run.status in (*ACTIVE, RunStatus.PAUSED):
                run = self.wait(run)
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.report(run)

    def wait(self, run: Run) -> Run:
        """Work on the run in this process until it has ended, waiting for lots that workers hold."""
        last = -1
        while run.status in ACTIVE:
            finished = runs.work(Queue.values, run=run)
            run = run_get(run.project, run.slug)
            if run.done != last:
                self.stdout.write(f"{run.slug}: {run.done} of {run.total} pairs")
                last = run.done
            if run.status in ACTIVE and not finished:
                time.sleep(PAUSE)
        return run

    def report(self, run: Run) -> None:
        failures = run_failures(run)
        for failure in failures:
            self.stderr.write(f"{failure.pair}: {failure.why}")
        if run.status == RunStatus.FAILED:
            raise CommandError(f"{run.slug} failed: {run.error}")
        where = f"{run.done} of {run.total} pairs, {run.failed} failed"
        self.stdout.write(f"{run.slug} ({run.method}) is {run.get_status_display()}: {where}")
        if run.failed:
            raise CommandError(f"{run.failed} pairs failed; they are listed above")
