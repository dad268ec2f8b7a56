"""Who a session belongs to: Django's accounts and passwords, read by a query whose SQL is built once."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend

from annotation.cached_statements import PreparedQuery
from annotation.models import User

_BY_KEY: PreparedQuery[User] = PreparedQuery(lambda pk: User.objects.filter(pk=pk), pk=int)


class AccountBackend(ModelBackend):
    """Every request of someone who is logged in asks this for the account."""

    def get_user(self, user_id: Any) -> User | None:
        user = _BY_KEY.first(pk=user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
