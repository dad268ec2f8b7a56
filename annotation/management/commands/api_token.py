"""`manage.py api_token USERNAME --name NAME`: make a token for the API, and print it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.models import Role, User
from annotation.models.tokens import TokenAccess
from annotation.selectors.projects import project_by_slug
from annotation.services.tokens import MAX_DAYS, token_create


class Command(BaseCommand):
    """Create a token with which a program uses the API in a person's name."""

    help = "Create a token for the API, and print it. It can't be read again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", metavar="USERNAME", help="the account that the token acts for")
        parser.add_argument("--name", required=True, help="the program that will use it")
        parser.add_argument(
            "--access",
            choices=TokenAccess.values,
            default=TokenAccess.READ.value,
            help="whether it may also write (default: read)",
        )
        parser.add_argument(
            "--project",
            default="",
            metavar="SLUG",
            help="restrict the token to this project (default: all of the person's projects)",
        )
        parser.add_argument(
            "--role", choices=Role.values, default="", help="the highest role in which it acts (default: the person's)"
        )
        parser.add_argument(
            "--days", type=int, default=90, help=f"how many days it is valid, at most {MAX_DAYS} (default: 90)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"], is_active=True).first()
        if user is None:
            raise CommandError(f"There is no account “{options['username']}” that is open.")
        try:
            created = token_create(
                user=user,
                name=options["name"],
                access=options["access"],
                role=options["role"],
                days=options["days"],
                project=project_by_slug(options["project"]) if options["project"] else None,
            )
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(created.secret)
