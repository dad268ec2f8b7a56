"""Leaving pairs out of the gold, with a reason, and taking them in again."""

from __future__ import annotations

from django.utils.translation import gettext as _

from agreement.models import Exclusion
from annotation.errors import Invalid
from annotation.models import Pair, User


def pair_exclude(*, pair: Pair, reason: str, by: User | None) -> Exclusion:
    """Leave a pair out of every gold made from now on. A second time changes the reason. Raises Invalid without one."""
    if not reason.strip():
        raise Invalid(_("Give a reason for excluding the pair."), code="reason", where=pair.external_id)
    return Exclusion.objects.update_or_create(pair=pair, defaults={"reason": reason.strip(), "made_by": by})[0]


def pair_include(*, pair: Pair) -> bool:
    """Take a pair in again; False where it was not left out."""
    return bool(Exclusion.objects.filter(pair=pair).delete()[0])
