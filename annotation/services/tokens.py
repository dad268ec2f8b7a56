"""Writes of API tokens: made, used, revoked."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.db import OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Project, Role, User
from annotation.models.tokens import ApiToken, TokenAccess
from annotation.number_parsing import MAX_INTEGER
from annotation.security_events import security_event
from annotation.selectors.projects import no_project, projects_visible

PREFIX = "diptych_"
"""So that programs that look for leaked secrets can recognise one."""
MAX_DAYS = 366
MAX_TOKENS = 50
MAX_NAME_LENGTH = 80
LISTED_AFTER = timedelta(days=30)
"""How long a token that has expired is still listed."""
NOTED_AFTER = timedelta(hours=1)
"""A use is noted at most this often, so that reading does not write all the time."""


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token with its secret, which can't be read again."""

    token: ApiToken
    secret: str


def secret_digest(secret: str) -> str:
    """The SHA-256 of a secret, in hexadecimal: it has 256 random bits, so there is nothing to guess or to slow down."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def token_create(
    *, user: User, name: str, access: str, days: int, role: str = "", project: Project | None = None
) -> NewToken:
    """Create a token for a person. Raises Invalid naming the field, or Conflict if there are too many."""
    name = name.strip()
    if not 1 <= len(name) <= MAX_NAME_LENGTH or not name.isprintable():
        raise Invalid(_("A name must have 1 to %(n)s printable characters.") % {"n": MAX_NAME_LENGTH}, where="name")
    if access not in TokenAccess.values:
        raise Invalid(
            _("“%(access)s” is not a kind of access.") % {"access": access}, where="access", hint=", ".join(TokenAccess)
        )
    if role and role not in Role.values:
        raise Invalid(_("“%(role)s” is not a role.") % {"role": role}, where="role", hint=", ".join(Role.values))
    if not 1 <= days <= MAX_DAYS:
        raise Invalid(_("A token can be valid for 1 to %(n)s days.") % {"n": MAX_DAYS}, where="days")
    if project is not None and not projects_visible(user).filter(pk=project.pk).exists():
        raise no_project(project.slug)
    # One at a time, so that two of one name can't be made at once.
    User.objects.select_for_update().get(pk=user.pk)
    now = timezone.now()
    ApiToken.objects.filter(user=user, expires__lt=now - LISTED_AFTER).delete()
    valid = ApiToken.objects.filter(user=user, expires__gt=now)
    if valid.filter(name=name).exists():
        raise Conflict(_("You have a token named “%(name)s” already.") % {"name": name}, where="name", code="taken")
    if valid.count() >= MAX_TOKENS:
        raise Conflict(
            _("You have %(n)s tokens already.") % {"n": MAX_TOKENS}, hint=_("Revoke one that is no longer used.")
        )
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        digest=secret_digest(secret),
        ending=secret[-4:],
        access=access,
        role=role,
        project=project,
        expires=now + timedelta(days=days),
    )
    security_event("API token made", account=user.pk, token=token.pk, access=access)
    return NewToken(token, secret)


def token_use(*, secret: str) -> ApiToken | None:
    """The valid token with this secret, its owner and project with it; None if there is none. Notes that it was used.

    The owner has the token in `User.token`, which limits what they may do (`annotation.permissions`).
    """
    now = timezone.now()
    tokens = ApiToken.objects.filter(digest=secret_digest(secret), expires__gt=now, user__is_active=True)
    token = tokens.select_related("user").first()
    if token is None:
        return None
    if token.last_used is None or token.last_used < now - NOTED_AFTER:
        # A busy database, or a full disk, is no reason to refuse what only reads.
        with suppress(OperationalError), transaction.atomic():
            ApiToken.objects.filter(pk=token.pk).update(last_used=now)
    token.user.token = token
    return token


def token_revoke(*, user: User, pk: int) -> None:
    """End one of a person's tokens at once. Raises NotFound if they have none with this key."""
    gone, _rows = ApiToken.objects.filter(user=user, pk=pk).delete() if pk <= MAX_INTEGER else (0, {})
    if not gone:
        raise NotFound(_("You have no such token. It may have been revoked already."))
    security_event("API token revoked", account=user.pk, token=pk)


def tokens_revoke_all(*, user: User) -> int:
    """End all of a person's tokens; returns how many there were."""
    gone, _rows = ApiToken.objects.filter(user=user).delete()
    if gone:
        security_event("API tokens revoked", account=user.pk, tokens=gone)
    return gone
