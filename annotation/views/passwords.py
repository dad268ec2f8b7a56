"""A new password for someone who forgot theirs: by a link that is sent by e-mail, or that a lead passes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any

from django.conf import settings
from django.contrib.auth import views
from django.contrib.auth.forms import PasswordResetForm, SetPasswordForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse_lazy
from django.utils.translation import get_language, override

from annotation.models import User
from annotation.security_events import security_event
from annotation.services.identities import identities_unlink_all
from annotation.services.tokens import tokens_revoke_all
from annotation.views.absolute_urls import site_origin

logger = logging.getLogger(__name__)
MAX_WAITING = 20
RETRY_AFTER_SECONDS = 300.0
"""How long the same person is sent no second message."""


class Outbox:
    """Sends messages one after the other in a thread of its own, so that no page waits for the server of e-mail.

    How long that takes must not show whether there is an account. A message is lost if the process is killed before it
    is sent, if `MAX_WAITING` wait already, and if this process has sent the same person one in the last
    `RETRY_AFTER_SECONDS` seconds: they ask again.
    """

    def __init__(self, thread: Executor) -> None:
        self._thread = thread
        self._lock = Lock()
        self._waiting = 0
        self._sent: dict[int, float] = {}

    def send(self, person: int, message: Callable[[], None]) -> None:
        now = monotonic()
        with self._lock:
            self._sent = {each: at for each, at in self._sent.items() if now - at < RETRY_AFTER_SECONDS}
            if person in self._sent or self._waiting >= MAX_WAITING:
                logger.warning("a link for a new password was not sent: there are too many")
                return
            self._sent[person] = now
            self._waiting += 1
        self._thread.submit(self._deliver, message, get_language())

    def _deliver(self, message: Callable[[], None], language: str | None) -> None:
        try:
            with override(language):
                message()  # Django logs what goes wrong
        finally:
            with self._lock:
                self._waiting -= 1


outbox = Outbox(ThreadPoolExecutor(1, thread_name_prefix="mail"))


class ResetForm(PasswordResetForm):
    """The response is the same for every address, and takes as long."""

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        names = (subject_template_name, email_template_name)
        message = partial(super().send_mail, *names, context, from_email, to_email, html_email_template_name)
        outbox.send(context["user"].pk, message)


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
        self.extra_email_context = {"origin": site_origin(request)}
        return super().post(request, *args, **kwargs)


class SentView(views.PasswordResetDoneView):
    template_name = "registration/reset_sent.html"


class NewPasswordView(views.PasswordResetConfirmView):
    """The page of the link. The link's secret is moved to the session, so that it is in no later address."""

    template_name = "registration/reset_new.html"
    success_url = reverse_lazy("password-reset-done")

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        response = super().form_valid(form)
        security_event("password reset", account=form.user.pk)
        # Someone else may have had the account.
        tokens_revoke_all(user=form.user)
        identities_unlink_all(user=form.user)
        return response


class DoneView(views.PasswordResetCompleteView):
    template_name = "registration/reset_done.html"
