"""Planning re-tests: settings, preview, then create them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext

from annotation.forms.people import RetestForm
from annotation.permissions import lead_access
from annotation.planning.retests import RetestPlan
from annotation.services.retests import retests_create, retests_preview
from annotation.views.base import AuthenticatedRequest, person_page, preview_or_apply, show


@person_page
def retests(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Plan re-tests. Changing the form redraws the pairs."""
    access = lead_access(request.user, slug)
    project = access.project
    form = RetestForm(request.POST or None, project=project)
    retest_plan: RetestPlan | None = None
    if form.is_valid():
        chosen, phase, settings = list(form.cleaned_data["people"]), form.cleaned_data["phase"], form.settings()
        arguments = {"project": project, "phase": phase, "annotators": chosen, "settings": settings}
        retest_plan, applied = preview_or_apply(
            form,
            preview=lambda: retests_preview(**arguments),
            apply=lambda digest: retests_create(**arguments, digest=digest),
            digest=request.POST.get("digest", "") if request.POST.get("step") == "make" else None,
        )
        if applied:
            n = len(applied.planned)
            text = ngettext("%(n)s pair was assigned again.", "%(n)s pairs were assigned again.", n)
            messages.success(request, text % {"n": n})
            return redirect("project", slug=slug)
    rows = (
        [(each, retest_plan.load(each.pk), retest_plan.available[each.pk]) for each in form.cleaned_data["people"]]
        if retest_plan
        else []
    )
    context = {"form": form, "plan": retest_plan, "rows": rows}
    return show(request, "_retest_preview" if request.htmx else "retests", access, **context)
