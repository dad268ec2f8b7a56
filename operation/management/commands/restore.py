"""`manage.py restore FILE`: fill an empty site with a backup."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from operation.backup.restore import backup_restore


class Command(BaseCommand):
    help = "Fill an empty site with a backup, and bring it up to date. A site that is not empty is left as it is."
    # It makes the tables itself.
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what `manage.py backup` wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest = backup_restore(options["file"].absolute())
        except DomainError as error:
            raise CommandError(str(error)) from error
        rows = sum(table.rows for table in manifest.tables.values())
        self.stdout.write(f"Restored {rows} rows of {len(manifest.tables)} tables and {len(manifest.files)} files.")
        for name in manifest.missing:
            self.stderr.write(f"{name}: was missing when the backup was made.")
