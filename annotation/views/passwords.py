"""A new password for someone who forgot theirs: by a link that is sent by e-mail, or that a lead passes on."""

from __future__ import annotations

import logging
import smtplib
from typing import Any

from django.conf import settings
from django.contrib.auth import views
from django.contrib.auth.forms import PasswordResetForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse_lazy

logger = logging.getLogger(__name__)


class ResetForm(PasswordResetForm):
    """A server of e-mail that is away is logged; the answer is the same for every address."""

    def send_mail(self, *args: Any, **kwargs: Any) -> None:
        try:
            super().send_mail(*args, **kwargs)
        except (OSError, smtplib.SMTPException) as error:
            logger.error("a link for a new password could not be sent: %s", error)


class ResetView(views.PasswordResetView):
    """Asks for an e-mail address; where the site sends no e-mail, says whom to ask."""

    form_class = ResetForm
    template_name = "registration/reset.html"
    email_template_name = "registration/reset_email.txt"
    subject_template_name = "registration/reset_subject.txt"
    success_url = reverse_lazy("password-reset-sent")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, sends=bool(settings.EMAIL))

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.EMAIL:
            return self.get(request, *args, **kwargs)
        return super().post(request, *args, **kwargs)


class SentView(views.PasswordResetDoneView):
    template_name = "registration/reset_sent.html"


class NewPasswordView(views.PasswordResetConfirmView):
    """The page of the link. The link's secret is moved to the session, so that it is in no later address."""

    template_name = "registration/reset_new.html"
    success_url = reverse_lazy("password-reset-done")


class DoneView(views.PasswordResetCompleteView):
    template_name = "registration/reset_done.html"
