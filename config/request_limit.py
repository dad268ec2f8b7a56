"""How often one account may ask for what is expensive: imports, mining, runs, reports, dry runs, gold, publications.

Everyone has `BURST` such requests, which come back one a second: far more than a person clicks, and a page that waits
for a worker asks less often. Saving and reading are never limited. Each web process counts by itself.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from threading import Lock
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.security_events import security_event
from config.errors import Unavailable, unavailable_response

EXPENSIVE = {
    "POST": {
        "adjudication-make",
        "adjudication-try",
        "agreement",
        "api-encoders",
        "api-encoders-retry",
        "api-gold-draft",
        "api-gold-draft-close",
        "api-gold-dry-run",
        "api-gold-job",
        "api-gold-versions",
        "api-imports",
        "api-items",
        "api-items-retry",
        "api-items-start",
        "api-mining-import",
        "api-minings",
        "api-publication-pushes",
        "api-publication-retry",
        "api-publications",
        "api-report",
        "api-run-act",
        "api-runs",
        "api-webhook-resend",
        "api-webhook-resend-failed",
        "api-webhook-test",
        "encoders",
        "encoders-retry",
        "glossary-upload",
        "gold-job",
        "import",
        "import-recheck",
        "import-start",
        "items",
        "items-retry",
        "items-start",
        "manual-adjudication-close",
        "manual-adjudication-open",
        "mining",
        "mining-import",
        "prelabels",
        "prelabels-act",
        "prelabels-prompt",
        "publication-push",
        "publication-retry",
        "publish",
        "webhook-act",
        "webhook-resend",
    },
    "GET": {
        "agreement-download",
        "agreement-items",
        "agreement-items-csv",
        "api-disagreements",
        "api-publication-difference",
        "api-report",
        "publication",
        "publication-compare",
    },
}
"""The names of addresses, by method."""
BURST = 60
PER_SECOND = 1.0
MAX_ACCOUNTS = 1_000
"""Accounts remembered at a time, at most: after a minute without such requests one counts as new anyway."""


class TooMany(Unavailable):
    """Too many expensive requests of one account."""

    status = 429

    def __init__(self, seconds: int) -> None:
        hint = ngettext("Try again in %(n)s second.", "Try again in %(n)s seconds.", seconds) % {"n": seconds}
        super().__init__(_("Too many requests at once. No changes were made."), code="too-many", hint=hint)
        self.title = _("Too many requests")
        self.retry_after = seconds


class Allowance:
    """How many requests each account has left: `burst` at first and at most, `per_second` more with time."""

    def __init__(
        self, *, burst: int = BURST, per_second: float = PER_SECOND, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst, self._per_second = float(burst), per_second
        self._clock = clock
        self._lock = Lock()
        self._left: dict[int, tuple[float, float]] = {}

    def take(self, account: int) -> int:
        """Take one; 0 if there was one, else after how many seconds there will be."""
        with self._lock:
            now = self._clock()
            left, since = self._left.pop(account, (self._burst, now))
            left = min(self._burst, left + self._per_second * (now - since))
            enough = left >= 1
            self._left[account] = (left - enough, now)
            if len(self._left) > MAX_ACCOUNTS:
                del self._left[next(iter(self._left))]
            return 0 if enough else math.ceil((1 - left) / self._per_second)

    def forget(self) -> None:
        """Everyone has all of them again."""
        with self._lock:
            self._left.clear()


allowance = Allowance()


class RequestLimitMiddleware:
    """Answers 429 with Retry-After. Checks once the view is known."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        match = request.resolver_match
        limited = EXPENSIVE.get(request.method or "", set())
        if match is None or match.url_name not in limited or not request.user.is_authenticated:
            return None
        seconds = allowance.take(request.user.pk)
        if not seconds:
            return None
        security_event("too many requests", account=request.user.pk)
        refused = TooMany(seconds)
        return unavailable_response(request, refused, refused)
