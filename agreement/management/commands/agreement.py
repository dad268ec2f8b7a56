"""How far a project's annotators agree: `manage.py agreement --project SLUG [--phase NAME] --format text|json`."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from agreement.report.project_report import Report, agreement_report
from agreement.report.render.latex import PREAMBLE, as_latex, latex
from agreement.report.render.tables import as_markdown, as_text
from annotation.errors import DomainError
from annotation.models import Phase
from annotation.selectors.projects import project_by_slug

RENDERERS = {"text": as_text, "markdown": as_markdown, "latex": as_latex}


class Command(BaseCommand):
    help = "Print the agreement report of a project: tables, intervals and how each number was computed."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, help="the project's slug")
        parser.add_argument("--phase", default=Phase.MAIN, choices=Phase.values, help="default: main")
        parser.add_argument("--format", default="text", choices=("json", *RENDERERS), help="default: text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = agreement_report(project_by_slug(options["project"]), phase=options["phase"])
        except DomainError as error:
            raise CommandError(str(error)) from error
        if options["format"] == "json":
            self.stdout.write(json.dumps(report.to_json(), ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.write(render_report(report, options["format"]))


def render_report(report: Report, form: str) -> str:
    """Headline, tables and methods paragraph in one of the output formats."""
    say = latex if form == "latex" else str
    parts = [say(report.headline), *map(RENDERERS[form], report.tables), say(report.methods)]
    return "\n\n".join([PREAMBLE, *parts] if form == "latex" else parts)
