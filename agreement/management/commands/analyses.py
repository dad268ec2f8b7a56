"""`manage.py analyses --project SLUG --format text|json`: the analyses of a project's pre-labels and labels."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agreement.prelabel_eval.analyses import analyses
from agreement.prelabel_eval.analyses_panel import analyses_tables
from agreement.report.render.tables import as_text
from annotation.errors import DomainError
from annotation.selectors.projects import project_by_slug


class Command(BaseCommand):
    """Where methods are right, for whose labels, which labels languages have, how long pairs take, what fails."""

    help = "Analyse pre-labels and labels: by position, length, language and annotator; time; failures."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG", help="the project's slug")
        parser.add_argument("--format", default="text", choices=("text", "json"), help="default: text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            project = project_by_slug(options["project"])
            result = analyses(project)
        except DomainError as error:
            raise CommandError(str(error)) from error
        if options["format"] == "json":
            self.stdout.write(json.dumps(result.to_json(), allow_nan=False))
        else:
            tables = analyses_tables(project, result)
            self.stdout.write("\n\n".join(map(as_text, tables)) or "There is nothing to analyse yet.")
