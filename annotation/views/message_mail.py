"""Tells people by e-mail that someone wrote to them, where the site sends e-mail: a link, and no content."""

from __future__ import annotations

import logging

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from annotation.models import User
from annotation.models.messages import Party, Thread
from annotation.selectors.advancement import held_back
from annotation.services.thread_read_marks import lead_mails_reserve, thread_mail_reserve
from annotation.views import invitation_mail

logger = logging.getLogger(__name__)


def thread_mail(thread: Thread, *, origin: str) -> None:
    """Send it after the response, if one is due. If it fails, the message is still on its receiver's list.

    Annotators get none about a pair that waits until they are advanced: its link would be refused.
    """
    if not settings.EMAIL:
        return
    annotator = thread.assignment.annotator
    project = annotator.project
    if thread.waiting_for == Party.LEAD:
        link = origin + reverse("threads", args=(project.slug,))
        for user in lead_mails_reserve(thread=thread):
            _submit(user, user.email, project.name, link, "message_for_lead")
        return
    due = thread.unread_since and not held_back(thread.assignment, annotator)
    address = thread_mail_reserve(thread=thread) if due else ""
    if address:
        link = origin + reverse("work", args=(project.slug, thread.assignment_id)) + "#messages"
        _submit(annotator.user, address, project.name, link, "message")


def _submit(user: User | None, address: str, project: str, link: str, template: str) -> None:
    preferred = user.preferences.get("language") if user else None
    language = preferred if preferred in dict(settings.LANGUAGES) else get_language()
    invitation_mail.outbox.submit(_deliver, address, project, link, language, template)


def _deliver(address: str, project: str, link: str, language: str | None, template: str) -> None:
    try:
        with override(language):
            body = render_to_string(f"registration/{template}_email.txt", {"project": project, "link": link})
            subject = _("A message in %(project)s") % {"project": " ".join(project.split())}
            EmailMessage(subject, body, None, [address]).send()
    except Exception:  # whatever the mail server says
        logger.exception("someone was not told of a message")
