"""Tells an annotator by e-mail that a lead wrote to them, where the site sends e-mail: a link, and no content."""

from __future__ import annotations

import logging

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from annotation.message_models import Thread
from annotation.selectors.advancement import held_back
from annotation.services.threads import thread_mail_reserve
from annotation.views import invitation_mail

logger = logging.getLogger(__name__)


def thread_mail(thread: Thread, *, origin: str) -> None:
    """Send it after the response, if one is due. If it fails, the message is still on the annotator's list.

    None is about a pair that waits until its annotator is advanced: its link would be refused.
    """
    annotator = thread.assignment.annotator
    due = settings.EMAIL and thread.unread_since and not held_back(thread.assignment, annotator)
    address = thread_mail_reserve(thread=thread) if due else ""
    if not address:
        return
    preferred = annotator.user.preferences.get("language") if annotator.user else None
    link = origin + reverse("work", args=(annotator.project.slug, thread.assignment_id)) + "#messages"
    language = preferred if preferred in dict(settings.LANGUAGES) else get_language()
    invitation_mail.outbox.submit(_deliver, address, annotator.project.name, link, language)


def _deliver(address: str, project: str, link: str, language: str | None) -> None:
    try:
        with override(language):
            body = render_to_string("registration/message_email.txt", {"project": project, "link": link})
            subject = _("A message in %(project)s") % {"project": " ".join(project.split())}
            EmailMessage(subject, body, None, [address]).send()
    except Exception:  # whatever the mail server says
        logger.exception("an annotator was not told of a message")
