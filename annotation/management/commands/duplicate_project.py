"""`manage.py duplicate_project SLUG --name NAME`: a project with another's scheme, settings and guidelines."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.management.arguments import add_lead, find_lead
from annotation.selectors.projects import project_by_slug
from annotation.services.duplicates import duplicate_names, project_duplicate


class Command(BaseCommand):
    help = "Create a project with another's scheme, settings and current guidelines, without its texts and people."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the slug of the project to copy")
        parser.add_argument(
            "--name", default="", help="the new project's name (default: that of the other, with a number)"
        )
        parser.add_argument(
            "--slug", dest="as_slug", default="", help="the new project's slug (default: from its name)"
        )
        parser.add_argument("--glossary", action="store_true", help="copy the glossary too")
        add_lead(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        lead = find_lead(options)
        try:
            project = project_by_slug(options["slug"])
            name, slug = duplicate_names(project)
            chosen_name = options["name"]
            copy = project_duplicate(
                project=project,
                name=chosen_name or name,
                slug=options["as_slug"] or ("" if chosen_name else slug),
                glossary=options["glossary"],
                lead=lead,
            )
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{copy.slug}: {copy.name}")
