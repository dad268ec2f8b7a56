"""`manage.py person_delete USERNAME [--yes | --dry-run]`: remove a person; their work stays under a pseudonym."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.models import User
from operation.privacy.delete import person_delete, person_delete_preview


class Command(BaseCommand):
    help = "Delete an account and all that identifies its owner. Annotations stay, under a pseudonym."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", metavar="USERNAME", help="username of the account")
        parser.add_argument("--dry-run", action="store_true", help="say what would change, and change nothing")
        parser.add_argument("--yes", action="store_true", help="don't ask for confirmation")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['username']}.")
        try:
            for line in person_delete_preview(user=user).lines():
                self.stdout.write(line)
            if options["dry_run"]:
                self.stdout.write("Dry run: no changes made")
                return
            if not options["yes"] and self._typed_answer() != user.get_username():
                raise CommandError("Not confirmed: no changes made.")
            person_delete(user=user)
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write("Deleted.")

    def _typed_answer(self) -> str:
        """What was typed; '' if nobody can type."""
        try:
            return input("This cannot be undone. To confirm, type the username: ")
        except EOFError:
            return ""
