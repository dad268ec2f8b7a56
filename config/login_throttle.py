"""How many wrong passwords are allowed: counted by name and by address."""

from __future__ import annotations

from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import QuerySet, Sum
from django.http import HttpRequest


class LoginThrottle(AxesDatabaseHandler):  # type: ignore[misc]
    """Locks a name after `AXES_FAILURE_LIMIT` wrong passwords from anywhere, and an address after `ADDRESS_LIMIT`.

    Many people can share an address, so it is allowed more. A successful log-in clears the count of its own name only:
    whoever has one account cannot clear what they did to others.
    """

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
