"""`manage.py person_export USERNAME OUT`: all that is stored about one person."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import User
from operation.privacy.export import person_export


class Command(BaseCommand):
    help = "Write all that is stored about one person to a zip of JSON files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", metavar="USERNAME", help="username of the account")
        parser.add_argument("out", type=Path, metavar="OUT", help="the file to write, for example anna.zip")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['username']}.")
        out: Path = options["out"].absolute()
        try:
            with out.open("xb") as file:
                counts = person_export(user=user, out=file)
        except FileExistsError as error:
            raise CommandError(f"{options['out']} already exists. Choose another location.") from error
        except OSError as error:
            out.unlink(missing_ok=True)  # what was written of it
            raise CommandError(f"{options['out']} cannot be written: {error.strerror}") from error
        for name, count in counts.items():
            self.stdout.write(f"{name}.json: {count}")
