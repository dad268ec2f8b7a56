"""A log-in with the provider that did not succeed."""

from __future__ import annotations

STATUS = {"cancelled": 403, "state": 400, "unreachable": 502, "answer": 502}


class OpenIDLoginError(Exception):
    """`code`: `cancelled` (there), `state` (started elsewhere, or too long ago), `unreachable`, or `answer`: one that
    can't be believed.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
        self.status = STATUS[code]
