"""What django-allauth asks the site. It logs nobody in and signs nobody up: `annotation.views.openid` does."""

from __future__ import annotations

from typing import Any, NoReturn

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter

from config.openid.failed import OpenIDLoginError
from config.openid.requests_session import BoundedSession


class SocialAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """`SOCIALACCOUNT_ADAPTER`."""

    def is_open_for_signup(self, *_: Any) -> bool:
        return False

    def get_requests_session(self) -> BoundedSession:
        return BoundedSession()

    def on_authentication_error(self, *_: Any, **_more: Any) -> NoReturn:
        """In place of a page of its own. It is called if there is no log-in to continue."""
        raise OpenIDLoginError("state")


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """`ACCOUNT_ADAPTER`."""

    def is_open_for_signup(self, *_: Any) -> bool:
        return False
