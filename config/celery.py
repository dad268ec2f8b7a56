"""The Celery application. Tasks are thin wrappers; the database is the source of truth."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from kombu.transport import TRANSPORT_ALIASES

TRANSPORT_ALIASES["filesystem"] = "config.broker:Transport"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("diptych")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Workers also poll without a message.
app.autodiscover_tasks(related_name="workers")


@setup_logging.connect
def keep_log_settings(**_: Any) -> None:
    """A receiver keeps Celery from replacing the handlers of `LOGGING`."""
