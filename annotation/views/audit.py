"""The audit page of a project: who changed what, newest first, also as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from annotation.display_names import AUDIT_KINDS
from annotation.formats.safe_cells import safe_cell
from annotation.models import Project
from annotation.permissions import lead_access
from annotation.selectors.audit import AuditedChange, AuditTrail, people_in_audit_trail
from annotation.views.base import AuthenticatedRequest, person_page, show

ROWS = 50
MAX_ROWS = 10_000
"""Rows of a CSV; more are read by the API, page by page."""
COLUMNS = ("when", "who", "kind", "what", "about", "value", "before", "after")


class ChangesForm(forms.Form):
    """Whose changes are shown, and of which kind."""

    kind = forms.ChoiceField(label=gettext_lazy("Type"), required=False)
    person = forms.TypedChoiceField(label=gettext_lazy("Person"), required=False, coerce=int, empty_value=None)

    def __init__(self, data: Any, people: list[tuple[int, str]]) -> None:
        super().__init__(data)
        self.fields["kind"].choices = [("", gettext_lazy("all types")), *AUDIT_KINDS.items()]  # type: ignore[attr-defined]
        self.fields["person"].choices = [("", gettext_lazy("everyone")), *people]  # type: ignore[attr-defined]


@person_page
@require_safe
def changes(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """A page of the changes."""
    access = lead_access(request.user, slug)
    form, trail = _filtered_trail(request, access.project)
    page = trail.page(request.GET.get("page"), ROWS)
    chosen = {name: request.GET[name] for name in ("kind", "person") if request.GET.get(name)}
    return show(
        request,
        "project_changes",
        access,
        form=form,
        page=page,
        query=urlencode(chosen),
        kinds=AUDIT_KINDS,
        chosen=chosen,
    )


@person_page
@require_safe
def table(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The changes as CSV, a line for each value that changed; the filter is as on the page."""
    project = lead_access(request.user, slug).project
    _form, trail = _filtered_trail(request, project)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for change in trail[:MAX_ROWS]:
        writer.writerows([safe_cell(cell) for cell in row] for row in _lines(change))
    # With a byte order mark, without which Excel reads UTF-8 as an old code page.
    response = HttpResponse("\ufeff" + out.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-changes.csv"'
    return response


def _filtered_trail(request: AuthenticatedRequest, project: Project) -> tuple[ChangesForm, AuditTrail]:
    """An invalid filter is shown in its form and shows everything."""
    form = ChangesForm(request.GET or None, people_in_audit_trail(project))
    filters = form.cleaned_data if form.is_valid() else {}
    return form, AuditTrail(project, kind=filters.get("kind", ""), person=filters.get("person"))


def _lines(change: AuditedChange) -> list[list[str]]:
    start = [change.at.isoformat(timespec="seconds"), change.by, change.kind.value, change.what, change.about]
    values = [(value.name, value.before, value.after) for value in change.values] or [("", "", "")]
    return [[*start, *value] for value in values]
