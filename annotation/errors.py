"""What a service or selector raises when it refuses. `config.errors` turns these into responses, once."""

from __future__ import annotations

from typing import Any

# What ends a sentence in the languages of the interface; a colon announces what follows.
_ENDS = tuple(".!?:…。！？।؟")


def sentences(*parts: str) -> str:
    """What was wrong and what to do, one after the other: a part before another gets its full stop, if it has none."""
    given = [part for part in parts if part]
    ended = [part if part.endswith(_ENDS) else f"{part}." for part in given[:-1]]
    return " ".join([*ended, *given[-1:]])


class DomainError(Exception):
    """A refusal: a stable code, a sentence for people, where it happened, and what to do."""

    status = 400
    code = "refused"

    def __init__(
        self, message: str, *, code: str = "", where: str = "", hint: str = "", payload: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.where = where
        self.hint = hint
        # What a program needs beside the sentence: the newer work that a save met, say.
        self.payload = payload or {}

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message, "where": self.where, "hint": self.hint}

    def __str__(self) -> str:
        text = sentences(self.message, self.hint)
        return f"{self.where}: {text}" if self.where else text


class NotFound(DomainError):
    """There is no such thing, or none that this person may know of."""

    status = 404
    code = "not-found"


class Forbidden(DomainError):
    """This person may know of it, and may not do this."""

    status = 403
    code = "forbidden"


class Conflict(DomainError):
    """Something newer is there already; nothing was changed."""

    status = 409
    code = "conflict"


class Invalid(DomainError):
    """What was sent cannot be accepted; nothing was changed."""

    status = 422
    code = "invalid"
