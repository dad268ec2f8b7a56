"""`make_items FILE --task clsd|compositionality --project SLUG`: have a language model make items to be rated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.errors import DomainError
from annotation.management.arguments import add_settings, parse_settings
from annotation.services.import_report import ImportRefused
from assist.item_generation.settings import GenerationSettings
from assist.item_requests.generation import TASKS, MadeItems, Sentences, items_estimate, items_make


class Command(BaseCommand):
    help = (
        "Have a language model make distractors or fusions, and import them into a project in which people rate them."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            metavar="FILE",
            help="clsd: CSV or TSV with Source, Target; compositionality: one with P, C, N, or a text (.txt)",
        )
        parser.add_argument(
            "--task", required=True, choices=TASKS, help="clsd: makes distractors; compositionality: makes fusions"
        )
        parser.add_argument(
            "--project",
            required=True,
            metavar="SLUG",
            help="the slug of the rating project; created if it doesn't exist",
        )
        add_settings(parser, GenerationSettings)
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be asked and what it costs at most; ask nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        settings = parse_settings(options["given"])
        try:
            sentences = Sentences.read(options["file"])
            if options["dry_run"]:
                estimate = items_estimate(
                    task=options["task"], sentences=sentences, settings=settings, slug=options["project"]
                )
                self.stdout.write(
                    f"{estimate.requests} requests, about {estimate.tokens:,} tokens; at most {estimate.max_cost:.4f} "
                    f"in the currency of the prices.{_repeated_note(estimate.repeated, ' ', '.')} "
                    "Dry run: no changes made"
                )
                return
            items = items_make(
                task=options["task"],
                sentences=sentences,
                slug=options["project"],
                settings=settings,
                on_progress=self.announce,
            )
        except ImportRefused as error:
            raise CommandError("\n".join([error.message, *(f"  {each}" for each in error.rejections)])) from error
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write("\n".join(summary(items)))
        if items.report:
            self.stdout.write("\n".join(items.report.lines()))

    def announce(self, done: int, total: int, what: str) -> None:
        """One line for each tenth of the answers."""
        tenth = 10 * done // max(1, total)
        if tenth != getattr(self, "_tenth", None):
            self._tenth = tenth
            self.stderr.write(f"{done} of {total} answers")


def _repeated_note(repeated: int, before: str, after: str = "") -> str:
    return f"{before}{repeated} rows are duplicates and were excluded{after}" if repeated else ""


def summary(items: MadeItems) -> list[str]:
    """What was made, in lines."""
    lines = [f"{items.rows} rows, {items.unusable} without a usable answer: {len(items.items)} items"]
    if items.repeated:
        lines.append(_repeated_note(items.repeated, "  "))
    if items.jaccards is not None:
        lines.append(
            "  words in common with the translation (Jaccard): "
            f"mean {items.jaccards[0]:.2f}, standard deviation {items.jaccards[1]:.2f}"
        )
    if items.operators:
        lines.append("  " + ", ".join(f"{count} {name}" for name, count in items.operators.items()))
    if items.alike:
        lines.append(f"  {items.alike} rows have neighbouring sentences too similar for differences")
    return lines
