"""Sends many requests to a server: several in parallel, retried after errors, within the allowed rate and cost.

A ledger knows what was answered before, allows each request before it is sent (and not after), and records what came
of it. That of a run is in the database (`assist.llm.ledger`).
"""

import logging
import queue
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from annotation.outgoing_requests import FailureReason
from annotation.phrases import Phrase
from annotation.progress import OnProgress
from assist.methods.base import MethodError, RunEnds
from assist.methods.language_models.client import ApiVariant, NoResponse, Reply, ServerError, Structured, send
from assist.methods.language_models.cost import max_cost
from assist.methods.language_models.prompt import Request
from assist.methods.language_models.site import ModelTarget
from assist.phrases.llm_phrases import (
    BUSY,
    ERRORS,
    KEY_REFUSED,
    NOT_AN_ANSWER,
    NOT_FOUND,
    PRIVATE_NAME,
    REFUSED,
    SILENT,
    UNREACHABLE,
)

LOG = logging.getLogger(__name__)

ATTEMPTS = 5
"""How often the same is asked if the server answers with errors that may pass, or not at all."""
UNKNOWN_SERVER_ATTEMPTS = 2
"""How often the same is asked of a server that can't be reached or is silent, if this process has never heard from it:
its address is more likely wrong than its answers late.
"""
FIRST_WAIT, MAX_WAIT_SECONDS = 1.0, 60.0
"""Seconds before the second attempt, which double with each; and the longest."""
MAX_RETRY_AFTER_SECONDS = 300.0
"""If a Retry-After is longer than this, the run ends, to be retried by a person."""
_LOOK = 0.5
"""Seconds between looks at whether the work is cancelled."""
_REPEATED = (408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529)


@dataclass(frozen=True, slots=True)
class SendingOptions:
    """How to ask: ``structured`` 'auto' takes what the server understands; ``parallel`` requests at a time."""

    structured: Literal["auto", "schema", "object", "none"] = "auto"
    parallel: int = 4
    first_wait: float = field(default_factory=lambda: FIRST_WAIT)

    def first_variant(self) -> ApiVariant:
        structured: Structured = "schema" if self.structured == "auto" else self.structured
        return ApiVariant(structured)


class RequestLedger(Protocol):
    """A record of what is asked, and what it may cost. All methods are called by one thread."""

    def stored_answers(self, keys: Sequence[str]) -> dict[str, str]:
        """The texts of the answers that exist already."""

    def allow(self, amount: float) -> float:
        """Reserve a request's highest possible cost; 0, or the seconds to wait before asking again.

        Raises RunEnds if a limit would be exceeded.
        """

    def record_answer(self, key: str, amount: float, reply: Reply) -> None:
        """Keep an answer, and what it cost in place of what was reserved."""

    def release(self, amount: float) -> None:
        """The server did nothing: nothing was spent."""

    def keep_reserved(self, amount: float) -> None:
        """Nobody knows what the server did: what was reserved counts as spent."""


@dataclass(slots=True)
class _PendingRequest:
    key: str
    request: Request
    max_cost: float
    variant: ApiVariant
    tries: int = 0
    ready: float = 0.0


_Outcome = tuple[_PendingRequest, Reply | Exception]
_variants: dict[tuple[str, str], ApiVariant] = {}
"""What models on servers have accepted, so that each is tried out once in a process."""
_known_servers: set[str] = set()
"""The servers that have answered this process, whatever they said."""


def ask(
    target: ModelTarget,
    requests: Sequence[Request],
    options: SendingOptions,
    ledger: RequestLedger,
    on_progress: OnProgress | None = None,
) -> list[str]:
    """The answers' texts, in order; equal requests are sent once.

    Raises RunEnds if there is no point in going on, MethodError if the server refuses one request; what else was asked
    is answered and kept first.
    """
    keys = [each.digest(target.url, target.model, options.structured) for each in requests]
    answers = ledger.stored_answers(keys)
    requests_by_key = dict(zip(keys, requests, strict=True))
    sending = _Round(target, options, ledger)
    sending.waiting = [
        _PendingRequest(key, each, max_cost(each, target.price), sending.variant)
        for key, each in requests_by_key.items()
        if key not in answers
    ]

    def report_progress() -> None:
        if on_progress is not None:
            on_progress(max(1, len(answers)), max(1, len(requests_by_key)), "asking")

    report_progress()
    while sending.waiting or sending.running:
        for key, text in sending.step():
            answers[key] = text
        report_progress()
    if sending.ending is not None:
        raise sending.ending
    if sending.failure is not None:
        raise sending.failure
    return [answers[key] for key in keys]


@dataclass
class _Round:
    """The work of one call of `ask`."""

    target: ModelTarget
    options: SendingOptions
    ledger: RequestLedger
    waiting: list[_PendingRequest] = field(default_factory=list)
    running: int = 0
    pause: float = 0.0
    ending: RunEnds | None = None
    failure: MethodError | None = None
    outcomes: "queue.Queue[_Outcome]" = field(default_factory=queue.Queue)

    @property
    def variant(self) -> ApiVariant:
        if self.options.structured != "auto":
            return self.options.first_variant()
        return _variants.get((self.target.url, self.target.model), self.options.first_variant())

    def step(self) -> list[tuple[str, str]]:
        """Send what may be sent, wait a moment for answers, and return those that came."""
        self._send()
        answered: list[tuple[str, str]] = []
        try:
            outcome = self.outcomes.get(timeout=self._wait_seconds())
        except queue.Empty:
            return answered
        while True:
            self.running -= 1
            text = self._settle(*outcome)
            if text is not None:
                answered.append((outcome[0].key, text))
            try:
                outcome = self.outcomes.get_nowait()
            except queue.Empty:
                return answered

    def _wait_seconds(self) -> float:
        """How long to wait for an answer: until something else can be sent, but not for long."""
        if self.running >= self.options.parallel or not self.waiting:
            return _LOOK
        next_time = max(self.pause, min(each.ready for each in self.waiting))
        return min(_LOOK, max(0.01, next_time - time.monotonic()))

    def _send(self) -> None:
        now = time.monotonic()
        while self.running < self.options.parallel and self.pause <= now:
            pending = next((each for each in self.waiting if each.ready <= now), None)
            if pending is None:
                return
            try:
                wait = self.ledger.allow(pending.max_cost)
            except RunEnds as error:
                self._end(error)
                return
            if wait > 0:
                self.pause = now + wait
                return
            self.waiting.remove(pending)
            self.running += 1
            # A daemon: a worker that is told to stop need not wait for a server.
            threading.Thread(target=self._ask, args=(pending,), daemon=True).start()

    def _ask(self, pending: _PendingRequest) -> None:
        try:
            self.outcomes.put((pending, send(self.target, pending.request, pending.variant)))
        except Exception as error:
            self.outcomes.put((pending, error))

    def _settle(self, pending: _PendingRequest, outcome: Reply | Exception) -> str | None:
        if isinstance(outcome, (Reply, ServerError)):
            _known_servers.add(self.target.url)
        if isinstance(outcome, Reply):
            self.ledger.record_answer(pending.key, pending.max_cost, outcome)
            _variants[self.target.url, self.target.model] = pending.variant
            return outcome.text
        if isinstance(outcome, ServerError):
            self.ledger.release(pending.max_cost)
            self._refused(pending, outcome)
        elif isinstance(outcome, NoResponse):
            (self.ledger.keep_reserved if outcome.billed else self.ledger.release)(pending.max_cost)
            self._lost(pending, outcome)
        else:
            self.ledger.keep_reserved(pending.max_cost)
            raise outcome
        return None

    def _refused(self, pending: _PendingRequest, error: ServerError) -> None:
        details = {"server": self.target.host, "status": str(error.status), "reason": error.reason}
        if error.status in (401, 403):
            self._end(_run_ends(KEY_REFUSED, details))
        elif error.status in (402, 404, 405) or 300 <= error.status < 400:
            self._end(_run_ends(NOT_FOUND, details))
        elif error.status in _REPEATED:
            busy = error.status == 429
            wait = max(error.wait or 0.0, self._back_off(pending))
            if wait > MAX_RETRY_AFTER_SECONDS or (busy and pending.tries + 1 >= ATTEMPTS):
                self._end(_run_ends(BUSY, details))
            elif self._retry(pending, wait, MethodError(ERRORS.with_params(**details))) and (busy or error.wait):
                # The server speaks of all requests, not of this one.
                self.pause = max(self.pause, pending.ready)
        elif error.status in (400, 415, 422) and (
            other := pending.variant.adapted(error.reason, self.options.structured == "auto")
        ):
            pending.variant = other
            if self.ending is None:
                self.waiting.insert(0, pending)
        else:
            self._fail(MethodError(REFUSED.with_params(**details)))

    def _lost(self, pending: _PendingRequest, error: NoResponse) -> None:
        details = {"server": self.target.host, "seconds": f"{self.target.seconds:g}"}
        if error.reason == FailureReason.ADDRESS:
            self._end(_run_ends(PRIVATE_NAME, details))
        elif error.reason == FailureReason.RESPONSE:
            self._retry(pending, self._back_off(pending), MethodError(NOT_AN_ANSWER.with_params(**details)))
        else:
            why = SILENT if error.reason == FailureReason.TIME else UNREACHABLE
            attempts = ATTEMPTS if self.target.url in _known_servers else UNKNOWN_SERVER_ATTEMPTS
            self._retry(pending, self._back_off(pending), _run_ends(why, details), attempts)

    def _back_off(self, pending: _PendingRequest) -> float:
        """Exponential back-off, with jitter."""
        return min(MAX_WAIT_SECONDS, self.options.first_wait * 2.0**pending.tries) * random.uniform(0.75, 1.25)

    def _retry(
        self, pending: _PendingRequest, wait: float, otherwise: MethodError, attempts: int | None = None
    ) -> bool:
        """Ask again after so many seconds, unless it was asked often enough: `attempts` times, or ATTEMPTS."""
        pending.tries += 1
        if pending.tries >= (ATTEMPTS if attempts is None else attempts):
            if isinstance(otherwise, RunEnds):
                self._end(otherwise)
            else:
                self._fail(otherwise)
            return False
        if self.ending is None:
            pending.ready = time.monotonic() + wait
            self.waiting.append(pending)
        return True

    def _fail(self, error: MethodError) -> None:
        LOG.warning("a request to a language model failed: %s", type(error).__name__)
        self.failure = self.failure or error

    def _end(self, error: RunEnds) -> None:
        """Send nothing more; what is on its way is waited for, since it is paid for."""
        self.ending = self.ending or error
        self.waiting.clear()


def _run_ends(phrase: Phrase, details: dict[str, str]) -> RunEnds:
    params = {name: value for name, value in details.items() if f"%({name})s" in phrase.message}
    return RunEnds(phrase.with_params(**params))


Ask = Callable[[ModelTarget, Sequence[Request], SendingOptions, OnProgress | None], list[str]]


def refuse_to_ask(
    target: ModelTarget, requests: Sequence[Request], options: SendingOptions, on_progress: OnProgress | None
) -> list[str]:
    """Refuse: without a ledger, a run must not spend anything."""
    raise MethodError(Phrase("a language model is only asked by a run, which keeps a ledger of what it costs"))
