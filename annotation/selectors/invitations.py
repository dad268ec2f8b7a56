"""Reads of invitations."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Project
from annotation.models.people import Invitation
from annotation.vocabulary import InvitationState


def invitation_list(project: Project) -> QuerySet[Invitation]:
    """A project's invitations, the newest first."""
    invitations = Invitation.objects.filter(project=project).select_related("accepted_as", "membership", "made_by")
    return invitations.order_by("-pk")


def invitation_get(project: Project, pk: int) -> Invitation:
    """Raises NotFound."""
    row = invitation_list(project).filter(pk=pk).first()
    if row is None:
        raise NotFound(_("There is no such invitation in this project."), where=project.name)
    return row


def invitation_state(row: Invitation) -> InvitationState:
    """What has become of an invitation by now."""
    if row.accepted is not None:
        return InvitationState.ACCEPTED
    if row.revoked is not None:
        return InvitationState.REVOKED
    return InvitationState.EXPIRED if row.expires <= timezone.now() else InvitationState.OPEN
