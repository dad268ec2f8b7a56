"""`save_model`: what a run of the method `finetuned` trained, as a folder that other projects and sites can use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.errors import DomainError
from annotation.selectors.projects import project_by_slug
from assist.methods.base import create
from assist.methods.encoder.pretrained import display_name
from assist.methods.finetuned import FinetunedModel
from assist.methods.joint.card import card
from assist.methods.joint.saved import About, TrainedEncoder, save
from assist.runs import modelstore
from assist.runs.selectors import pair_languages, run_get


class Command(BaseCommand):
    help = (
        "Save what a run of the method finetuned trained: weights as safetensors and a card, in a new folder. "
        "`--set trained=FOLDER` uses it. Run it on the machine whose worker fitted the run."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, help="the project's slug")
        parser.add_argument("--run", required=True, help="the run's name")
        parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write; it must not exist")

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"]
        try:
            project = project_by_slug(options["project"])
            run = run_get(project, options["run"])
        except DomainError as error:
            raise CommandError(str(error)) from error
        model = modelstore.stored_model(f"{project.slug}.{run.slug}", run.digest)
        if not isinstance(model, FinetunedModel) or not model.weights:
            raise CommandError(
                f"{run.slug} has nothing to save on this machine: only runs of finetuned that have trained something "
                "do, where their worker fitted them"
            )
        settings = create(run.method, run.settings).settings
        about = About(
            encoder=display_name(model.encoder),
            revision=model.revision,
            lora=model.lora,
            embeddings=model.embeddings,
            target=settings.target,
            documents=model.documents,
            folds=len(model.weights),
            fold_of=model.fold_of,
        )
        languages = sorted({language for pair in pair_languages(project) for language in pair})
        text = card(
            about,
            project=project.name,
            languages=languages,
            settings=settings.model_dump(),
            report=run.report,
        )
        try:
            save(out, TrainedEncoder(about, model.weights), text)
        except OSError as error:
            raise CommandError(
                f"{out} can't be written ({error.strerror}): name a folder that does not exist"
            ) from error
        size = sum(file.stat().st_size for file in out.iterdir())
        self.stdout.write(f"{out}: {len(model.weights)} folds, {size / 1e6:.1f} MB")
