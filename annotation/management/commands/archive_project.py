"""`manage.py archive_project SLUG [--undo]`: archive a project, or unarchive it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.selectors.projects import project_by_slug
from annotation.services.archiving import project_archive, project_unarchive


class Command(BaseCommand):
    help = "Archive a project, so that it can be read but not changed, or unarchive it."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the project's slug")
        parser.add_argument("--undo", action="store_true", help="unarchive it")

    def handle(self, *args: Any, **options: Any) -> None:
        service = project_unarchive if options["undo"] else project_archive
        try:
            project = service(project=project_by_slug(options["slug"]), by=None)
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{project.slug}: {'archived' if project.archived else 'out of the archive'}")
