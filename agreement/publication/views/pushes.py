"""The lead's page on which a publication is pushed to a hub."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from agreement.publication.forms import PushForm
from agreement.publication.hub_push import PushTarget
from agreement.publication.services.pushes import push_request
from agreement.selectors import publication_get, push_list
from annotation.formats import dataset_formats
from annotation.models import JobStatus
from annotation.permissions import lead_access
from annotation.views.base import AuthenticatedRequest, attempt, person_page


@sensitive_post_parameters("token")
@person_page
def push(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    """Push a publication, and see how its pushes went."""
    access = lead_access(request.user, slug)
    publication = publication_get(access.project, number)
    last = push_list(publication).first()
    initial = {"tag": f"v{number}", "repository": last.repository if last else "", "private": True}
    form = PushForm(request.POST or None, initial=initial)
    if form.is_valid():
        data = form.cleaned_data
        target = PushTarget(data["repository"].strip(), data["tag"].strip(), data["private"])
        if attempt(
            form,
            lambda: push_request(publication=publication, target=target, token=data["token"], by=request.user),
        ):
            return redirect("publication-push", slug=slug, number=number)
    pushes = list(push_list(publication))
    context = {
        "access": access,
        "project": access.project,
        "section": "publish",
        "publication": publication,
        "ready": publication.status == JobStatus.DONE and publication.format in dataset_formats(),
        "hub": urlsplit(settings.HUB).netloc,
        "form": form,
        "pushes": pushes,
        "waiting": any(each.status == JobStatus.RUNNING and not each.interrupted for each in pushes),
    }
    template = "agreement/_pushes.html" if request.htmx else "agreement/push.html"
    return render(request, template, context, status=422 if form.errors else 200)
