"""Checks of names that other people see: of projects, and of people in them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.strict_json import unprinted


def name_check(name: str, where: str) -> None:
    """Raises Invalid for a name with an invisible character."""
    if character := unprinted(name):
        raise Invalid(
            _("A name can't contain characters that are not printed (here %(character)s).") % {"character": character},
            where=where,
        )
