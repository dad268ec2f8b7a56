"""Sends invitations by e-mail, one after the other, in a thread of their own, and notes which were sent."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from threading import current_thread, main_thread

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connection
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from annotation.models import User
from annotation.models.people import Mailing
from annotation.services.invitations import NewInvitation, invitation_mail_reserve, invitation_mailed

logger = logging.getLogger(__name__)
outbox: Executor = ThreadPoolExecutor(1, thread_name_prefix="invitations")


def invitations_send(invited: Sequence[NewInvitation], *, origin: str, by: User) -> list[NewInvitation]:
    """Send those that have an address, if this site sends e-mail; returns the others, whose links are passed on.

    Those beyond what a project may send on one day are among the others.

    If the process is killed meanwhile, or the mail server refuses, the list of invitations says so and the lead makes a
    new link.
    """
    mailed = [
        each
        for each in invited
        if each.invitation.email and settings.EMAIL and invitation_mail_reserve(row=each.invitation)
    ]
    for each in mailed:
        invitation_mailed(pk=each.invitation.pk, mailing=Mailing.WAITING)
        each.invitation.mailing = Mailing.WAITING
        outbox.submit(_deliver, each, origin, by.get_username(), get_language())
    sent = {each.invitation.pk for each in mailed}
    return [each for each in invited if each.invitation.pk not in sent]


def invitation_link(invited: NewInvitation, origin: str) -> str:
    """The whole address of an invitation."""
    return origin + reverse("join-link", args=(invited.token,))


def _deliver(invited: NewInvitation, origin: str, by: str, language: str | None) -> None:
    row, state = invited.invitation, Mailing.FAILED
    try:
        with override(language):
            name = " ".join(row.project.name.split())
            context = {"invitation": row, "link": invitation_link(invited, origin), "by": by}
            body = render_to_string("registration/invitation_email.txt", context)
            EmailMessage(_("Invitation to %(project)s") % {"project": name}, body, None, [row.email]).send()
        state = Mailing.SENT
    except Exception:  # whatever the mail server says: the list shows that it was not sent
        logger.exception("an invitation was not sent")
    try:
        invitation_mailed(pk=row.pk, mailing=state)
    finally:
        if current_thread() is not main_thread():
            connection.close()
