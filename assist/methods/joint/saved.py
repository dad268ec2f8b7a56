"""A trained encoder in a folder: the weights of each fold as safetensors, what belongs to them, and a card.

What is read is checked: the folder may come from elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from annotation.phrases import Phrase
from assist.methods.base import MethodError
from assist.methods.encoder.pretrained import display_name, links_outside, model_location
from assist.methods.joint.training import Weights
from assist.phrases.model_phrases import LINK_OUTSIDE, NO_TRAINED, TRAINED, UNREADABLE_TRAINED

ABOUT = "trained.json"
CARD = "README.md"


class About(BaseModel):
    """What a folder says of its weights.

    ``fold_of``: of each text that was trained on, by its digest, the fold that has not seen it. ``encoder``, at
    ``revision``, takes the weights with these ``lora`` and ``embeddings``.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    format: Literal[1] = 1
    encoder: str = Field(max_length=300)
    revision: str = Field(max_length=300)
    lora: int | None = Field(ge=1)
    embeddings: bool
    target: Literal["graded", "new"]
    documents: int = Field(ge=0)
    folds: int = Field(ge=1, le=100)
    fold_of: dict[str, int]

    @field_validator("encoder")
    @classmethod
    def _no_path(cls, encoder: str) -> str:
        """A folder from elsewhere must not have another folder of the server read."""
        parts = encoder.split("/")
        if len(parts) > 2 or encoder.startswith("~") or not all(parts) or not {".", ".."}.isdisjoint(parts):
            raise ValueError("not a name")
        return encoder


@dataclass(frozen=True, slots=True)
class TrainedEncoder:
    """What training gave: one entry of ``weights`` for each fold."""

    about: About
    weights: tuple[Weights, ...]


def save(folder: Path, trained: TrainedEncoder, card: str) -> None:
    """Write a new folder. Raises OSError, for one that exists too."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True)
    for number, weights in enumerate(trained.weights):
        save_file(weights, folder / _file(number))
    (folder / CARD).write_text(card, encoding="utf-8")
    # Last: a folder without it is not read.
    (folder / ABOUT).write_text(trained.about.model_dump_json(indent=1), encoding="utf-8")


def folder_problem(name: str) -> Phrase | None:
    """Why the folder of a trained encoder can't be used, in a sentence; None if it can, as far as it says itself."""
    params: dict[str, str | Phrase] = {"kind": TRAINED, "name": display_name(name)}
    folder = Path(model_location(name))
    if not (folder.is_absolute() and (folder / ABOUT).is_file()):
        return NO_TRAINED.with_params(**params)
    if links_outside(folder):
        return LINK_OUTSIDE.with_params(**params)
    try:
        _about(name)
    except MethodError:
        return UNREADABLE_TRAINED.with_params(name=display_name(name), file=ABOUT)
    return None


def read_about(name: str) -> About:
    """What a folder says of its weights. MethodError if it is not one."""
    if reason := folder_problem(name):
        raise MethodError(reason)
    return _about(name)


def _about(name: str) -> About:
    try:
        about = About.model_validate_json((Path(model_location(name)) / ABOUT).read_bytes())
    except (OSError, ValidationError) as error:
        raise _unreadable(name, ABOUT) from error
    if not all(0 <= fold < about.folds for fold in about.fold_of.values()):
        raise _unreadable(name, ABOUT)
    return about


def read(name: str) -> TrainedEncoder:
    """A trained encoder from its folder. MethodError if there is none that can be read."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    about, weights = read_about(name), []
    for number in range(about.folds):
        try:
            weights.append(load_file(Path(model_location(name)) / _file(number)))
        except (OSError, SafetensorError, ValueError, KeyError, TypeError) as error:
            raise _unreadable(name, _file(number)) from error
        if not all(np.isfinite(each).all() for each in weights[-1].values()):
            raise _unreadable(name, _file(number))
    return TrainedEncoder(about, tuple(weights))


def _file(number: int) -> str:
    return f"fold-{number + 1}.safetensors"


def _unreadable(name: str, file: str) -> MethodError:
    return MethodError(UNREADABLE_TRAINED.with_params(name=display_name(name), file=file))
