"""Log-ins, failed ones and log-outs, as lines of the log `diptych.security`."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed

from annotation.security_events import security_event


def logged_in(user: Any, **_: Any) -> None:
    security_event("logged in", account=user.pk)


def logged_out(user: Any, **_: Any) -> None:
    if user is not None:
        security_event("logged out", account=user.pk)


def failed(**_: Any) -> None:
    """Without the name that was typed: some people type their password there."""
    security_event("log-in failed")


def connect_signals() -> None:
    for signal, receiver in ((user_logged_in, logged_in), (user_logged_out, logged_out), (user_login_failed, failed)):
        signal.connect(receiver, dispatch_uid=f"operation.log_ins.{receiver.__name__}")
