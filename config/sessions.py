"""Sessions in the database, as Django's own, read by a query whose SQL is built once."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.cached_statements import PreparedQuery

_BY_KEY: PreparedQuery[Session] = PreparedQuery(lambda key: Session.objects.filter(session_key=key), key=str)
DJANGOS_BACKEND = "django.contrib.auth.backends.ModelBackend"
ACCOUNT_BACKEND = "config.accounts.AccountBackend"


class SessionStore(db.SessionStore):
    """Its name is part of what signs a session's data, so sessions of Django's own store stay valid."""

    def _get_session_from_db(self) -> Any:
        key = self.session_key
        row = _BY_KEY.first(key=key) if key else None
        if row is None or row.expire_date <= timezone.now():
            self._session_key = None
            return None
        return row

    def decode(self, session_data: Any) -> Any:
        """Log-ins from before there was `config.accounts` name Django's backend, which it replaces."""
        session = super().decode(session_data)
        if session.get(BACKEND_SESSION_KEY) == DJANGOS_BACKEND:
            session[BACKEND_SESSION_KEY] = ACCOUNT_BACKEND
        return session
