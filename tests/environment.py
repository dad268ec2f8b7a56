"""The environment of processes that tests start."""

from __future__ import annotations

import os

_SETTINGS = ("DATABASE_URL", "DIPTYCH_", "CELERY_", "PROMETHEUS_", "DJANGO_")


def without_settings() -> dict[str, str]:
    """This process's environment without any setting of Diptych's or Django's."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_SETTINGS)}
