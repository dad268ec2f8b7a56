"""`finetune_llm`: train a language model's adapters on the files of `training_files`."""

from __future__ import annotations

import math
import tempfile
from dataclasses import fields
from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import BaseCommand, CommandError, CommandParser

from assist.methods.base import MethodError
from assist.methods.encoder.pretrained import display_name
from assist.methods.language_models.finetuning import TrainingFileError, Tuned, Tuning, finetune, read_examples

HELP = {
    "rank": "rank of the adapters",
    "rate": "learning rate",
    "epochs": "maximum number of passes over the examples",
    "batch": "examples in a step",
    "parts": "parts of a step that are computed one after the other: more need less memory",
    "length": "longest example in subwords; longer ones are excluded",
    "seed": "seed of all random choices",
}


class Command(BaseCommand):
    help = (
        "Fine-tune a causal language model on what training_files wrote: low-rank adapters, trained on the answers "
        "until the loss on dev.jsonl no longer falls. OUT gets the adapters, the tokenizer and a card."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", type=Path, metavar="FILES", help="the folder that training_files wrote")
        parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write; it must not exist")
        parser.add_argument("--model", required=True, help="a folder, or a model's Hugging Face name")
        parser.add_argument("--revision", help="commit, branch or tag of a model from a hub")
        for each in fields(Tuning):
            kind = float if each.name == "rate" else int
            parser.add_argument(
                f"--{each.name}", type=kind, default=each.default, help=f"{HELP[each.name]} (default: {each.default})"
            )

    def handle(self, *args: Any, **options: Any) -> None:
        out, model = options["out"], str(options["model"])
        tuning = Tuning(**{each.name: options[each.name] for each in fields(Tuning)})
        sizes = {each.name: getattr(tuning, each.name) for each in fields(Tuning) if each.name != "seed"}
        if wrong := [name for name, value in sizes.items() if not 0 < value < math.inf]:
            raise CommandError(f"--{wrong[0]}: must be more than 0")
        if out.exists():
            raise CommandError(f"{out} exists: name a folder that does not")
        try:
            train, dev = (read_examples(options["files"] / f"{name}.jsonl") for name in ("train", "dev"))
            folder = str(Path(model).resolve()) if Path(model).is_dir() else model
            out.parent.mkdir(parents=True, exist_ok=True)
            # A folder that can't be written is noticed before training, and OUT is there only once it is whole.
            with tempfile.TemporaryDirectory(dir=out.parent) as half:
                unfinished = Path(half) / "made"
                tuned = finetune(folder, options["revision"], train, dev, unfinished, tuning, self.stdout.write)
                (unfinished / "README.md").write_text(card(display_name(folder), tuning, tuned), encoding="utf-8")
                unfinished.rename(out)
        except OSError as error:
            raise CommandError(f"{error.filename or out}: {error.strerror}") from error
        except (MethodError, TrainingFileError) as error:
            raise CommandError(str(error)) from error
        left_out = f"; {tuned.too_long} were longer and are excluded" if tuned.too_long else ""
        self.stdout.write(f"{out}: epoch {tuned.epoch}, trained on {tuned.trained_on} examples{left_out}")


def card(model: str, tuning: Tuning, tuned: Tuned) -> str:
    """What was trained, as Markdown with the fields that model hubs read."""
    fields_ = {"base_model": model, "library_name": "peft", "tags": ["diptych", "lora"]}
    head = yaml.safe_dump(fields_, sort_keys=False, allow_unicode=True)
    rows = [f"| {each.name} | {getattr(tuning, each.name)} |" for each in fields(Tuning)]
    losses = [f"| {number} | {loss:.4f} |" for number, loss in enumerate(tuned.losses, 1)]
    lines = "\n".join(rows)
    epochs = "\n".join(losses)
    return f"""---
{head}---

# Adapters for {model}

Low-rank adapters that answer requests of Diptych's method `llm`, trained on {tuned.trained_on} requests and the
answers that people's labels give ({tuned.too_long} longer ones were left out). The base is {model}, revision
`{tuned.revision}`. The epoch that was kept is {tuned.epoch}. Serve base and adapters with any OpenAI-compatible server,
and name that server to `llm`, with the settings (`unit`, `target`, `prompt`, `instructions`) that the training files
were written with.

| setting | value |
| --- | --- |
{lines}

| epoch | validation loss |
| --- | --- |
{epochs}

The licence is for you to choose, within those of the base model and of the texts.
"""
