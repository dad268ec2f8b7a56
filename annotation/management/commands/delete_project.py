"""`manage.py delete_project SLUG [--yes | --dry-run]`: delete a project with everything in it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.models import JobStatus, Project
from annotation.services.deletion import DELETIONS, deletion_counts, deletion_resume, project_delete
from annotation.services.jobs import jobs_run


class Command(BaseCommand):
    help = "Delete a project with everything in it, or finish a deletion that was interrupted."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the project's slug")
        parser.add_argument("--dry-run", action="store_true", help="say what would be lost, and change nothing")
        parser.add_argument("--yes", action="store_true", help="don't ask for the project's name")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["slug"]
        project = Project.objects.filter(slug=slug).first()
        if project is None:
            row = None if options["dry_run"] else deletion_resume(slug=slug)
            if row is None:
                raise CommandError(f"There is no project {slug}.")
            self._ended(row.status, row.problem)
            return
        for name, count in deletion_counts(project).items():
            self.stdout.write(f"{name.replace('_', ' ')}: {count}")
        if options["dry_run"]:
            self.stdout.write("Dry run: no changes made")
            return
        try:
            typed = project.name if options["yes"] else self._typed_answer()
            row = project_delete(project=project, name=typed, by=None)
        except DomainError as error:
            raise CommandError(f"Not confirmed: no changes made. {error}") from error
        if row.status == JobStatus.QUEUED:
            jobs_run(DELETIONS)
            row.refresh_from_db()
        self._ended(row.status, row.problem)

    def _ended(self, status: str, problem: str) -> None:
        if status == JobStatus.FAILED:
            raise CommandError(f"The data could not be removed: {problem}")
        self.stdout.write("Deleted." if status == JobStatus.DONE else "A worker is removing its data.")

    def _typed_answer(self) -> str:
        """What was typed; '' if nobody can type."""
        try:
            return input("This cannot be undone. To confirm, type the project's name: ")
        except EOFError:
            return ""
