"""Errors that services and selectors raise to refuse a request. `config.errors` turns them into responses."""

from __future__ import annotations

from typing import Any

# Punctuation that ends a sentence in the interface's languages; after a colon something follows.
_ENDS = tuple(".!?:…。！？।؟")


def sentences(*parts: str) -> str:
    """Join what was wrong and what to do: every part but the last gets a full stop if it has no other punctuation."""
    texts = [part for part in parts if part]
    ended = [part if part.endswith(_ENDS) else f"{part}." for part in texts[:-1]]
    return " ".join([*ended, *texts[-1:]])


class DomainError(Exception):
    """A refusal: a stable code, a message for people, where it happened, and what to do."""

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
        # What a program needs in addition to the message, such as the newer work when a save conflicts.
        self.payload = payload or {}

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message, "where": self.where, "hint": self.hint}

    def __str__(self) -> str:
        text = sentences(self.message, self.hint)
        # What is wrong with a scheme says already where.
        named = text.startswith((f"{self.where}:", f"{self.where}."))
        return f"{self.where}: {text}" if self.where and not named else text


class NotFound(DomainError):
    """It doesn't exist, or this person may not know that it does."""

    status = 404
    code = "not-found"


class Forbidden(DomainError):
    """This person may know about it, but isn't allowed to do this."""

    status = 403
    code = "forbidden"


class Conflict(DomainError):
    """There is something newer already; nothing was changed."""

    status = 409
    code = "conflict"


class Invalid(DomainError):
    """What was sent is invalid; nothing was changed."""

    status = 422
    code = "invalid"
