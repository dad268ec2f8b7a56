"""`manage.py export --project SLUG --to FORMAT OUT`: a project as files."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from agreement.publication.card import Terms
from agreement.publication.export import export, export_format
from agreement.publication.facts import (
    DESCRIPTION,
    LICENCE,
    LICENCES,
    NAMES,
    UNKNOWN,
    CardFacts,
    check_licence,
    facts_missing,
    facts_of,
)
from agreement.publication.hub_push import PushTarget, check_target, check_token, push
from agreement.publication.services.facts import check_publishable, validated_facts
from agreement.publication.splits import Splits
from annotation import strict_json
from annotation.errors import DomainError, Invalid
from annotation.formats import export_formats
from annotation.models import Project
from annotation.models.lifecycle import ProjectEventType
from annotation.selectors.projects import project_by_slug
from annotation.services.audit_events import event_record


def _with_options(lacks: list[str]) -> str:
    """The names of what a card lacks, each followed by the options that state it."""
    own = {LICENCE: "--licence ID", DESCRIPTION: "--describe FILE"}
    facts = [name for name in lacks if name not in own]
    named = [f"{name} ({option})" for name, option in own.items() if name in lacks]
    if facts:
        named.append(f"{', '.join(facts)} (--fact NAME=TEXT or --facts FILE)")
    return "; ".join(named)


class Command(BaseCommand):
    """Write a project's pairs, annotations and newest gold."""

    help = "Export a project as files."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("out", type=Path, metavar="OUT", help="the folder or file to write")
        parser.add_argument("--project", required=True, metavar="SLUG", help="the project's slug")
        formats = export_formats()
        contents = "; ".join(f"{name}: {each.exports}" for name, each in formats.items())
        parser.add_argument("--to", required=True, choices=formats, help=contents)
        licences = ", ".join(name for name, _ in LICENCES)
        parser.add_argument("--licence", default=UNKNOWN, metavar="ID", help=f"licence of a dataset: {licences}")
        parser.add_argument(
            "--describe", type=Path, metavar="FILE", help="Markdown file for the top of the dataset card"
        )
        parser.add_argument(
            "--splits", default="", metavar="NAME=SHARE,…", help="draw splits, for example train=80,dev=10,test=10"
        )
        parser.add_argument(
            "--seed", type=int, default=1, help="seed of --splits: the same one draws the same splits (default: 1)"
        )
        parser.add_argument(
            "--fact", action="append", default=[], metavar="NAME=TEXT", help=f"state on the card: {', '.join(NAMES)}"
        )
        parser.add_argument("--facts", type=Path, metavar="FILE", help="what --fact states, as a JSON object in a file")
        parser.add_argument("--names", action="store_true", help="in an archive: people's own names, not numbers")
        parser.add_argument("--push", metavar="OWNER/NAME", help="also push the folder to a hub (needs HF_TOKEN)")
        parser.add_argument("--tag", default="v1", metavar="VERSION", help="the tag of what is pushed (default: v1)")
        parser.add_argument("--public", action="store_true", help="make the repository public if it is made now")

    def _facts(self, project: Project, options: dict[str, Any]) -> CardFacts:
        """What the card states: the project's facts, those in the file, and the options, later ones first.

        Raises Invalid.
        """
        stated, _revision = facts_of(project)
        values: dict[str, Any] = {name: getattr(stated, name) for name in NAMES}
        if options["facts"]:
            try:
                file_facts = strict_json.loads(options["facts"].read_text(encoding="utf-8"))
            except (strict_json.JSONError, UnicodeDecodeError) as error:
                raise Invalid(f"This is not valid JSON: {error}", where=str(options["facts"])) from error
            if not isinstance(file_facts, dict) or not all(isinstance(value, str) for value in file_facts.values()):
                raise Invalid("A JSON object of strings is expected.", where=str(options["facts"]))
            values |= file_facts
        for each in options["fact"]:
            name, equals, value = each.partition("=")
            if not equals:
                raise Invalid("NAME=TEXT is expected.", where=each)
            values[name] = value
        return validated_facts(values)

    @staticmethod
    def _description(file: Path | None) -> str:
        """The Markdown for the top of the card. Raises Invalid."""
        try:
            return file.read_text(encoding="utf-8") if file else ""
        except UnicodeDecodeError as error:
            raise Invalid("Not valid UTF-8; save the file as UTF-8.", where=str(file)) from error

    def _tell(self, *lines: str) -> None:
        """Print lines; if the reader has closed the pipe (`… | head`), the export continues silently."""
        try:
            for line in lines:
                self.stdout.write(line)
            self.stdout.flush()
        except BrokenPipeError:
            # What is still buffered would fail again when the process ends.
            with Path(os.devnull).open("w") as nowhere:
                os.dup2(nowhere.fileno(), self.stdout.fileno())

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            description = self._description(options["describe"])
            omitted: Counter[str] = Counter()
            project = project_by_slug(options["project"])
            facts = self._facts(project, options)
            check_licence(options["licence"])
            token = os.environ.get("HF_TOKEN", "").strip()
            if options["push"]:
                if not token:
                    raise CommandError("--push needs a token of the hub: set HF_TOKEN")
                check_target(PushTarget(options["push"], options["tag"]))
                check_token(token)
                if not export_format(options["to"]).dataset:
                    raise CommandError("Only a dataset folder (--to hub) can be pushed to a hub.")
                check_publishable(project, facts=facts, licence=options["licence"], description=description)
            elif export_format(options["to"]).dataset and (
                lacks := facts_missing(project, facts, options["licence"], description)
            ):
                self.stderr.write(f"Not stated on the card: {_with_options(lacks)}")
            written = export(
                project=project,
                to=options["to"],
                out=options["out"].absolute(),
                terms=Terms(options["licence"], description),
                splits=Splits.parse(options["splits"], options["seed"]),
                omitted=omitted,
                facts=facts,
                named=options["names"],
            )
            try:
                event_record(project=project, what=ProjectEventType.EXPORTED, format=options["to"])
            except DatabaseError as error:  # its disk is full or read-only: the files are complete
                self.stderr.write(f"Not recorded among the project's changes: {error}")
            self._tell(*map(str, written))
            for reason, number in sorted(omitted.items()):
                self.stderr.write(f"not in this format: {number} {reason}")
            if options["push"]:
                target = PushTarget(options["push"], options["tag"], not options["public"])
                self._tell(push(folder=options["out"].absolute(), target=target, token=token))
        except DomainError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or options['out']}: {error.strerror}") from error
