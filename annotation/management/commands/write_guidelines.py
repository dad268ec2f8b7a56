"""`manage.py write_guidelines FILE --project SLUG`: the next version of a project's guidelines."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.selectors.projects import guideline_current, project_by_slug
from annotation.services.guidelines import guideline_write


class Command(BaseCommand):
    help = "Save a Markdown file as the next version of a project's guidelines. The same text makes no new version."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="the Markdown file")
        parser.add_argument("--project", metavar="SLUG", required=True, help="the project's slug")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            text = options["file"].read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{options['file']} can't be read as text in UTF-8: {error}") from error
        try:
            project = project_by_slug(options["project"])
            current = guideline_current(project)
            written = guideline_write(project=project, text=text, base=current.version if current else 0)
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Version {written.version} of the guidelines of {project.slug}")
