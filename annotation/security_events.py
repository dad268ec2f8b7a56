"""What happens to accounts, roles and data, as lines of the log `diptych.security`: by keys, never by names.

The line also has the number of the request, and the key of whoever asked (`annotation.log_context`).
"""

from __future__ import annotations

import logging

SECURITY = "diptych.security"
logger = logging.getLogger(SECURITY)


def security_event(what: str, **about: int | str | None) -> None:
    """Log that something happened, for example `security_event("role changed", account=3, role="lead")`."""
    logger.info(what, extra={key: value for key, value in about.items() if value is not None})
