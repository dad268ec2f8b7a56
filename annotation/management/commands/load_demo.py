"""`manage.py load_demo [--migrate]`: load the demo if it is not loaded yet, and print who can log in."""

from __future__ import annotations

import logging
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.errors import DomainError
from annotation.security_events import SECURITY
from annotation.services.demo import demo_load

UP_TO_DATE = "The database is up to date."


class Command(BaseCommand):
    help = "Load the demo's projects, people and annotations; existing projects are not changed."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--migrate", action="store_true", help=f"bring the database up to date first, and print '{UP_TO_DATE}'"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["migrate"]:
            self._migrate()
        # The accounts are printed below; they are no events for a log of security.
        events = logging.getLogger(SECURITY)
        level = events.level
        events.setLevel(logging.WARNING)
        try:
            demo = demo_load()
        except DomainError as error:
            raise CommandError(str(error)) from error
        finally:
            events.setLevel(level)
        for project in demo.projects:
            state = "loaded" if project.slug in demo.loaded else "was there already"
            self.stdout.write(f"{project.slug}: {project.name} ({state})")
        self.stdout.write("Accounts:")
        for login in demo.logins:
            password = login.password or "(changed by its owner)"
            self.stdout.write(f"  {login.username:<8} {password:<20} {', '.join(login.roles)}")

    def _migrate(self) -> None:
        """As `manage.py migrate`, with its checks; where nothing is to be applied, that is all."""
        applied: dict[str, Any] = {"stdout": self.stdout, "stderr": self.stderr, "interactive": False}
        try:
            call_command("migrate", check_unapplied=True, skip_checks=False, verbosity=0, **applied)
        except SystemExit:
            call_command("migrate", **applied)
        self.stdout.write(UP_TO_DATE)
        self.stdout.flush()
