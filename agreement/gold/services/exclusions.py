"""Excluding pairs from the gold, with a reason, and including them again."""

from __future__ import annotations

from django.utils.translation import gettext as _

from agreement.models import Exclusion
from annotation.errors import Invalid
from annotation.models import Pair, User
from annotation.services.unarchived import changes_project


@changes_project("pair.project_id")
def pair_exclude(*, pair: Pair, reason: str, by: User | None) -> Exclusion:
    """Exclude a pair from all gold created from now on, or change the reason. Raises Invalid without a reason."""
    if not reason.strip():
        raise Invalid(_("Give a reason for excluding the pair."), code="reason", where=pair.external_id)
    return Exclusion.objects.update_or_create(pair=pair, defaults={"reason": reason.strip(), "made_by": by})[0]


@changes_project("pair.project_id")
def pair_include(*, pair: Pair) -> bool:
    """Include a pair again; False if it was not excluded."""
    return bool(Exclusion.objects.filter(pair=pair).delete()[0])
