"""Excluding pairs from the gold, with a reason, and including them again."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from agreement.models import Exclusion
from annotation.errors import Conflict, Invalid
from annotation.models import Pair, User
from annotation.models.lifecycle import ProjectEventType
from annotation.services.archive_check import changes_project
from annotation.services.audit_events import event_record


@changes_project("pair.project_id")
@transaction.atomic
def pair_exclude(*, pair: Pair, reason: str, by: User | None) -> Exclusion:
    """Exclude a pair from all gold created from now on, or change one's own reason.

    Raises Invalid without a reason, Conflict if someone else has excluded it.
    """
    if not reason.strip():
        raise Invalid(_("Give a reason for excluding the pair."), code="reason", where=pair.external_id)
    fields = {"reason": reason.strip(), "made_by": by}
    row, created = Exclusion.objects.select_for_update(of=("self",)).get_or_create(pair=pair, defaults=fields)
    if created:
        event_record(project=pair.project, what=ProjectEventType.EXCLUDED, by=by, pair=pair.external_id)
        return row
    if row.made_by_id != (by.pk if by else None):
        raise Conflict(
            _("Someone else has excluded this pair already."),
            code="excluded",
            where=pair.external_id,
            hint=_("Include it again first, to give another reason."),
        )
    row.reason = reason.strip()
    row.save(update_fields=["reason"])
    return row


@changes_project("pair.project_id")
@transaction.atomic
def pair_include(*, pair: Pair) -> bool:
    """Include a pair again; False if it was not excluded."""
    included = bool(Exclusion.objects.filter(pair=pair).delete()[0])
    if included:
        event_record(project=pair.project, what=ProjectEventType.INCLUDED, pair=pair.external_id)
    return included
