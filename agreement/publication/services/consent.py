"""Consent that a person withdraws, or gives again: whether their annotations are in later publications."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from agreement.models import Withdrawal
from annotation.errors import Conflict
from annotation.models import Annotator, User
from annotation.security_events import security_event


@transaction.atomic
def consent_withdraw(*, annotator: Annotator, by: User) -> Withdrawal:
    """Leave a person's annotations, and the gold of pairs they annotated, out of every later publication.

    Nothing is deleted, and publications that exist stay as they are. Raises Conflict if it was withdrawn before.
    """
    locked = Annotator.objects.select_for_update().get(pk=annotator.pk)
    if Withdrawal.objects.filter(annotator=locked).exists():
        raise Conflict(
            _("%(alias)s's consent has been withdrawn already.") % {"alias": locked.alias}, where=locked.alias
        )
    security_event("consent withdrawn", project=locked.project_id, annotator=locked.pk)
    return Withdrawal.objects.create(annotator=locked, made_by=by)


@transaction.atomic
def consent_restore(*, annotator: Annotator) -> None:
    """Let a person's annotations be published again. Raises Conflict if their consent was not withdrawn."""
    if not Withdrawal.objects.filter(annotator=annotator).delete()[0]:
        raise Conflict(_("%(alias)s's consent was not withdrawn.") % {"alias": annotator.alias}, where=annotator.alias)
    security_event("consent restored", project=annotator.project_id, annotator=annotator.pk)
