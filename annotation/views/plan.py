"""Planning assignments: settings, preview, then apply."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext

from annotation.forms.people import PlanForm
from annotation.models import Annotator
from annotation.permissions import lead_access
from annotation.planning import Plan
from annotation.selectors.pairs import project_size
from annotation.services.plans import plan_apply, plan_preview, plan_unread
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show
from annotation.vocabulary import Phase


@person_page
def plan(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Plan the assignments. Changing the form updates the preview; nothing is assigned until the plan is applied."""
    access = lead_access(request.user, slug)
    project = access.project
    size = project_size(project)
    form = PlanForm(request.POST or None, project=project, free=size.unassigned)
    found: Plan | None = None
    chosen: list[Annotator] = []
    if form.is_valid():
        chosen, wanted = list(form.cleaned_data["people"]), form.settings()
        if request.POST.get("step") == "make":
            digest = request.POST.get("digest", "")
            made = attempt(form, lambda: plan_apply(project=project, annotators=chosen, settings=wanted, digest=digest))
            if made:
                n = len(made.planned)
                text = ngettext("%(n)s assignment was created.", "%(n)s assignments were created.", n)
                messages.success(request, text % {"n": n})
                return redirect("project", slug=slug)
        else:
            found = attempt(form, lambda: plan_preview(project=project, annotators=chosen, settings=wanted))
    context = {
        "form": form,
        "plan": found,
        "rows": _rows(found, form) if found else [],
        "unread": plan_unread(project=project, annotators=chosen, plan=found) if found else [],
    }
    if request.htmx:
        return show(request, "_plan_preview", access, **context)
    return show(request, "plan", access, size=size, **context)


def _rows(found: Plan, form: PlanForm) -> list[dict[str, Any]]:
    """For each person, the number of pairs in each phase and of shared pairs in the main phase."""
    people: list[Annotator] = list(form.cleaned_data["people"])
    return [
        {
            "person": person,
            "phases": {phase: found.load(person.pk, phase) for phase in Phase},
            "shared": sum(each.annotator == person.pk and each.pair in found.shared for each in found.planned),
            "all": sum(each.annotator == person.pk for each in found.planned),
        }
        for person in people
    ]
