"""The lead's page of whose consent was withdrawn."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from agreement.publication.services.consent import consent_restore, consent_withdraw
from agreement.selectors import withdrawals
from annotation.models import Annotator
from annotation.permissions import lead_access
from annotation.selectors.progress import project_progress
from annotation.selectors.projects import annotator_get
from annotation.views.base import AuthenticatedRequest, person_page
from annotation.views.query_params import number_param


@person_page
def consent(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Whose annotations later publications exclude; a lead records that a person withdrew their consent."""
    access = lead_access(request.user, slug)
    project = access.project
    if request.method == "POST":
        annotator = annotator_get(project, number_param(request.POST, "person") or 0)
        if request.POST.get("action") == "restore":
            consent_restore(annotator=annotator)
            messages.success(request, _("%(alias)s's annotations can be published again.") % {"alias": annotator.alias})
        else:
            consent_withdraw(annotator=annotator, by=request.user)
            text = _("%(alias)s's annotations are excluded from every later publication.")
            messages.success(request, text % {"alias": annotator.alias})
        return redirect("consent", slug=slug)
    gone = withdrawals(project)
    people: list[Annotator] = [each.annotator for each in project_progress(project)]
    context = {
        "access": access,
        "project": project,
        "section": "publish",
        "rows": [(person, gone.get(person.pk)) for person in people],
        "withdrawn": len(gone),
    }
    return render(request, "agreement/consent.html", context)
