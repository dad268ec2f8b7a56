"""The card of a trained encoder: what it was trained on and how, how good it is, and what it is useful for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from assist.methods.joint.saved import About


def card(
    about: About, *, project: str, languages: Sequence[str], settings: Mapping[str, Any], report: Mapping[str, Any]
) -> str:
    """The card as Markdown with the fields that model hubs read."""
    # An encoder that lay in a folder of the server has no public name.
    base = {"base_model": about.encoder} if "/" in about.encoder else {}
    fields = {
        "library_name": "diptych",
        **base,
        "language": list(languages),
        "pipeline_tag": "token-classification",
        "tags": ["diptych", f"diptych-{about.target}"],
    }
    what = "how much each word differs in meaning" if about.target == "graded" else "which words are new"
    head = yaml.safe_dump(fields, sort_keys=False, allow_unicode=True)
    rows = [f"| {name} | {_cell(value)} |" for name, value in settings.items() if value is not None]
    folds = [
        f"| {number} | {each.get('rate')} | {each.get('epochs')} | {each.get('loss', '')} |"
        for number, each in enumerate(report.get("folds", []), 1)
    ]
    chosen = next((each for each in report.get("curve", []) if each["threshold"] == report.get("threshold")), None)
    return f"""---
{head}---

# {_cell(project)}: a trained encoder

An encoder that reads two texts as one input and gives each word a value from 0 to 1: {what} from the other text. Its
base is {_cell(about.encoder)} (revision `{about.revision}`).

## What it was trained on

{about.documents} documents of the project “{_cell(project)}” that people labelled, in {", ".join(languages)}. Documents
of the split `test` were left out. There are {about.folds} sets of weights, one for each fold: each was trained without
the documents of its fold, and without others that share a text or a sentence with them. `fold_of` in
`trained.json` has the fold of each text by its SHA-256 digest: whoever has a text can tell whether it was among them.

## How

| setting | value |
| --- | --- |
{_lines(rows)}

| fold | learning rate | epochs | validation loss |
| --- | --- | --- | --- |
{_lines(folds)}

## How good it is

{_quality(chosen)} Measure it on labelled documents of your own before you rely on it.

## Use

Put this folder into the folder of models of a Diptych server and request the method `finetuned` with `trained=NAME`;
documents that were trained on are scored by the weights of the fold that has not seen them, others by the mean of all.
It was trained on these languages and this kind of text: expect less of it elsewhere. The licence is for you to choose,
within those of the base encoder and of the texts.
"""


def _cell(value: object) -> str:
    """A value in one line of a table."""
    return " ".join(str(value).replace("|", "\\|").split())


def _lines(rows: Sequence[str]) -> str:
    return "\n".join(rows)


def _quality(chosen: Mapping[str, float] | None) -> str:
    if chosen is None:
        return "There were too few labels to say."
    return (
        f"On the labelled documents, each scored by weights that had not seen it, words from a score of "
        f"{chosen['threshold']:.3f} have a precision of {100 * chosen['precision']:.1f} % and a recall of "
        f"{100 * chosen['recall']:.1f} % (F1 {100 * chosen['f1']:.1f})."
    )
