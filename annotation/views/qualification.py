"""The qualification, for leads: its pass rule, everyone's status, and what is decided about a person."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from annotation.errors import Invalid, NotFound
from annotation.forms.qualification import DecisionForm, PassRuleForm
from annotation.models import Annotator, Project
from annotation.models.qualification import StepKind
from annotation.number_parsing import parse_integer
from annotation.permissions import lead_access
from annotation.qualification.base import parts_of
from annotation.qualification.results import ADVANCED, State
from annotation.qualification.rule import PassRule
from annotation.scheme_words import scheme_in_words
from annotation.selectors.projects import annotator_get
from annotation.selectors.qualification import (
    FINISHED,
    held_back_by_rule,
    project_rule,
    qualification_of,
    qualifications,
)
from annotation.selectors.retries import people_with_too_few, retry_supply
from annotation.services.qualification import ACTIONS, person_decide, rule_check, rule_save
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show


@person_page
@require_safe
def qualification(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Everyone's status."""
    access = lead_access(request.user, slug)
    rule = project_rule(access.project)
    names = parts_of(scheme_in_words(access.project.labels), rule.chosen_measure) if rule else {}
    people = qualifications(access.project)
    rows = [(each, [(name, each.result.parts.get(key)) for key, name in names.items()]) for each in people]
    states = Counter(each.status for each in people)
    return show(
        request,
        "qualification",
        access,
        rule=rule,
        rows=rows,
        parts=names,
        waiting=sum(states[state] for state in FINISHED),
        advanced=states[ADVANCED],
        unassigned=states[State.UNASSIGNED],
    )


@person_page
def rule(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The pass rule: what a person has to show. `action` 'remove' removes it.

    A first rule that holds people back is saved once the lead has seen how many, and sends that number as `held`.
    """
    access = lead_access(request.user, slug)
    project = access.project
    current = project_rule(project)
    form = PassRuleForm(request.POST or None, scheme=project.labels, rule=current)
    valid, base = form.is_valid(), request.POST.get("revision", "")
    if request.POST.get("action") == "remove":
        if attempt(form, lambda: (rule_save(project=project, rule=None, base=base),)):
            messages.success(request, _("The pass rule was removed."))
            return redirect("qualification", slug=slug)
    elif valid:
        new = attempt(form, lambda: rule_check(project=project, rule=form.rule()))
        held = held_back_by_rule(project, new) if new and current is None else None
        if held and held.pairs and request.POST.get("held") != held.text:
            return show(request, "qualification_rule", access, form=form, rule=current, held=held)
        if new and attempt(form, lambda: rule_save(project=project, rule=form.rule(), base=base)):
            messages.success(request, _saved_words(project, new))
            return redirect("qualification", slug=slug)
    return show(request, "qualification_rule", access, form=form, rule=current)


def _saved_words(project: Project, rule: PassRule) -> str:
    saved, few = _("The pass rule was saved."), people_with_too_few(project, rule)
    if not few:
        return saved
    short = _("The rule needs %(least)s pairs, and these people have fewer, so they can't pass: %(names)s.")
    return f"{saved} {short % {'least': rule.least_pairs, 'names': ', '.join(few)}}"


@person_page
def person(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """One person's result with their pairs; words to them and decisions."""
    access = lead_access(request.user, slug)
    annotator = annotator_get(access.project, pk)
    annotator.project = access.project
    qualification = qualification_of(annotator)
    if qualification is None:
        raise NotFound(
            _("This project has no pass rule for the qualification."),
            where=access.project.name,
            hint=_("Set one first."),
        )
    rule = qualification.rule
    if request.method == "POST":
        form = DecisionForm(request.POST)
        if form.is_valid():
            message = attempt(form, lambda: _decide(request, annotator, form.cleaned_data, rule))
            if message:
                messages.success(request, message)
                return redirect("qualification-person", slug=slug, pk=pk)
        qualification = qualification_of(annotator) or qualification
    supply = retry_supply(annotator, qualification.rule)
    initial = {
        "words": qualification.visible_message,
        "pairs": min(qualification.rule.least_pairs, len(supply.units)) or None,
        "revision": qualification.revision,
    }
    newer = False
    if request.method == "POST":
        # Sending it again is a decision on what the page shows now. Undoing sends neither words nor a revision.
        form.data = {**initial, **request.POST.dict(), "revision": qualification.revision}
        newer = "words" in request.POST and not qualification.is_message_unchanged(request.POST.get("revision", ""))
    else:
        form = DecisionForm(initial=initial)
    state = qualification.result.state
    return show(
        request,
        "qualification_person",
        access,
        annotator=annotator,
        qualification=qualification,
        form=form,
        supply=supply,
        newer=newer,
        may_retry=supply.units and state not in (State.NOT_STARTED, State.IN_PROGRESS),
        may_release=not qualification.released and state in FINISHED,
    )


def _decide(request: AuthenticatedRequest, annotator: Annotator, data: dict[str, Any], rule: PassRule) -> str:
    """Do what a lead decided, and save the words that come with it; returns what to tell the lead."""
    action = request.POST.get("action", "words")
    if action not in ACTIONS:
        raise Invalid(_("There is no such decision."), where=annotator.alias)
    saved, decided = person_decide(
        annotator=annotator,
        action=action,
        revision=data["revision"],
        by=request.user,
        words=None if action == "undo" else data["words"],
        pairs=data["pairs"] or 0,
        step=_key(request.POST.get("step", "")),
    )
    alias = {"alias": annotator.alias}
    if decided is None:
        return _("Saved.") if saved else _("Nothing has changed.")
    match action:
        case StepKind.ADVANCE.value:
            return _("%(alias)s has been advanced.") % alias
        case StepKind.RETRY.value:
            n = decided.pairs or 0
            text = ngettext("%(n)s pair was assigned to %(alias)s.", "%(n)s pairs were assigned to %(alias)s.", n)
            message = text % {"n": n, **alias}
            if (data["pairs"] if rule.both_directions else n) >= rule.least_pairs:
                return message
            few = _("The pass rule needs %(least)s, so the result will be: too few pairs.")
            return f"{message} {few % {'least': rule.least_pairs}}"
        case StepKind.RELEASE.value:
            return _("%(alias)s sees the result now.") % alias
    return _("The decision was undone.")


def _key(text: str) -> int:
    try:
        return parse_integer(text)
    except ValueError:
        return 0
