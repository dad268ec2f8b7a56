"""Limits the number of wrong passwords, counted by name and by address."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, QuerySet, Sum
from django.http import HttpRequest

RESERVED = "reserved_attempt"
"""Where a request keeps the row in which its attempt was counted beforehand."""


class LoginThrottle(AxesDatabaseHandler):  # type: ignore[misc]
    """Locks a name after `AXES_FAILURE_LIMIT` wrong passwords from anywhere, and an address after `ADDRESS_LIMIT`.

    Many people can share an address, so it has a higher limit. A successful log-in clears the count of its own name
    only: a user can't clear attempts on other accounts.

    An attempt counts as failed before its password is checked, so that no more passwords are checked at once than may
    be wrong; a successful log-in clears it with the others of its name.
    """

    def is_allowed(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        with _one_at_a_time(request, credentials):
            if not super().is_allowed(request, credentials):
                return False
            self.clean_expired_user_attempts(request, credentials)
            attempt, _made = AccessAttempt.objects.get_or_create(
                username=get_client_username(request, credentials),
                ip_address=_of(request, "ip_address"),
                user_agent=_of(request, "user_agent"),
                defaults={
                    "failures_since_start": 0,
                    "http_accept": _of(request, "http_accept"),
                    "path_info": _of(request, "path_info"),
                },
            )
            AccessAttempt.objects.filter(pk=attempt.pk).update(
                failures_since_start=F("failures_since_start") + 1, attempt_time=_of(request, "attempt_time")
            )
        setattr(request, RESERVED, attempt.pk)
        return True

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: Any
    ) -> None:
        with _one_at_a_time(request, credentials):
            # What was counted beforehand is counted again by axes, with all that it records of a failure.
            counted = AccessAttempt.objects.filter(pk=getattr(request, RESERVED, None))
            counted.update(failures_since_start=F("failures_since_start") - 1)
            super().user_login_failed(sender, credentials, request, **kwargs)

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """The failures that count for this request, on the scale of `AXES_FAILURE_LIMIT`."""
        by_name, by_address = (_failures(attempts) for attempts in self.get_user_attempts(request, credentials))
        if by_address >= settings.LOGIN_ADDRESS_LIMIT:
            return max(by_name, settings.AXES_FAILURE_LIMIT)
        return by_name

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        by_name, _by_address = self.get_user_attempts(request, credentials)
        return int(by_name.delete()[0])


def _failures(attempts: QuerySet[AccessAttempt]) -> int:
    return attempts.aggregate(total=Sum("failures_since_start"))["total"] or 0


def _of(request: HttpRequest, name: str) -> Any:
    """What axes noted of a request."""
    return getattr(request, f"axes_{name}")


@contextmanager
def _one_at_a_time(request: HttpRequest | None, credentials: dict[str, Any] | None) -> Iterator[None]:
    """A transaction during which no other attempt counts for the same name or address.

    On SQLite no other transaction can write. Elsewhere rows that do not exist yet can't be locked, so the name and the
    address are.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql" and request is not None:
            named = f"name {get_client_username(request, credentials)}", f"address {_of(request, 'ip_address')}"
            keys = sorted(
                int.from_bytes(hashlib.sha256(each.encode(errors="surrogatepass")).digest()[:8], signed=True)
                for each in named
            )
            with connection.cursor() as cursor:
                for key in keys:
                    cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])
        yield
