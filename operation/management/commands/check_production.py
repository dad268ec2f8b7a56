"""`manage.py check_production`: what script/web and script/worker refuse to start with."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError

from operation.health import pending_migrations
from operation.production import refusals


class Command(BaseCommand):
    help = "Fail, with a sentence for each reason, if this site must not be opened to others as it is set up."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--migrated", action="store_true", help="also if the database is not up to date")

    def handle(self, *args: Any, **options: Any) -> None:
        problems = [sentence for _code, sentence in refusals()]
        if options["migrated"] and not problems:
            try:
                pending = pending_migrations()
            except (DatabaseError, InterfaceError) as error:
                raise CommandError(f"The database cannot be reached: {str(error).splitlines()[0]}") from error
            if pending:
                problems.append("The database is not up to date; run .venv/bin/python manage.py migrate.")
        if problems:
            raise CommandError("\n".join(problems))
