"""The people of a project: the list, and adding someone."""

from __future__ import annotations

from django.http import HttpResponse

from annotation.forms.people import NewPersonForm
from annotation.permissions import lead_access
from annotation.selectors.progress import project_progress
from annotation.selectors.projects import annotator_list
from annotation.selectors.reading_languages import skills_by_annotator
from annotation.services.people import person_add
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show


@person_page
def people(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The list of people, and the form to add one."""
    access = lead_access(request.user, slug)
    form = NewPersonForm(request.POST or None)
    added = None
    if form.is_valid():
        data = form.cleaned_data
        added = attempt(form, lambda: person_add(project=access.project, **data))
        if added:
            form = NewPersonForm()
    totals = {each.annotator.pk: each.total for each in project_progress(access.project)}
    read = skills_by_annotator(access.project)
    rows = [(each, totals.get(each.pk), read.get(each.pk, {})) for each in annotator_list(access.project)]
    ended = any(each.former_user_id and not each.user_id for each, _total, _read in rows)
    return show(request, "people", access, form=form, made=added, rows=rows, ended=ended)
