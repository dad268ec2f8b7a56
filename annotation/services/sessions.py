"""Writes of sessions."""

from __future__ import annotations

from annotation.models import User
from annotation.security_events import security_event
from annotation.selectors.sessions import sessions_of


def sessions_end_others(*, user: User, current: str | None) -> int:
    """Log a person out in every browser but the one whose session is `current`; returns how many that were."""
    others = [each for each in sessions_of(user) if each.session_key != current]
    for each in others:
        each.delete()
    security_event("logged out elsewhere", account=user.pk)
    return len(others)
