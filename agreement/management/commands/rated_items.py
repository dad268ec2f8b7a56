"""`rated_items --project SLUG [OUT]`: the ratings of items, and the validated ones as a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from agreement.rated.compute import RATERS, RatedItems, rated_items
from agreement.rated.layouts import layout
from agreement.rated.plots import box_plot
from agreement.report.render.tables import number, with_interval
from annotation.errors import DomainError
from annotation.models import Phase
from annotation.plots import standalone_svg
from annotation.selectors.projects import project_by_slug


class Command(BaseCommand):
    help = "Print averages and agreement of rated items, and write the validated ones in the papers' column layouts."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("out", nargs="?", type=Path, metavar="OUT", help="CSV file for the validated items")
        parser.add_argument("--project", required=True, help="the project's slug")
        parser.add_argument("--phase", default=None, choices=Phase.values, help="default: all phases")
        parser.add_argument(
            "--raters", type=int, default=RATERS, help=f"how many people must have rated an item (default: {RATERS})"
        )
        parser.add_argument(
            "--least",
            type=float,
            help="minimum mean rating, exclusive (default: 2.5 of 0 to 4; half for a yes-or-no question)",
        )
        parser.add_argument(
            "--distractors", type=int, help="clsd: distractors per row (default: as many as in the row with the most)"
        )
        parser.add_argument("--plot", type=Path, metavar="SVG", help="write the box plot to this file")
        parser.add_argument("--format", default="text", choices=("text", "json"), help="default: text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            rated = rated_items(project_by_slug(options["project"]), phase=options["phase"])
        except DomainError as error:
            raise CommandError(str(error)) from error
        if not rated.items:
            raise CommandError(f"{options['project']} has no items; create some with make_items")
        validated = rated.validated(options["least"], options["raters"])
        file = layout(rated.task, validated, options["distractors"])
        if options["out"]:
            options["out"].write_text(file.text, encoding="utf-8")
        if options["plot"] and (plot := box_plot(rated)):
            options["plot"].write_text(standalone_svg(plot.svg), encoding="utf-8")
        if options["format"] == "json":
            result = {
                "task": rated.task,
                "items": len(rated.items),
                "groups": [group.to_json() for group in rated.groups],
                "holding": len(validated),
                "rows": file.rows,
                "incomplete": file.incomplete,
            }
            self.stdout.write(json.dumps(result, ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.write(
                "\n".join([*_lines(rated), _validated_summary(rated, len(validated), file.rows, file.incomplete)])
            )


def _lines(rated: RatedItems) -> Iterator[str]:
    yield f"{len(rated.items)} items, {sum(item.raters > 0 for item in rated.items)} rated"
    for group in rated.groups:
        low, lower, median, upper, high = (number(value, 2) for value in group.quartiles)
        yield f"{group.name}: {group.items} items, {group.ratings} ratings, mean {number(group.mean, 2)}"
        yield f"  minimum {low}, lower quartile {lower}, median {median}, upper quartile {upper}, maximum {high}"
        yield f"  alpha (ordinal): {with_interval(group.alpha, number)}"


def _validated_summary(rated: RatedItems, validated: int, rows: int, incomplete: int) -> str:
    summary = f"{validated} items validated: {rows} rows"
    return f"{summary}; {incomplete} sources have too few distractors" if incomplete else summary
