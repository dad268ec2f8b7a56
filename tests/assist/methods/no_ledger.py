"""Asking language models without a ledger of what they cost, as no run does."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.progress import OnProgress
from assist.methods.language_models.asking import SendingOptions, ask
from assist.methods.language_models.client import Reply
from assist.methods.language_models.prompt import Request
from assist.methods.language_models.site import ModelTarget


class NoLedger:
    """Allows everything and keeps nothing."""

    def stored_answers(self, keys: Sequence[str]) -> dict[str, str]:
        return {}

    def allow(self, amount: float) -> float:
        return 0.0

    def record_answer(self, key: str, amount: float, reply: Reply) -> None: ...

    def release(self, amount: float) -> None: ...

    def keep_reserved(self, amount: float) -> None: ...


def ask_without_ledger(
    to: ModelTarget, requests: Sequence[Request], how: SendingOptions, on_progress: OnProgress | None
) -> list[str]:
    """Ask without a ledger."""
    return ask(to, requests, how, NoLedger(), on_progress)
