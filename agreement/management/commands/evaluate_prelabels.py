"""`manage.py evaluate_prelabels --project SLUG [--method NAME] --format text|json`: highlights against gold."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agreement.data.highlight_arrays import NEW
from agreement.metrics.bootstrap import Estimate
from agreement.prelabel_eval.panels import detection_figures
from agreement.prelabel_eval.projection_panel import projection_tables
from agreement.prelabel_eval.scores import Score, prelabel_scores
from agreement.report.render.tables import as_text, number, percent, with_interval
from annotation.errors import DomainError
from annotation.figure_tables import NONE, Table
from annotation.selectors.projects import project_by_slug


class Command(BaseCommand):
    """Score every run's highlights as the papers do."""

    help = "Score pre-labels against the newest gold: rank correlations, 'new', every label, by position."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG", help="the project's slug")
        parser.add_argument(
            "--method",
            default="",
            metavar="NAME",
            help="only this method: its name, alone or with its version: NAME.vN (default: all methods)",
        )
        parser.add_argument("--format", default="text", choices=("text", "json"), help="default: text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            scores = prelabel_scores(project_by_slug(options["project"]), method=options["method"])
        except DomainError as error:
            raise CommandError(str(error)) from error
        if options["format"] == "json":
            self.stdout.write(json.dumps({"runs": [score.to_json() for score in scores]}, allow_nan=False))
        else:
            self.stdout.write("\n\n".join(map(score_as_text, scores)))


def score_as_text(score: Score) -> str:
    """One run as text tables."""
    new = score.new
    settings = ", ".join(f"{key}={value}" for key, value in score.settings.items()) or "none"
    head = [
        f"{score.run} ({score.method}; settings: {settings})",
        f"{score.documents} documents, {score.tokens:,} tokens, {score.seconds:.3f} s per pair",
    ]
    ranks = Table(
        "Correlation with the gold (× 100)",
        ("", "value"),
        (("Spearman's ρ", _percent(score.spearman)), ("Kendall's τ-b", _percent(score.kendall))),
    )
    figures = [(label, *detection_figures(each)) for label, each in score.labels.items()]
    if NEW not in score.labels:
        figures.insert(0, (NEW, *detection_figures(new.counts)))
    note = (
        f"New: threshold {new.threshold:.4f}, chosen on {new.chosen_on}, reported on {new.reported_on}; "
        f"F1 {with_interval(new.f1, percent)}."
    )
    shown = score.suggestions
    suggested = Table(
        "Suggestions (× 100)",
        ("tokens underlined", "precision", "recall", "two-sided", "per pair (not × 100)"),
        (
            (
                percent(shown.share),
                percent(shown.detection.precision),
                percent(shown.detection.recall),
                percent(shown.two_sided),
                number(shown.per_pair, 1),
            ),
        ),
    )
    labels = Table("Found (× 100)", ("", "precision", "recall", "F1"), tuple(figures), f"{note} {_labels(score)}")
    confusion = Table(
        "Gold (rows) and found (columns)",
        ("", *score.confusion),
        tuple((label, *(f"{count:,}" for count in row.values())) for label, row in score.confusion.items()),
    )
    parts = tuple(
        (f"fifth {number}", f"{part.tokens:,}", percent(part.spearman), percent(part.new.f1))
        for number, part in enumerate(score.position, 1)
    )
    position = Table("By position in the text (× 100)", ("", "tokens", "Spearman's ρ", "F1 of new"), parts)
    tables = [ranks, suggested, labels, confusion, position]
    if score.projection is not None:
        tables.extend(projection_tables(score.projection))
    return "\n\n".join(["\n".join(head), *map(as_text, tables)])


def _labels(score: Score) -> str:
    """Where the labels come from, and how often they are correct."""
    parts = [f"Labels {'predicted by the method' if score.predicted else 'read off the score'}: macro F1 "]
    parts[0] += f"{percent(score.macro_f1)}."
    if score.grades:
        parts.append(
            f"Of {score.grades.tokens:,} tokens that both mark: the same grade {percent(score.grades.exact)}, "
            f"at most one off {percent(score.grades.within_one)}."
        )
    if score.accepted.spans:
        parts.append(
            f"Predicted labels kept: {score.accepted.kept:,} of {score.accepted.spans:,} accepted suggestions."
        )
    return " ".join(parts)


def _percent(value: Estimate) -> str:
    return with_interval(value, percent) if value.value is not None else f"{NONE} ({value.note})"
