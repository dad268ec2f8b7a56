"""Sessions in the database, as Django's own, read by a query whose SQL is built once."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.prepared import Prepared

_BY_KEY: Prepared[Session] = Prepared(lambda key: Session.objects.filter(session_key=key), key=str)


class SessionStore(db.SessionStore):
    """Its name is part of what signs a session's data, so sessions of Django's own store stay valid."""

    def _get_session_from_db(self) -> Any:
        key = self.session_key
        row = _BY_KEY.first(key=key) if key else None
        if row is None or row.expire_date <= timezone.now():
            self._session_key = None
            return None
        return row
