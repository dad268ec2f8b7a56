"""The roles, phases, statuses, verdicts and states of invitations, as they are stored, sent and exported.

Each is defined only here. Pure, so that formats, plans and rules can use them too; `models` re-exports them next to the
rows that hold them, and `display_names` has their translated names.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import EnumType, StrEnum
from typing import Any


class _Choices(EnumType):
    """The interface of Django's choices: `values`, `choices` for a field, and members by name in templates."""

    do_not_call_in_templates = True

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


class ReadingLevel(StrEnum, metaclass=_Choices):
    """How well someone reads a language, from least to most: the CEFR levels, and the language they grew up with."""

    A1 = "A1"
    A2 = "A2"
    B1 = "B1"
    B2 = "B2"
    C1 = "C1"
    C2 = "C2"
    NATIVE = "native"


class Phase(StrEnum, metaclass=_Choices):
    QUALIFICATION = "qualification"
    TRIAL = "trial"
    MAIN = "main"


class Status(StrEnum, metaclass=_Choices):
    """The status of an assignment; REASSIGNED: assigned to someone else after this person had started it."""

    OPEN = "open"
    STARTED = "started"
    DONE = "done"
    SKIPPED = "skipped"
    REASSIGNED = "reassigned"


UNFINISHED = (Status.OPEN, Status.STARTED)
FINISHED = (Status.DONE, Status.SKIPPED)


class Verdict(StrEnum, metaclass=_Choices):
    """An annotator's verdict when they finish a pair; NONE until then."""

    NONE = ""
    SUBMITTED = "submitted"
    REJECTED = "rejected"
    FLAGGED = "flagged"
    SKIPPED = "skipped"


FINAL_VERDICTS = tuple(each for each in Verdict if each)
"""Every verdict except NONE."""


class InvitationState(StrEnum, metaclass=_Choices):
    """What has become of an invitation; OPEN: it can be accepted."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REVOKED = "revoked"
    EXPIRED = "expired"


def template_context(_request: object) -> dict[str, EnumType]:
    """The context processor by which every page's template can compare with these values, such as `Status.OPEN`."""
    return {each.__name__: each for each in (InvitationState, Phase, Role, Status, Verdict)}
