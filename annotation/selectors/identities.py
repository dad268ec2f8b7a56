"""Whose account an identity at an OpenID Connect provider opens."""

from __future__ import annotations

from annotation.models import User
from annotation.models.identities import Identity


def identity_owner(issuer: str, subject: str) -> User | None:
    """The account that this identity opens, closed ones included."""
    row = Identity.objects.filter(issuer=issuer, subject=subject).select_related("user").first()
    return row.user if row else None


def identity_of(user: User, issuer: str) -> Identity | None:
    """The identity at a provider with which a person logs in; None if they log in by password alone."""
    return Identity.objects.filter(user=user, issuer=issuer).first()


def accounts_with_email(email: str) -> list[User]:
    """The open accounts with this e-mail address; capitals make no difference, but letters that only look alike do."""
    if not email.isascii() or not email:
        return []
    users = User.objects.filter(email__iexact=email, is_active=True).order_by("pk")
    return [user for user in users if user.email.lower() == email.lower()]
