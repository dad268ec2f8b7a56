"""Readiness, metrics, and the page of the site's owner."""

from __future__ import annotations

import platform
import secrets
import shutil
from typing import Any

import django
from django.conf import settings
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.errors import NotFound
from annotation.models import Worker
from annotation.selectors.workers import workers_alive
from annotation.site_version import site_version
from annotation.views.base import AuthenticatedRequest, person_page
from operation import metrics
from operation.health import is_ready, pending_migrations, readiness
from operation.jobs import failures, loads, pairs_per_minute

NEWEST_FAILURES = 10


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Whether this process can serve: 200 or 503, and a code for each check."""
    codes = readiness()
    ready = is_ready(codes)
    return JsonResponse({"ready": ready, "checks": codes}, status=200 if ready else 503)


@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """For a program that has the token, and for the site's owner; nobody else learns that it is there."""
    if not (_has_token(request) or request.user.is_superuser):
        raise Http404
    return HttpResponse(metrics.exposition(), content_type="text/plain; version=0.0.4; charset=utf-8")


def _has_token(request: HttpRequest) -> bool:
    kind, _space, sent = request.headers.get("Authorization", "").partition(" ")
    token: str = settings.METRICS_TOKEN
    return bool(token) and kind.lower() == "bearer" and secrets.compare_digest(sent.encode(), token.encode())


@never_cache
@person_page
@require_safe
def server(request: AuthenticatedRequest) -> HttpResponse:
    """Workers, jobs, disk, failures and versions, for the site's owner."""
    if not request.user.is_superuser:
        raise NotFound(_("There is no such page."))
    disk = shutil.disk_usage(settings.DATA_DIR)
    alive = {worker.pk for worker in workers_alive()}
    jobs = loads()
    context = {
        "workers": [(worker, worker.pk in alive) for worker in Worker.objects.all()],
        "alive": len(alive),
        "loads": jobs,
        "waiting": sum(load.waiting for load in jobs),
        "failures": failures(NEWEST_FAILURES),
        "per_minute": pairs_per_minute(),
        "free": disk.free,
        "size": disk.total,
        "versions": _versions(),
        "pending": pending_migrations(),
        "now": timezone.now(),
    }
    return render(request, "operation/server.html", context)


def _versions() -> list[tuple[str, str]]:
    python = ("Python", platform.python_version())
    # The methods of a database's version are of that database alone.
    here: Any = connection
    database = (here.display_name, ".".join(map(str, here.get_database_version())))
    return [("Diptych", site_version()), ("Django", django.get_version()), python, database]
