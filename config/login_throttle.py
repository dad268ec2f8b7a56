"""Limits the number of wrong passwords, counted by name and by address."""

from __future__ import annotations

import hashlib
import random
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from annotation.security_events import security_event

RESERVED_KEY = "reserved_attempt"
"""The request attribute with the row in which its attempt was counted in advance."""
BUSY = "login_busy"
"""Set on a request that waited too long for other attempts to end."""
MAX_WAIT_SECONDS = 5.0
"""Seconds that an attempt waits for others to end."""
RETRY_SECONDS = 5
MAX_CHECK_TIME = timedelta(seconds=30)
"""The time after which an unfinished attempt counts as failed: its process was killed."""
_BETWEEN_TRIES = 0.05, 0.2
_OPEN = "attempt not checked yet"
"""Replaces the path in the row of an unchecked attempt; a real path begins with a slash."""


class LoginThrottle(AxesDatabaseHandler):  # type: ignore[misc]
    """Locks a name after `AXES_FAILURE_LIMIT` wrong passwords from anywhere, an address after `LOGIN_ADDRESS_LIMIT`.

    Many people can share an address, so it has a higher limit. A successful log-in clears the count of its own name
    only: a user can't clear attempts on other accounts.

    An attempt is counted before its password is checked, so that no more passwords are checked at once than may be
    wrong. Until it has been checked, it is not a failure: a request that exceeds the limit only because of such
    attempts waits for them.
    """

    def is_allowed(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        until = time.monotonic() + MAX_WAIT_SECONDS
        while True:
            with _serialised(request, credentials):
                if not super().is_allowed(request, credentials):
                    return False
                if self._count(request, credentials, with_open=True) < settings.AXES_FAILURE_LIMIT:
                    self._reserve(request, credentials)
                    return True
            if time.monotonic() > until:
                setattr(request, BUSY, True)
                return False
            time.sleep(random.uniform(*_BETWEEN_TRIES))

    def _reserve(self, request: HttpRequest, credentials: dict[str, Any] | None) -> None:
        self.clean_expired_user_attempts(request, credentials)
        attempt = AccessAttempt.objects.create(
            username=get_client_username(request, credentials),
            ip_address=_request_field(request, "ip_address"),
            user_agent=str(uuid.uuid4()),
            path_info=_OPEN,
            failures_since_start=1,
        )
        # If the request waited, its own time may be long ago.
        AccessAttempt.objects.filter(pk=attempt.pk).update(attempt_time=timezone.now())
        setattr(request, RESERVED_KEY, attempt.pk)

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: Any
    ) -> None:
        with _serialised(request, credentials):
            # axes now counts what was counted in advance, and records the failure.
            AccessAttempt.objects.filter(pk=getattr(request, RESERVED_KEY, None)).delete()
            super().user_login_failed(sender, credentials, request, **kwargs)

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """The failures that count for this request, on the scale of `AXES_FAILURE_LIMIT`."""
        return self._count(request, credentials, with_open=False)

    def _count(self, request: HttpRequest, credentials: dict[str, Any] | None, *, with_open: bool) -> int:
        """As `get_failures`; `with_open`: attempts whose password is being checked count too."""
        now = timezone.now()
        # An attempt dated in the future was made before the clock was set back.
        open_ = Q(path_info=_OPEN, attempt_time__gt=now - MAX_CHECK_TIME, attempt_time__lt=now + MAX_CHECK_TIME)
        by_name, by_address = (
            _failures(attempts if with_open else attempts.exclude(open_))
            for attempts in self.get_user_attempts(request, credentials)
        )
        if by_address >= settings.LOGIN_ADDRESS_LIMIT:
            return max(by_name, settings.AXES_FAILURE_LIMIT)
        return by_name

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        by_name, _by_address = self.get_user_attempts(request, credentials)
        AccessAttempt.objects.filter(pk=getattr(request, RESERVED_KEY, None)).delete()
        return int(by_name.delete()[0])


def locked_out(request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any] | None) -> HttpResponse:
    """The page for an attempt whose password was not checked, or was wrong too often."""
    busy = getattr(request, BUSY, False)
    if not busy:
        security_event("log-in locked")
    page = render(request, "registration/locked.html", {"busy": busy}, status=429)
    if busy:
        page["Retry-After"] = str(RETRY_SECONDS)
    return page


def _failures(attempts: QuerySet[AccessAttempt]) -> int:
    return attempts.aggregate(total=Sum("failures_since_start"))["total"] or 0


def _request_field(request: HttpRequest, name: str) -> Any:
    """What axes recorded about a request."""
    return getattr(request, f"axes_{name}")


@contextmanager
def _serialised(request: HttpRequest | None, credentials: dict[str, Any] | None) -> Iterator[None]:
    """A transaction during which no other attempt counts for the same name or address.

    On SQLite no other transaction can write. Elsewhere rows that do not exist yet can't be locked, so the name and the
    address are.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql" and request is not None:
            named = (
                f"name {get_client_username(request, credentials)}",
                f"address {_request_field(request, 'ip_address')}",
            )
            keys = sorted(
                int.from_bytes(hashlib.sha256(each.encode(errors="surrogatepass")).digest()[:8], signed=True)
                for each in named
            )
            with connection.cursor() as cursor:
                for key in keys:
                    cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])
        yield
