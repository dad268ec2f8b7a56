"""Celery's part: a message says that a page waits for a report or a publication."""

from __future__ import annotations

import logging

from celery import shared_task
from kombu.exceptions import OperationalError

from agreement.services.publications import publications_work
from agreement.services.reports import reports_work

logger = logging.getLogger(__name__)


@shared_task(name="agreement.reports")
def reports() -> None:
    """Compute every report that somebody waits for."""
    reports_work()


@shared_task(name="agreement.publications")
def publications() -> None:
    """Write every publication that was asked for."""
    publications_work()


def ring_publications() -> None:
    """Tell the workers; where no broker answers, the page asks again by itself."""
    try:
        publications.apply_async(retry=False, expires=60)
    except (OperationalError, OSError) as error:
        logger.warning("the broker does not answer (%s); the publication waits for a worker", error)


def ring() -> None:
    """Tell the workers; where no broker answers, the page asks again by itself."""
    try:
        reports.apply_async(retry=False, expires=60)
    except (OperationalError, OSError) as error:
        logger.warning("the broker does not answer (%s); the report waits for a worker", error)
