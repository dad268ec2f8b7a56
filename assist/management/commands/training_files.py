"""`training_files`: a project's gold as prompts and answers, to fine-tune a language model on elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.errors import DomainError
from annotation.management.arguments import parse_settings
from annotation.selectors.projects import project_by_slug
from assist.methods.base import PairInput
from assist.methods.language_models.training import examples
from assist.methods.llm import Llm
from assist.methods.wordmodel import folds
from assist.runs.method_choice import method_for
from assist.runs.method_inputs import pair_inputs, read_pairs, snapshot

PARTS = 10
"""Without a split 'dev', one in so many pairs goes to the validation file."""


class Command(BaseCommand):
    help = (
        "Write a project's gold, or what was submitted where there is none, as prompts and answers of the method llm: "
        "train.jsonl and dev.jsonl in a new folder. Pairs of the split 'test' are excluded."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, help="the project's slug")
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE", dest="given", help="a setting of the method llm"
        )
        parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write; it must not exist")

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"]
        try:
            project = project_by_slug(options["project"])
            method = method_for(Llm.name, parse_settings(options["given"]), project.labels)
        except DomainError as error:
            raise CommandError(str(error)) from error
        assert isinstance(method, Llm)
        training = snapshot(project)
        pairs = pair_inputs(read_pairs(training["pairs"]), project.labels, training["annotations"])
        chosen = [pair for pair in pairs if pair.split.strip().casefold() != "test"]
        written = [
            (each, name)
            for pair, name in zip(chosen, files(chosen), strict=True)
            for each in examples(pair, method.prompt_options)
        ]
        if not written:
            raise CommandError(f"{project.slug} has no labelled pairs outside the split 'test': annotate some first")
        try:
            out.mkdir(parents=True)
        except OSError as error:
            raise CommandError(f"{out} can't be made ({error.strerror}): name a folder that does not exist") from error
        for name in ("train", "dev"):
            lines = [json.dumps(each, ensure_ascii=False) + "\n" for each, own in written if own == name]
            (out / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
            self.stdout.write(f"{out / name}.jsonl: {len(lines)} examples")


def files(pairs: list[PairInput]) -> list[str]:
    """The file of each pair: 'dev' for those of that split, or of about a tenth if there are none; else 'train'.

    Pairs that share a text or a sentence are in one file.
    """
    if any(pair.split.strip().casefold() == "dev" for pair in pairs):
        return ["dev" if pair.split.strip().casefold() == "dev" else "train" for pair in pairs]
    parts = folds.assign(pairs, [True] * len(pairs), PARTS, by_sentence=True)
    return ["dev" if part == 1 else "train" for part in parts.tolist()]
