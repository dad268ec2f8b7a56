"""Writes of a user's own preferences."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import User


def language_set(*, user: User, language: str) -> User:
    """Save the language in which a user wants the interface."""
    if language not in dict(settings.LANGUAGES):
        raise Invalid(_("The interface is not available in “%(code)s”.") % {"code": language}, where="language")
    return preferences_set(user=user, values={"language": language})


@transaction.atomic
def preferences_set(*, user: User, values: Mapping[str, str | int | float | bool]) -> User:
    """Save reading preferences; those not among `values` stay as they were."""
    # Read again: two pages of the same user may each have changed something.
    now = User.objects.select_for_update().get(pk=user.pk)
    now.preferences = {**now.preferences, **values}
    now.save(update_fields=["preferences"])
    return now
