"""Writes of accounts: a user's own preferences and e-mail address, and links for a new password."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import User
from annotation.security_events import security_event


def language_set(*, user: User, language: str) -> User:
    """Save the language in which a user wants the interface."""
    if language not in dict(settings.LANGUAGES):
        raise Invalid(_("The interface is not available in “%(code)s”.") % {"code": language}, where="language")
    return preferences_set(user=user, values={"language": language})


@transaction.atomic
def preferences_set(*, user: User, values: Mapping[str, str | int | float | bool]) -> User:
    """Save preferences; those not among `values` stay as they were."""
    # Read again: two pages of the same user may each have changed something.
    now = User.objects.select_for_update().get(pk=user.pk)
    now.preferences = {**now.preferences, **values}
    now.save(update_fields=["preferences"])
    return now


def email_set(*, user: User, email: str, password: str) -> User:
    """Save the address to which a link for a new password is sent; '' for none.

    Whoever finds a computer unlocked must not be able to send themselves that link, so the password is asked for. To an
    account without one no such link is sent.
    """
    if user.has_usable_password() and not user.check_password(password):
        raise Invalid(_("This is not your password."), where="password")
    if email:
        try:
            validate_email(email)
        except ValidationError as error:
            raise Invalid(error.messages[0], where="email") from error
    user.email = email
    user.save(update_fields=["email"])
    security_event("e-mail address changed", account=user.pk)
    return user


@dataclass(frozen=True, slots=True)
class PasswordLink:
    """The parts of a link with which an account gets a new password, once."""

    uid: str
    token: str


def password_link_make(*, user: User, by: User) -> PasswordLink:
    """A link that someone passes on. It ends with a new password, a log-in, or `PASSWORD_RESET_TIMEOUT`."""
    if not user.is_active:
        raise Conflict(_("This account is closed."), where=user.get_username(), code="closed")
    security_event("password link made", account=user.pk, by=by.pk)
    return PasswordLink(urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user))
