"""The roles, phases, states and verdicts there are, as they are stored, sent and exported.

Each is defined here alone. Pure, so that formats, plans and rules read them too; `models` offers them beside the rows
that hold them, and `display_names` has their names for readers.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import EnumType, StrEnum
from typing import Any


class _Choices(EnumType):
    """What Django's own choices have: `values`, and `choices` as a field lists them."""

    @property
    def values(cls) -> list[str]:
        members: Mapping[str, Any] = cls.__members__
        return [each.value for each in members.values()]

    @property
    def choices(cls) -> list[tuple[str, str]]:
        return [(value, value) for value in cls.values]


class Role(StrEnum, metaclass=_Choices):
    LEAD = "lead"
    ADJUDICATOR = "adjudicator"
    ANNOTATOR = "annotator"


class Phase(StrEnum, metaclass=_Choices):
    QUALIFICATION = "qualification"
    TRIAL = "trial"
    MAIN = "main"


class Status(StrEnum, metaclass=_Choices):
    """How far an assignment is; REASSIGNED: somebody else was given the pair after this person had begun it."""

    OPEN = "open"
    STARTED = "started"
    DONE = "done"
    SKIPPED = "skipped"
    REASSIGNED = "reassigned"


class Verdict(StrEnum, metaclass=_Choices):
    """What somebody says of a pair as they end their work on it; NONE as long as they have not."""

    NONE = ""
    SUBMITTED = "submitted"
    REJECTED = "rejected"
    FLAGGED = "flagged"
    SKIPPED = "skipped"


FINAL_VERDICTS = tuple(each for each in Verdict if each)
"""Every verdict but none."""
