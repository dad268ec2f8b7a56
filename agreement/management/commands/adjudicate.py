"""Create gold by a rule: `manage.py adjudicate --project SLUG --rule NAME [--set key=value]… [--dry-run]`."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from agreement.adjudication.base import RULES
from agreement.gold.answer_counts import answer_counts
from agreement.gold.services.versions import GoldResult, gold_create
from annotation.errors import DomainError
from annotation.management.arguments import parse_settings
from annotation.models import Phase
from annotation.selectors.projects import project_by_slug
from annotation.text.schemes import Scheme


class Command(BaseCommand):
    help = "Create gold from the annotations of a phase by a rule."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, help="the project's slug")
        parser.add_argument("--rule", required=True, help=f"one of: {', '.join(RULES)}")
        parser.add_argument("--phase", default=Phase.MAIN, choices=Phase.values, help="default: main")
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE", help="a parameter of the rule; may be repeated"
        )
        parser.add_argument("--dry-run", action="store_true", help="report the result without saving it")
        parser.add_argument("--format", default="text", choices=("text", "json"), help="default: text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            project = project_by_slug(options["project"])
            outcome = gold_create(
                project=project,
                rule=options["rule"],
                phase=options["phase"],
                settings=parse_settings(options["set"]),
                dry_run=options["dry_run"],
            )
        except DomainError as error:
            raise CommandError(str(error)) from error
        if options["format"] == "json":
            self.stdout.write(json.dumps(outcome.to_json(), ensure_ascii=False))
        else:
            self.stdout.write(as_text(outcome, project.labels))


def as_text(outcome: GoldResult, scheme: Scheme) -> str:
    """The result, in lines of text."""
    body = outcome.to_json()
    first_line = f"Gold version {body['version']} created." if outcome.version else "Dry run: no changes made."
    counts = [
        f"{label}: {body['tokens'][label]:,} tokens, {body['spans'].get(label, 0):,} spans" for label in body["tokens"]
    ]
    answers = [
        f"{question}: {', '.join(f'{answer} {n:,}' for answer, n in rows)}"
        for question, rows in answer_counts(scheme, body)
    ]
    unsure = f"{body['unsure']} of {body['pairs']} pairs have decisions the rule was unsure of."
    reliability = [f"Reliability of {name}: {value:.3f}" for name, value in outcome.reliability.items()]
    excluded = [f"Excluded, {pair}: {reason}" for pair, reason in body["reasons"].items()]
    pairs = f"{body['pairs']} pairs, {body['excluded']} excluded."
    return "\n".join([first_line, pairs, *counts, *answers, *reliability, unsure, *excluded])
