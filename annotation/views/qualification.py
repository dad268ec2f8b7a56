"""The qualification, for leads: its pass rule, where everyone stands, and what is decided about a person."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from annotation.errors import NotFound
from annotation.forms.qualification import DecisionForm, RuleForm
from annotation.models import Annotator
from annotation.numbers import whole
from annotation.permissions import lead_access
from annotation.qualifying.base import parts_of
from annotation.selectors.projects import annotator_get
from annotation.selectors.qualification import project_rule, retry_units, standing_of, standings
from annotation.services.qualification import (
    decision_undo,
    person_advance,
    person_retry,
    result_release,
    rule_save,
    words_save,
)
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show


@person_page
@require_safe
def qualification(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Where everyone stands."""
    access = lead_access(request.user, slug)
    rule = project_rule(access.project)
    names = parts_of(access.project.labels, rule.found) if rule else {}
    people = standings(access.project)
    rows = [(each, [each.result.parts.get(key) for key in names]) for each in people]
    waiting = sum(each.status in ("passed", "not-passed", "too-few") for each in people)
    advanced = sum(each.advanced for each in people)
    return show(request, "qualification", access, rule=rule, rows=rows, parts=names, waiting=waiting, advanced=advanced)


@person_page
def rule(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The pass rule: what a person has to show. `action` 'remove' removes it."""
    access = lead_access(request.user, slug)
    project = access.project
    current = project_rule(project)
    form = RuleForm(request.POST or None, scheme=project.labels, rule=current)
    valid, base = form.is_valid(), request.POST.get("revision", "")
    if request.POST.get("action") == "remove":
        if attempt(form, lambda: (rule_save(project=project, rule=None, base=base),)):
            messages.success(request, _("The pass rule was removed."))
            return redirect("qualification", slug=slug)
    elif valid and attempt(form, lambda: rule_save(project=project, rule=form.rule(), base=base)):
        messages.success(request, _("The pass rule was saved."))
        return redirect("qualification", slug=slug)
    return show(request, "qualification_rule", access, form=form, rule=current)


@person_page
def person(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """One person's result with their pairs; words to them and decisions."""
    access = lead_access(request.user, slug)
    annotator = annotator_get(access.project, pk)
    annotator.project = access.project
    standing = standing_of(annotator)
    if standing is None:
        raise NotFound(
            _("This project has no pass rule for the qualification."),
            where=access.project.name,
            hint=_("Set one first."),
        )
    free = len(retry_units(annotator, standing.rule))
    said = standing.words.words if standing.words else ""
    sent = request.POST.copy() if request.method == "POST" else None
    if sent is not None:
        sent.setdefault("words", said)  # undoing sends none
    form = DecisionForm(sent, initial={"words": said, "pairs": min(standing.rule.least_pairs, free) or None})
    if form.is_valid():
        told = attempt(form, lambda: _decide(request, annotator, form.cleaned_data))
        if told:
            messages.success(request, told)
            return redirect("qualification-person", slug=slug, pk=pk)
    return show(
        request,
        "qualification_person",
        access,
        annotator=annotator,
        standing=standing,
        form=form,
        free=free,
    )


@transaction.atomic
def _decide(request: AuthenticatedRequest, annotator: Annotator, data: dict[str, Any]) -> str:
    """Do what a lead decided, and save the words that come with it; returns what to tell the lead."""
    by, told = request.user, _("Nothing has changed.")
    if words_save(annotator=annotator, words=data["words"], by=by):
        told = _("Saved.")
    match request.POST.get("action", ""):
        case "advance":
            person_advance(annotator=annotator, by=by)
            told = _("%(alias)s is advanced.") % {"alias": annotator.alias}
        case "retry":
            n = person_retry(annotator=annotator, pairs=data["pairs"] or 0, by=by).pairs or 0
            text = ngettext("%(n)s pair was assigned to %(alias)s.", "%(n)s pairs were assigned to %(alias)s.", n)
            told = text % {"n": n, "alias": annotator.alias}
        case "release":
            if result_release(annotator=annotator, by=by):
                told = _("%(alias)s sees the result now.") % {"alias": annotator.alias}
        case "undo":
            decision_undo(annotator=annotator, step=_key(request.POST.get("step", "")), by=by)
            told = _("The decision was undone.")
    return told


def _key(text: str) -> int:
    try:
        return whole(text)
    except ValueError:
        return 0
