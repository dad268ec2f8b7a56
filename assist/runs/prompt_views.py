"""The prompt of a language model: what would be sent about one pair, what a run would cost, and its start."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from annotation.errors import Invalid
from annotation.permissions import lead_access
from annotation.views.base import AuthenticatedRequest, attempt, person_page
from assist.methods.base import MethodError
from assist.methods.llm import Llm
from assist.phrases.run_phrases import translated
from assist.runs.llm_costs import llm_cost, pair_answer, pair_requests
from assist.runs.method_choice import initial_settings, method_for
from assist.runs.prompt_forms import PairForm, PromptForm
from assist.runs.services import run_request

ROLES = {
    "system": gettext_lazy("Instructions"),
    "user": gettext_lazy("Question"),
    "assistant": gettext_lazy("Answer"),
}
"""What the messages of a request are called."""


@person_page
@never_cache
def prompt(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The request about one pair and the estimated cost, for the settings that were sent; or the start of the run."""
    access = lead_access(request.user, slug)
    project, data = access.project, request.POST or None
    form, pair_form = PromptForm(project.labels, data), PairForm(data)
    valid = data is None or (form.is_valid() and pair_form.is_valid())
    if data is not None and valid and request.POST.get("do") == "run":
        run = attempt(
            form,
            lambda: run_request(
                project=project, method=Llm.slug(), settings=form.settings(), by=request.user, from_web=True
            ),
        )
        if run:
            messages.success(request, _("%(run)s is %(status)s.") % {"run": run, "status": run.get_status_display()})
            return redirect("prelabels-run", slug=slug, run=run.slug)
        valid = False
    settings = form.settings() if data is not None and form.is_valid() else initial_settings(Llm, project.labels)
    if data is not None and form.is_valid():
        form.show_instructions()
    number = pair_form.cleaned_data["pair"] if data is not None and pair_form.is_valid() else 1
    shown: dict[str, Any] = {}
    try:
        method = method_for(Llm.name, settings, project.labels, from_web=True)
        assert isinstance(method, Llm)
        shown = _preview(method, project, number)
    except Invalid as error:
        shown = {"problem": str(error)}
    return render(
        request,
        "assist/llm.html",
        {
            "access": access,
            "project": project,
            "section": "prelabels",
            "form": form,
            "pair_form": pair_form,
            **shown,
        },
        status=200 if valid else 422,
    )


def _preview(method: Llm, project: Any, number: int) -> dict[str, Any]:
    """The request about a pair, and the cost; or why there is none."""
    pair_and_requests = pair_requests(project, method, number)
    shown: dict[str, Any] = {"of": project.pairs.count(), "number": number}
    if pair_and_requests is not None:
        pair, requests = pair_and_requests
        shown |= {
            "pair": pair,
            "requests": len(requests),
            "messages_sent": [(ROLES[role], text) for role, text in requests[0].messages] if requests else [],
        }
    try:
        shown["cost"] = llm_cost(project, method)
        if pair_and_requests is not None:
            shown["answer"] = pair_answer(project, method, *pair_and_requests)
    except MethodError as error:
        shown["problem"] = _("%(method)s cannot be run: %(reason)s.") % {
            "method": method.name,
            "reason": translated(str(error), _),
        }
    return shown
