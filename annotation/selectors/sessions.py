"""The browsers in which someone is logged in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.models import User

LOG_IN = "log_in"
"""The key under which a session has when it began, and in which browser."""
_BROWSERS = ("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari")
_SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LogIn:
    """One browser: its name and system as far as they are known, since when, and whether it is the one that asks."""

    browser: str
    since: datetime | None
    current: bool


def log_in_details(user_agent: str) -> dict[str, str]:
    """What a session remembers of its log-in: when, and the kinds of browser and system, nothing more exact."""
    named = (next((name for sign, name in names if sign in user_agent), "") for names in (_BROWSERS, _SYSTEMS))
    return {"since": timezone.now().isoformat(), "browser": ", ".join(filter(None, named))}


def sessions_of(user: User) -> list[Session]:
    """The sessions in which a person is logged in."""
    current = Session.objects.filter(expire_date__gt=timezone.now())
    return [
        each
        for each in current.iterator()
        if (data := each.get_decoded()).get(SESSION_KEY) == str(user.pk) and BACKEND_SESSION_KEY in data
    ]


def stored_log_in(session: Session) -> Mapping[str, Any]:
    """What `log_in_details` remembered; nothing for a session that is older than that."""
    log_in: Mapping[str, Any] = session.get_decoded().get(LOG_IN, {})
    return log_in


def log_ins_of(user: User, current: str | None) -> list[LogIn]:
    """Where a person is logged in: this browser, whose session is `current`, then the others, the newest first."""
    log_ins = []
    for each in sessions_of(user):
        about = stored_log_in(each)
        since = datetime.fromisoformat(about["since"]) if "since" in about else None
        log_ins.append(LogIn(about.get("browser", ""), since, each.session_key == current))
    return sorted(log_ins, key=lambda one: (not one.current, -(one.since.timestamp() if one.since else 0)))
