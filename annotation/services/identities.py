"""Writes of identities at an OpenID Connect provider: which account an identity logs in to, and how it is linked.

An identity opens the account that it was linked to, and no other, whatever name and e-mail address the provider gives
later. It is linked by its owner, who is logged in and gives the password; by an invitation, with a new account; and, if
the site's owner allows it, by an e-mail address that the provider verified, or by letting anyone there create an
account.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Forbidden, Invalid
from annotation.models import Project, User
from annotation.models.identities import Identity
from annotation.security_events import security_event
from annotation.selectors.identities import accounts_with_email, identity_of, identity_owner
from annotation.services.people import login_create
from annotation.services.sessions import sessions_end_others
from annotation.services.tokens import tokens_revoke_all


@dataclass(frozen=True, slots=True)
class Claims:
    """What a provider said of a person, checked: `issuer` and `subject` are who they are.

    `email` is '' unless the provider says that it has verified it; `username` is a suggestion.
    """

    issuer: str
    subject: str
    email: str = ""
    username: str = ""


@dataclass(frozen=True, slots=True)
class IdentityLogin:
    """The account that an identity opens; `linked`: it does from now on, by the e-mail address."""

    user: User
    linked: bool = False


@transaction.atomic
def identity_log_in(*, claims: Claims, by_email: bool) -> IdentityLogin | None:
    """The account to log in to, None if the identity opens none.

    `by_email`: an account with the verified address, not linked yet, is linked. Whoever had it before may not be the
    address's owner, so its password, its other log-ins and its API tokens end. The account of a superuser or of
    staff is linked by its owner alone. Raises Forbidden for an account that is closed.
    """
    user = identity_owner(claims.issuer, claims.subject)
    if user is not None:
        if not user.is_active:
            raise Forbidden(_("This account is closed."), code="closed", hint=_("Ask a lead of your project."))
        return IdentityLogin(user)
    if not by_email or not claims.email:
        return None
    users = [each for each in accounts_with_email(claims.email) if not (each.is_superuser or each.is_staff)]
    if len(users) != 1:
        return None
    locked = User.objects.select_for_update().get(pk=users[0].pk)
    if identity_of(locked, claims.issuer) is not None:
        return None
    _create_identity(locked, claims, "by e-mail")
    locked.set_unusable_password()
    locked.save(update_fields=["password"])
    sessions_end_others(user=locked, current=None)
    tokens_revoke_all(user=locked)
    return IdentityLogin(locked, linked=True)


@transaction.atomic
def identity_link(*, user: User, claims: Claims) -> Identity:
    """Have an identity open the account of `user`, who is logged in and gave the password.

    Raises Conflict if it opens another account, or another identity opens this one.
    """
    locked = User.objects.select_for_update().get(pk=user.pk)
    return identity_check_free(user=locked, claims=claims) or _create_identity(locked, claims, "by its owner")


def identity_check_free(*, user: User, claims: Claims) -> Identity | None:
    """The identity, if it opens this account already. Writes nothing. Raises Conflict as `identity_link`."""
    owner = identity_owner(claims.issuer, claims.subject)
    if owner is not None and owner.pk != user.pk:
        raise Conflict(
            _("This login already belongs to another account on this site."),
            code="taken",
            hint=_("Log out, and log in with it to see which."),
        )
    linked = identity_of(user, claims.issuer)
    if linked is not None and linked.subject != claims.subject:
        raise Conflict(_("Your account is linked to another one there."), code="linked", hint=_("Unlink that first."))
    return linked


@transaction.atomic
def identity_unlink(*, user: User, issuer: str, password: str) -> User:
    """Have no identity of this provider open an account any more. Raises Invalid without the right password.

    An account without a password would be open to nobody then.
    """
    locked = User.objects.select_for_update().get(pk=user.pk)
    password_confirm(user=locked, password=password)
    gone, _rows = Identity.objects.filter(user=locked, issuer=issuer).delete()
    if gone:
        security_event("identity unlinked", account=locked.pk)
    return locked


@transaction.atomic
def identities_unlink_all(*, user: User) -> int:
    """Have no identity open an account any more, as after a new password: someone else who had the account may have
    linked one. Returns how many there were.
    """
    gone, _rows = Identity.objects.filter(user=user).delete()
    if gone:
        security_event("identity unlinked", account=user.pk)
    return gone


def password_confirm(*, user: User, password: str) -> User:
    """The person again. Raises Invalid if this is not their password, or they have none.

    Whoever finds a computer unlocked must not be able to link an identity of their own.
    """
    if not user.has_usable_password():
        raise Invalid(
            _("Your account has no password."),
            where="password",
            code="no-password",
            hint=_("Ask a lead for a link to set a password."),
        )
    if not user.check_password(password):
        raise Invalid(_("This is not your password."), where="password")
    return user


@transaction.atomic
def identity_account_create(*, claims: Claims, username: str, project: Project | None = None) -> User:
    """A new account without a password, which the identity opens. Raises Invalid or Conflict as `login_create`, and
    Conflict if the identity opens an account already.
    """
    if identity_owner(claims.issuer, claims.subject) is not None:
        raise Conflict(_("This login already belongs to another account on this site."), code="taken", where="username")
    user = login_create(username=username, password=None, project=project)
    if claims.email:
        user.email = claims.email
        user.save(update_fields=["email"])
    _create_identity(user, claims, "with a new account")
    return user


def _create_identity(user: User, claims: Claims, reason: str) -> Identity:
    try:
        with transaction.atomic():
            row = Identity.objects.create(user=user, issuer=claims.issuer, subject=claims.subject)
    except IntegrityError as error:  # in another request, since
        raise Conflict(_("This login already belongs to another account on this site."), code="taken") from error
    security_event("identity linked", account=user.pk, how=reason)
    return row
