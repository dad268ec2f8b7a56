"""Tells leads by e-mail, where the site sends any, that a webhook was disabled after failures."""

from __future__ import annotations

import logging

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils.translation import gettext as _
from django.utils.translation import override

from annotation.models import Annotator, Role
from annotation.models.webhooks import Webhook
from annotation.selectors.webhooks import webhooks_unreported
from annotation.services.jobs import job_language
from annotation.services.webhooks import url_host

logger = logging.getLogger(__name__)


def notices_send() -> int:
    """Tell the leads of every webhook that was disabled; returns how many e-mails were sent.

    It is noted first, so that no two workers write to the same people; the page says it in any case.
    """
    sent = 0
    for hook in webhooks_unreported():
        first = Webhook.objects.filter(pk=hook.pk, leads_notified=False).update(leads_notified=True)
        if not first or not settings.EMAIL:
            continue
        leads = Annotator.objects.filter(project=hook.project, role=Role.LEAD, user__is_active=True)
        for lead in leads.exclude(user__email="").select_related("user"):
            assert lead.user is not None
            with override(job_language(lead.user)):
                names = {"project": hook.project.name, "host": url_host(hook.url)}
                subject = _("A webhook of %(project)s was disabled") % {"project": " ".join(hook.project.name.split())}
                body = "\n\n".join(part % names for part in _parts())
                try:
                    EmailMessage(subject, body, None, [lead.user.email]).send()
                    sent += 1
                except Exception:  # whatever the mail server says
                    logger.exception("a lead was not told of a webhook")
    return sent


def _parts() -> tuple[str, ...]:
    return (
        _(
            "A webhook of the annotation project “%(project)s”, at %(host)s, was disabled: deliveries have failed for "
            "days, or the receiver responded that its address is gone (410)."
        ),
        _(
            "The Webhooks page in the project's settings shows the responses. Once the receiver works again, "
            "enable the webhook there: pending deliveries are then sent."
        ),
    )
