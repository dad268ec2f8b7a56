"""Pre-labelling runs as other apps see them: read by the app that has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from annotation.hooks import RUN_READER
from annotation.models import Project

FAILURES = ("repaired", "unusable", "padded")
"""Problems that answers of language models may have: repaired, unreadable, words without a label."""
DENOMINATORS = {"repaired": "answers", "unusable": "answers", "padded": "tokens"}
"""The total that each problem is counted against."""


@dataclass(frozen=True, slots=True)
class RunFailures:
    """The failures of a run: of the pairs that it has processed, how many failed, and how many got no result;
    answers of a language model.

    `no_result` counts pairs. `faulty` maps each kind of problem to the number of answers (or tokens) that have it and
    the total; it is empty for other methods.
    """

    run: str
    method: str
    pairs: int
    failed: int
    no_result: int
    faulty: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class RunPair:
    """A pair that a run has processed: why it failed ('' if it did not), whether it got no result, and, for
    language models, the number of faulty answers by kind and the total.
    """

    pair: int
    failed: str
    no_result: bool
    faulty: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class RunOrigin:
    """When a run was requested, and by pair (its key as text) the pairs that its labels were carried over from."""

    requested: datetime
    sources: Mapping[str, Any]


class RunReader(Protocol):
    """Reads the runs of one project; a run is named by its slug."""

    def __init__(self, project: Project) -> None: ...

    def state(self) -> list[tuple[int, int, int, str]]:
        """Every run's key, pairs done and failed, and the digest of its model, in the order of keys."""

    def settings(self) -> dict[str, dict[str, Any]]:
        """Every run's settings."""

    def origin(self, run: str) -> RunOrigin | None:
        """When a run was requested, and where its labels come from; None if there is no such run."""

    def first_requested(self, method: str) -> datetime | None:
        """When a method, in any of its versions, was first requested; None if it never was."""

    def failures(self) -> list[RunFailures]:
        """Every run's failures, oldest first."""

    def pairs(self, run: str) -> list[RunPair] | None:
        """The pairs that a run has processed, by key; None if there is no such run."""


def run_reader(project: Project) -> RunReader:
    """The reader of a project's runs."""
    readers: Iterator[type[RunReader]] = iter(RUN_READER)
    return next(readers)(project)
