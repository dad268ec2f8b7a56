"""`evaluate_encoder FILE --task clsd|compositionality --model PATH…`: encoders side by side, before one is used."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assist.encoder_choice.evaluation import Candidate, ClsdResult, CompositionalityResult, compare
from assist.encoder_choice.pivot import PIVOT, model_translator, with_pivot
from assist.encoder_choice.tables import ClsdRow, TableError, read_clsd, read_samples
from assist.encoder_choice.tagging import tagger, with_parts_of_speech
from assist.methods.base import MethodError
from assist.methods.translate import MARIAN

NONE = "–"
TASKS = ("clsd", "compositionality")


class Command(BaseCommand):
    help = "Compare encoders by cross-lingual semantic discrimination, or by set-theoretic compositionality."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="CSV or TSV; see docs/encoders.md for its columns")
        parser.add_argument(
            "--task",
            required=True,
            choices=TASKS,
            help="clsd: cross-lingual semantic discrimination; compositionality: set-theoretic compositionality",
        )
        parser.add_argument(
            "--model",
            action="append",
            required=True,
            metavar="PATH",
            dest="models",
            help="an encoder's folder, or its name on the hub; may be repeated",
        )
        parser.add_argument(
            "--pivot",
            default="columns",
            choices=("columns", "translate"),
            help="clsd: take the pivot's sentences from the file's columns, or have a model translate into it "
            "(default: columns)",
        )
        parser.add_argument("--source-language", metavar="TAG", help="with --pivot translate: the language of Source")
        parser.add_argument("--target-language", metavar="TAG", help="with --pivot translate: the language of Target")
        parser.add_argument(
            "--pivot-language",
            default=PIVOT,
            metavar="TAG",
            help=f"with --pivot translate: the pivot (default: {PIVOT})",
        )
        parser.add_argument(
            "--translation-model",
            default=MARIAN,
            metavar="NAME",
            help=f"the translation model, with --pivot translate (default: {MARIAN})",
        )
        parser.add_argument(
            "--tagger",
            metavar="NAME",
            help="clsd: parts of speech that the file doesn't give: spacy:MODEL or stanza:LANGUAGE, if it is installed",
        )
        parser.add_argument("--device", default="auto", help="auto, cpu, cuda, cuda:1 (default: auto)")
        parser.add_argument("--format", default="text", choices=("text", "json"), help="default: text")

    def handle(self, *args: Any, **options: Any) -> None:
        models = options["models"]
        if len(set(models)) < len(models):
            raise CommandError("an encoder is named twice; name each once")
        self.announced = ""
        result: ClsdResult | CompositionalityResult | None
        try:
            if options["task"] == "clsd":
                rows = self.prepared(read_clsd(options["file"]), options)
                result = compare(models, rows=rows, device=options["device"], on_progress=self.announce).clsd
            else:
                samples = read_samples(options["file"])
                results = compare(models, samples=samples, device=options["device"], on_progress=self.announce)
                result = results.compositionality
        except (TableError, MethodError) as error:
            raise CommandError(str(error)) from error
        assert result is not None  # a file without rows is refused
        if options["format"] == "json":
            self.stdout.write(json.dumps(result.to_json(), allow_nan=False))
        else:
            lines = _clsd(result) if isinstance(result, ClsdResult) else _compositionality(result)
            self.stdout.write("\n".join([*lines, *_efforts(result.models)]))

    def prepared(self, rows: list[ClsdRow], options: dict[str, Any]) -> list[ClsdRow]:
        """The rows with what translation and a tagger add."""
        if options["tagger"]:
            rows = with_parts_of_speech(rows, tagger(options["tagger"]))
        if options["pivot"] == "translate":
            source, target = options["source_language"], options["target_language"]
            if not source or not target:
                raise CommandError("--pivot translate needs --source-language and --target-language")
            translate = model_translator(options["translation_model"], options["device"])
            rows = with_pivot(rows, translate, source, target, options["pivot_language"])
        return rows

    def announce(self, done: int, total: int, model: str) -> None:
        if model != self.announced:
            self.announced = model
            self.stderr.write(f"embedding with {model}")


def _clsd(result: ClsdResult) -> Iterator[str]:
    for each in result.models:
        score = each.score
        yield each.model
        yield f"  P@1: {_percent(score.direct.p_at_1)} of {score.direct.rows} rows"
        if score.pivot is not None:
            yield f"  P@1 through the pivot: {_percent(score.pivot.p_at_1)}"
            yield f"  right directly, wrong through the pivot, by line: {_lines(result, score.only_direct())}"
            yield f"  wrong directly, right through the pivot, by line: {_lines(result, score.only_pivot())}"
        yield f"  gap between translations and unrelated sentences: {_number(score.gap)}"
        if score.changes:
            yield "  one-word changes, in units of the gap:"
            yield f"  {'':8}{'changes':>9}{'cross-lingual':>15}{'monolingual':>13}{'correlation':>13}"
        for group, changes in score.changes.items():
            figures = f"{changes.rows:>9}{changes.cross:>15.3f}{changes.mono:>13.3f}"
            yield f"  {group:8}{figures}{_number(changes.correlation):>13}"
        yield ""


def _compositionality(result: CompositionalityResult) -> Iterator[str]:
    yield "Samples: " + ", ".join(f"{count} {name}" for name, count in result.counts().items())
    yield "Percentages: both conditions, only the first, only the second, neither."
    yield ""
    for each in result.models:
        yield each.model
        yield f"  {'':8}{'C1':>32}{'C3':>32}{'C4':>9}"
        for name, measure in each.score.measures.items():
            yield f"  {name:8}{_shares(measure.c1):>32}{_shares(measure.c3):>32}{_percent(measure.c4):>9}"
        yield f"  C2, projection of the overlap between A and B: {_percent(each.score.c2_inside)}"
        yield f"  C5, projection of the difference near A: {_percent(each.score.c5_near_a)}"
        yield f"  C6, projection of the union between A and B: {_percent(each.score.c6_inside)}"
        yield f"  mean ratio of the lengths of A and B (union): {_number(each.score.norm_ratio)}"
        yield ""


def _efforts(models: Sequence[Candidate[Any]]) -> Iterator[str]:
    for each in models:
        speed = each.effort.speed or 0.0
        line = f"{each.model}: {each.effort.parameters / 1e6:.1f} M parameters, {speed:.0f} sentences a second"
        if each.effort.memory is not None:
            line += f", {each.effort.memory / 1e6:.0f} MB of memory"
        if each.effort.truncated:
            line += f"; {each.effort.truncated} of {each.effort.sentences} sentences are over its input limit"
        yield line


def _lines(result: ClsdResult, positions: Sequence[int]) -> str:
    return ", ".join(str(result.rows[index].line) for index in positions) or "none"


def _shares(shares: Sequence[float] | None) -> str:
    return " / ".join(_percent(share) for share in shares) if shares else NONE


def _percent(share: float | None) -> str:
    return NONE if share is None else f"{100 * share:.2f}"


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"
