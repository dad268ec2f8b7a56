"""Checks of names that other people see: of projects, and of people in them."""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.strict_json import is_seen, unprinted


def name_check(name: str, where: str) -> None:
    """Raises Invalid for a name with an invisible character or without a visible one; '' is not checked here."""
    if character := unprinted(name):
        raise Invalid(
            _("A name can't contain invisible characters (here %(character)s).") % {"character": character},
            where=where,
        )
    if name and not is_seen(name):
        raise Invalid(_("A name needs at least one visible character."), where=where)


def look(name: str) -> str:
    """Equal for names that differ only in capitals or in the forms of characters (`Ａnna`, `ANNA`).

    Similar letters of other scripts (Cyrillic 'а') differ: whole names are written in those scripts.
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
