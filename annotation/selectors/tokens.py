"""Reads of API tokens."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import BooleanField, ExpressionWrapper, Q
from django.utils import timezone

from annotation.models import User
from annotation.models.tokens import ApiToken


def token_list(user: User) -> Sequence[ApiToken]:
    """A person's tokens with their projects, the newest first; `valid` says of each whether it has not expired."""
    now = timezone.now()
    valid = ExpressionWrapper(Q(expires__gt=now), output_field=BooleanField())
    return list(ApiToken.objects.filter(user=user).annotate(valid=valid).select_related("project").order_by("-pk"))
