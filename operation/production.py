"""What a site that others can reach must not have: `check --deploy` says so, script/web and script/worker refuse it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error

MIN_KEY_LENGTH = 50
MIN_DISTINCT_CHARACTERS = 5


def refusals() -> Iterator[tuple[str, str]]:
    """A code and a sentence for each thing that is wrong."""
    if settings.DEBUG:
        yield "debug", "DIPTYCH_DEBUG is on, so that pages of errors show settings and code to everyone; unset it."
    if not settings.ALLOWED_HOSTS:
        yield "hosts", "DIPTYCH_HOSTS is empty, so that every request would be refused; name the hosts of this site."
    if any(host.strip().lstrip(".") in ("", "*") for host in settings.ALLOWED_HOSTS):
        yield (
            "hosts",
            "DIPTYCH_HOSTS accepts every host name, so that links can be forged; name those of this site.",
        )
    if os.environ.get("DIPTYCH_SECRET_KEY"):
        source, remedy = "DIPTYCH_SECRET_KEY", "unset it to have one generated, or set a long random one"
    else:
        key_file = Path(settings.DATA_DIR) / "secret-key"
        source, remedy = str(key_file), "delete the file to have one generated; everyone then logs in again"
        if key_file.exists() and key_file.stat().st_mode & 0o077:
            yield "secret-read", f"Other users of this machine can read the secret key; run chmod 600 {key_file}."
    if settings.OPENID is not None and settings.OPENID.is_plain:
        yield (
            "openid-http",
            "DIPTYCH_OPENID_ISSUER is no https address, so that others on the way can log in as anyone; give that one.",
        )
    key = str(settings.SECRET_KEY)
    if len(key) < MIN_KEY_LENGTH or len(set(key)) < MIN_DISTINCT_CHARACTERS or key.startswith("django-insecure-"):
        yield "secret-weak", f"The secret key ({source}) can be guessed: it is short or not random; {remedy}."


def check_production(app_configs: Sequence[Any] | None, **_: Any) -> list[CheckMessage]:
    """For Django's `check --deploy`."""
    return [Error(sentence, id=f"diptych.{code}") for code, sentence in refusals()]
