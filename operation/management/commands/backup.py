"""`manage.py backup OUT`: the whole site in one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from operation.backup.write import backup_write


class Command(BaseCommand):
    help = "Write every row and file that the site keeps to one file. People and workers can go on meanwhile."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("out", type=Path, metavar="OUT", help="the file to write, for example diptych.backup")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest = backup_write(options["out"].absolute())
        except DomainError as error:
            raise CommandError(str(error)) from error
        for name in manifest.missing:
            self.stderr.write(f"{name}: a publication names this file, but it is not there; it is not in the backup.")
        rows = sum(table.rows for table in manifest.tables.values())
        self.stdout.write(
            f"{options['out']}: {rows} rows of {len(manifest.tables)} tables, {len(manifest.files)} files"
        )
