"""Around every request: an id for it, a line in the log, and the metrics."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from annotation.log_context import REQUEST_ID, log_context, log_context_extend
from operation import metrics

logger = logging.getLogger("diptych.request")
HEADER = "X-Request-ID"
_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")


def request_id(sent: str) -> str:
    """What a trusted proxy gave if it is well formed, else a new one. Other headers were removed before
    (`config.proxies`)."""
    return sent if _WELL_FORMED.fullmatch(sent) else uuid.uuid4().hex


class RequestMiddleware:
    """Must come after `TrustedProxyMiddleware` and before everything that may answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        number = request_id(request.headers.get(HEADER, ""))
        # Django logs refusals (404, 403, …) when all middlewares are done.
        setattr(request, REQUEST_ID, number)
        with log_context(request=number):
            began = time.monotonic()
            response = self.get_response(request)
            response[HEADER] = number
            if not request.path_info.startswith(f"/{settings.STATIC_URL.strip('/')}/"):
                self._record(request, response, time.monotonic() - began)
        return response

    def _record(self, request: HttpRequest, response: HttpResponse, seconds: float) -> None:
        """The name of the view instead of the address, which may contain what someone typed."""
        match = request.resolver_match
        view = (match.view_name if match else "") or "none"
        method = request.method if request.method in _METHODS else "OTHER"
        try:
            metrics.count(view, str(method), response.status_code, seconds)
        except OSError as error:  # no room for another file: what was done is done, and must not look as if it failed
            logger.warning("a request was not counted: %s", error)
        facts = {"view": view, "method": method, "status": response.status_code, "ms": round(seconds * 1000, 1)}
        logger.info("request", extra=facts)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """The person is known by now, and lines that the view logs name them by their key."""
        if request.user.is_authenticated:
            log_context_extend(user=request.user.pk)


_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
