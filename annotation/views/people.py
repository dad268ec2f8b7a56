"""The people of a project: who is in it, who comes in, who takes over."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from annotation.forms.people import BringInForm, PersonForm, ReplaceForm, RoleForm
from annotation.models import Annotator, User
from annotation.permissions import lead_access
from annotation.selectors.progress import project_stand
from annotation.selectors.projects import annotator_get, annotator_list
from annotation.services.people import (
    person_add,
    person_bring_in,
    person_bring_in_preview,
    person_end_access,
    person_replace,
    person_role_set,
)
from annotation.views.base import Asked, attempt, person_page, show


@person_page
def people(request: Asked, slug: str) -> HttpResponse:
    """Who works here?"""
    access = lead_access(request.user, slug)
    form = PersonForm(request.POST or None)
    made = None
    if form.is_valid():
        data = form.cleaned_data
        made = attempt(form, lambda: person_add(project=access.project, **data))
        if made:
            form = PersonForm()
    stands = {stand.annotator.pk: stand.all for stand in project_stand(access.project)}
    everybody = [(person, stands.get(person.pk)) for person in annotator_list(access.project)]
    return show(request, "people", access, form=form, made=made, everybody=everybody)


@person_page
def person(request: Asked, slug: str, pk: int) -> HttpResponse:
    """What does this person have, and who takes over?"""
    access = lead_access(request.user, slug)
    annotator = annotator_get(access.project, pk)
    action, given = request.POST.get("action", ""), request.POST
    asked: dict[str, forms.Form] = {
        "role": RoleForm(given if action == "role" else None, initial={"role": annotator.role}),
        "bring-in": BringInForm(given if action == "bring-in" else None),
        "replace": ReplaceForm(given if action == "replace" else None, leaver=annotator),
        "end-access": forms.Form(given if action == "end-access" else None),
    }
    form = asked.get(action)
    if form is not None and form.is_valid():
        done = attempt(form, lambda: _act(action, annotator, form.cleaned_data, request.user))
        if done:
            messages.success(request, done)
            return redirect("people", slug=slug)
    stand = next((each for each in project_stand(access.project) if each.annotator.pk == annotator.pk), None)
    return show(
        request,
        "person",
        access,
        annotator=annotator,
        stand=stand,
        change=person_bring_in_preview(annotator=annotator, seed=1) if annotator.user_id else None,
        role=asked["role"],
        bring_in=asked["bring-in"],
        replace=asked["replace"],
        end_access=asked["end-access"],
    )


def _act(action: str, annotator: Annotator, given: dict[str, Any], by: User) -> str:
    """Do what was asked for, and say what was done."""
    alias = annotator.alias
    if action == "role":
        person_role_set(annotator=annotator, role=given["role"])
        return _("The role of %(alias)s is changed.") % {"alias": alias}
    if action == "bring-in":
        change = person_bring_in(annotator=annotator, seed=given["seed"])
        text = _("%(alias)s was given %(new)s shared pairs and %(moved)s of those that nobody began.")
        return text % {"alias": alias, "new": len(change.new), "moved": len(change.moved)}
    if action == "replace":
        newcomer: Annotator = given["newcomer"]
        change = person_replace(leaver=annotator, newcomer=newcomer, by=by, end_access=given["end_access"])
        text = _("%(newcomer)s takes over %(n)s pairs from %(alias)s.")
        return text % {"newcomer": newcomer.alias, "n": len(change.moved) + len(change.new), "alias": alias}
    person_end_access(annotator=annotator)
    return _("The log-in of %(alias)s no longer opens this project.") % {"alias": alias}
