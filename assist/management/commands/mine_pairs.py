"""`mine_pairs PATH… --project SLUG`: find the paragraphs of articles in two languages that belong together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from annotation.errors import DomainError
from annotation.management.arguments import (
    add_lead,
    add_settings,
    ensure_lead,
    find_lead,
    parse_settings,
    resolve_paths,
)
from annotation.services.import_report import ImportRefused
from annotation.settings_model import settings_by_name
from assist.mining.filters import REASONS, Match
from assist.mining.mine import MiningResult
from assist.mining.records import pair_id
from assist.mining.settings import MiningSettings
from assist.mining_requests.importing import mine_files

EXCERPT_LENGTH = 60
"""Characters of a paragraph that the list of pairs shows."""


class Command(BaseCommand):
    help = "Find pairs of paragraphs in articles in two languages, and import them into a project."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "paths",
            nargs="+",
            type=Path,
            metavar="PATH",
            help=".jsonl files (id, language, text), .txt files (ARTICLE.LANGUAGE.txt), or folders of them",
        )
        parser.add_argument(
            "--project", required=True, metavar="SLUG", help="the project's slug; created if it doesn't exist"
        )
        add_lead(parser)
        add_settings(parser, MiningSettings)
        parser.add_argument(
            "--dry-run", action="store_true", help="list the pairs and what was dropped without changing anything"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        lead = find_lead(options)
        try:
            mined, report = mine_files(
                slug=options["project"],
                paths=options["paths"],
                settings=resolve_paths(settings_by_name(MiningSettings), parse_settings(options["given"])),
                dry_run=options["dry_run"],
            )
        except ImportRefused as error:
            raise CommandError("\n".join([error.message, *(f"  {each}" for each in error.rejections)])) from error
        except DomainError as error:
            raise CommandError(str(error)) from error
        if options["dry_run"]:
            self.stdout.write("\n".join(map(match_line, mined.matches)))
        self.stdout.write("\n".join(summary(mined)))
        if report:
            self.stdout.write("\n".join(report.lines()))
            if not options["dry_run"] and (message := ensure_lead(options["project"], lead)):
                self.stdout.write(message)


def match_line(match: Match) -> str:
    """A match in one line: its similarity, its pair's id, the beginnings of both texts, and why it is dropped."""
    texts = (
        text if len(text) <= EXCERPT_LENGTH else f"{text[: EXCERPT_LENGTH - 1]}…"
        for text in (match.text_a, match.text_b)
    )
    dropped = f" [{REASONS[match.dropped].text()}]" if match.dropped else ""
    return f"{match.similarity:.3f} {pair_id(match)}{dropped}: {' | '.join(texts)}"


def summary(mined: MiningResult) -> list[str]:
    """What was found and dropped, in lines."""
    (a, b), unmatched = mined.languages, mined.unmatched
    lines = [
        f"{mined.articles} articles in {a} and {b}: {mined.paragraphs[0]} and {mined.paragraphs[1]} paragraphs",
        f"  {len(mined.matches)} matches, of which {len(mined.kept_matches)} are kept",
    ]
    lines += [f"  {mined.dropped[code]} dropped: {why.text(_)}" for code, why in REASONS.items() if mined.dropped[code]]
    if any(mined.summaries):
        lines.append(f"  {mined.summaries[0]} and {mined.summaries[1]} summaries excluded")
    lines.append(f"  {unmatched[0]} and {unmatched[1]} paragraphs without a match")
    if mined.alone:
        shown = ", ".join(mined.alone[:10]) + (", …" if len(mined.alone) > 10 else "")
        lines.append(f"  {len(mined.alone)} articles in one language only: {shown}")
    return lines
