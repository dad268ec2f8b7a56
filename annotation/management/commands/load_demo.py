"""`manage.py load_demo`: load the demo if it is not loaded yet, and print who can log in."""

from __future__ import annotations

import logging
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.security_events import SECURITY
from annotation.services.demo import demo_load


class Command(BaseCommand):
    help = "Load the demo's projects, people and annotations; existing projects are not changed."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
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
