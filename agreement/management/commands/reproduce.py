"""`manage.py reproduce xparade|swissgov PATH`: a paper's numbers from its published files and as printed."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agreement.publication.reproduction import ReproducedNumber, reproduce
from agreement.report.render.tables import as_text
from annotation.errors import DomainError
from annotation.figure_tables import NONE, Table
from annotation.services.import_report import ImportRefused


class Command(BaseCommand):
    """Recompute printed numbers; nothing is stored."""

    help = "Compute the numbers of a paper from its published files; exits with status 1 if any differs."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("data", choices=("xparade", "swissgov"), help="the paper: X-PARADE or SwissGov-RSD")
        parser.add_argument("path", type=Path, metavar="PATH", help="the folder of the published files")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            cells = reproduce(options["data"], options["path"])
        except ImportRefused as error:
            raise CommandError("\n".join([error.message, *map(str, error.rejections)])) from error
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(cells_as_text(cells))
        wrong = [cell for cell in cells if cell.same is False]
        if wrong:
            raise CommandError(f"{len(wrong)} of {len(cells)} numbers differ from the printed ones.")


def cells_as_text(cells: list[ReproducedNumber]) -> str:
    """One table per dataset, and a sentence."""
    names = list(dict.fromkeys(cell.data for cell in cells))
    tables = [
        Table(
            name,
            ("", "ours", "printed", "remark"),
            tuple(
                (cell.name, _number(cell.ours), _number(cell.printed), cell.remark)
                for cell in cells
                if cell.data == name
            ),
        )
        for name in names
    ]
    same, comparable = sum(cell.same is True for cell in cells), sum(cell.same is not None for cell in cells)
    return "\n\n".join([*map(as_text, tables), f"{same} of {comparable} numbers came out as printed or released."])


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:g}" if isinstance(value, int) else str(value)
