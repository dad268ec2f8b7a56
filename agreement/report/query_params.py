"""The query parameters of agreement pages."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from agreement.models import MAX_VIEW_LENGTH
from agreement.report import name_lists
from agreement.report.scope import Scope
from annotation.errors import Invalid
from annotation.models import Phase
from annotation.views.query_params import number_param


def scope_of(request: HttpRequest) -> Scope:
    """The part of the work that is requested; invalid values count as everything.

    Raises Invalid if it is too long to store a report under.
    """
    phase = request.GET.get("phase", Phase.MAIN)
    people = name_lists.split_names(request.GET.get("annotators", ""))
    scope = Scope(
        phase if phase in Phase.values else Phase.MAIN,
        request.GET.get("languages", ""),
        people,
        request.GET.get("split", ""),
        request.GET.get("again", ""),
    )
    return checked_scope(scope, request.path)


def checked_scope(scope: Scope, path: str) -> Scope:
    """Raises Invalid if it is too long to store a report under."""
    if len(str(scope)) > MAX_VIEW_LENGTH:
        raise Invalid(_("This address has too many filters."), where=path)
    return scope


def number_of(request: HttpRequest, name: str, otherwise: int) -> int:
    """The whole number in the query parameter `name`. Raises Invalid for anything else."""
    number = number_param(request.GET, name)
    return otherwise if number is None else number
