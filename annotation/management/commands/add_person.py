"""`manage.py add_person USERNAME --project SLUG`: give someone access to a project."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.models import Role
from annotation.selectors.projects import project_by_slug
from annotation.services.people import person_add


class Command(BaseCommand):
    help = "Give someone access to a project. A new account is created if there is none; its password is printed."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", metavar="USERNAME", help="what they log in with")
        parser.add_argument("--project", metavar="SLUG", required=True, help="the project's slug")
        parser.add_argument("--role", choices=Role.values, default=Role.ANNOTATOR.value, help="default: annotator")
        parser.add_argument("--alias", default="", help="their name in the project (default: A1, A2, …)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            project = project_by_slug(options["project"])
            new = person_add(
                project=project, username=options["username"], alias=options["alias"], role=options["role"]
            )
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{new.annotator.alias}: {new.annotator.role} in {project.slug}")
        if new.password:
            self.stdout.write(f"Password of the new account, shown only now: {new.password}")
