"""What the addresses of agreement pages say, read once."""

from __future__ import annotations

from django.http import HttpRequest

from agreement.reports import View
from annotation.models import Phase


def view_of(request: HttpRequest) -> View:
    """The part of the work a page is asked for; what makes no sense is read as everything."""
    phase = request.GET.get("phase", Phase.MAIN)
    people = tuple(name for name in request.GET.get("annotators", "").split(",") if name)
    return View(
        phase if phase in Phase.values else Phase.MAIN,
        request.GET.get("languages", ""),
        people,
        request.GET.get("split", ""),
        request.GET.get("again", ""),
    )


def number_of(request: HttpRequest, name: str, otherwise: int) -> int:
    given = request.GET.get(name, "")
    return int(given) if given.isdecimal() else otherwise
