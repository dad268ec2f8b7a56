"""`manage.py export --project SLUG --to FORMAT OUT`: a project as files."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agreement.publication.card import Terms
from agreement.publication.export import export, push
from agreement.publication.splits import Splits
from annotation.errors import DomainError
from annotation.formats import export_formats
from annotation.selectors.projects import project_by_slug


class Command(BaseCommand):
    """Write a project's pairs, annotations and newest gold."""

    help = "Export a project as files."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("out", type=Path, metavar="OUT", help="the folder or file to write")
        parser.add_argument("--project", required=True, metavar="SLUG")
        formats = export_formats()
        contents = "; ".join(f"{name}: {each.exports}" for name, each in formats.items())
        parser.add_argument("--to", required=True, choices=formats, help=contents)
        parser.add_argument(
            "--licence", default="unknown", help="licence of a dataset: a hub identifier such as cc-by-4.0"
        )
        parser.add_argument(
            "--describe", type=Path, metavar="FILE", help="Markdown file for the top of the dataset card"
        )
        parser.add_argument(
            "--splits", default="", metavar="NAME=SHARE,…", help="draw splits, for example train=80,dev=10,test=10"
        )
        parser.add_argument("--seed", type=int, default=1, help="seed of the draw")
        parser.add_argument("--push", metavar="OWNER/NAME", help="also push the folder to a hub (needs HF_TOKEN)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            description = options["describe"].read_text(encoding="utf-8") if options["describe"] else ""
            written = export(
                project=project_by_slug(options["project"]),
                to=options["to"],
                out=options["out"].absolute(),
                terms=Terms(options["licence"], description),
                splits=Splits.parse(options["splits"], options["seed"]),
            )
            for path in written:
                self.stdout.write(str(path))
            if options["push"]:
                token = os.environ.get("HF_TOKEN", "")
                self.stdout.write(push(folder=options["out"].absolute(), repository=options["push"], token=token))
        except DomainError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
