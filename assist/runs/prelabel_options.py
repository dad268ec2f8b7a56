"""A project's options of automatic pre-labelling, stored under "prelabel" in `Project.settings`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

KEY = "prelabel"
METHOD = "default"


@dataclass(frozen=True, slots=True)
class PrelabelOptions:
    """automatic: new pairs are pre-labelled without a request, with `method` and its `settings`.

    retrain_after: a method that learns is retrained when this many pairs have new human or gold work; 0 for never.
    """

    automatic: bool = False
    method: str = METHOD
    settings: dict[str, Any] = field(default_factory=dict)
    retrain_after: int = 20

    def __post_init__(self) -> None:
        if type(self.retrain_after) is not int or self.retrain_after < 0:
            raise ValueError(f"retrain_after: a whole number of pairs from 0, not {self.retrain_after!r}")

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> PrelabelOptions:
        """The options in a project's settings; missing ones have their defaults."""
        options = settings.get(KEY, {})
        return cls(**{key: options[key] for key in cls.__slots__ if key in options})
