"""`manage.py import_pairs PATH… --project SLUG`: import pairs and their annotations from files."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.formats import import_formats
from annotation.formats.columns import ColumnMapping
from annotation.formats.record import PairRecord
from annotation.management.arguments import add_lead, ensure_lead, find_lead, parse_settings
from annotation.services.archive_imports import import_sources
from annotation.services.import_preview import build_preview, preview_lines
from annotation.services.import_report import ImportRefused, scheme_advice
from annotation.services.projects import preset
from annotation.text.schemes import PRESETS


class Command(BaseCommand):
    """Import files into a project, all or nothing."""

    help = "Import pairs, annotations and gold into a project, which is created if it doesn't exist."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files or folders to import")
        parser.add_argument(
            "--project", required=True, metavar="SLUG", help="the project's slug; created if it doesn't exist"
        )
        add_lead(parser)
        parser.add_argument(
            "--format",
            choices=import_formats(),
            default="",
            help="the format of the files (default: by content and extension)",
        )
        parser.add_argument("--scheme", choices=PRESETS, help="the scheme of a new project (default: the format's)")
        options = "; ".join(
            f"{item.name}: {name}, {option.describes}"
            for item in import_formats().values()
            for name, option in item.options.items()
        )
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help=f"an option of the format; may be repeated: {options}",
        )
        parser.add_argument("--preview", action="store_true", help="as --dry-run, and print what was understood")
        parser.add_argument("--dry-run", action="store_true", help="report what would happen without changing anything")

    def handle(self, *args: Any, **options: Any) -> None:
        lead, dry_run = find_lead(options), options["dry_run"] or options["preview"]
        try:
            report = import_sources(
                slug=options["project"],
                paths=options["paths"],
                format=options["format"],
                options=parse_settings(options["set"]),
                scheme=preset(options["scheme"]) if options["scheme"] else None,
                dry_run=dry_run,
                on_read=self._preview if options["preview"] else None,
            )
        except ImportRefused as error:
            if options["preview"] and error.table is not None:
                self._preview(error.records, error.table, options["format"])
            lines = [error.message, *(f"  {rejection}" for rejection in error.rejections)]
            raise CommandError("\n".join([*lines, *filter(None, [scheme_advice(error.better_scheme)])])) from error
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write("\n".join(report.lines()))
        if report.better_scheme:
            self.stdout.write(scheme_advice(report.better_scheme))
        if not dry_run and (message := ensure_lead(options["project"], lead)):
            self.stdout.write(message)

    def _preview(self, records: Sequence[PairRecord], table: ColumnMapping | None, format: str) -> None:
        """Print the format, columns, languages and first pairs."""
        self.stdout.write("\n".join(preview_lines(build_preview(records, table, format=format, scheme=None))))
