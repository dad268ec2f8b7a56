"""`manage.py import_pairs PATH… --project SLUG`: import pairs and their annotations from files."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.formats import import_formats
from annotation.management.arguments import settings_of
from annotation.services.import_report import ImportRefused, scheme_advice
from annotation.services.imports import import_files
from annotation.services.projects import preset
from annotation.text.schemes import PRESETS


class Command(BaseCommand):
    """Import files into a project, all or nothing."""

    help = "Import pairs, annotations and gold into a project, which is created if it doesn't exist."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--format", choices=import_formats(), default="", help="default: by file extension")
        parser.add_argument("--scheme", choices=PRESETS, help="for a new project (default: the format's)")
        options = "; ".join(
            f"{item.name}: {name}, {option.describes}"
            for item in import_formats().values()
            for name, option in item.options.items()
        )
        parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help=options)
        parser.add_argument("--dry-run", action="store_true", help="report what would happen without changing anything")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = import_files(
                slug=options["project"],
                paths=options["paths"],
                format=options["format"],
                options=settings_of(options["set"]),
                scheme=preset(options["scheme"]) if options["scheme"] else None,
                dry_run=options["dry_run"],
            )
        except ImportRefused as error:
            lines = [error.message, *(f"  {rejection}" for rejection in error.rejections)]
            raise CommandError("\n".join([*lines, *filter(None, [scheme_advice(error.better_scheme)])])) from error
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write("\n".join(report.lines()))
        if report.better_scheme:
            self.stdout.write(scheme_advice(report.better_scheme))
