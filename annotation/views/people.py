"""The people of a project: adding them, their roles and access, and reassigning their pairs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.display_names import phase_counts
from annotation.errors import sentences
from annotation.forms.invitations import InviteAsForm, LanguagesReadForm, RenameForm
from annotation.forms.people import AssignShareForm, EndAccessForm, NewPersonForm, ReplaceForm, RoleForm
from annotation.invitees import Invitee
from annotation.models import Annotator, Assignment, User
from annotation.permissions import check_may_reset_password, lead_access, may_reset_password
from annotation.reading_languages import skills_text
from annotation.selectors.pairs import project_size
from annotation.selectors.progress import project_progress
from annotation.selectors.projects import annotator_get, annotator_list
from annotation.selectors.reading_languages import skills_by_annotator, skills_of
from annotation.services.accounts import password_link_make
from annotation.services.invitations import invitations_create
from annotation.services.people import (
    ReassignmentPreview,
    person_add,
    person_assign_share,
    person_end_access,
    person_replace,
    person_replace_preview,
    person_restore_access,
    person_role_set,
    person_share_preview,
)
from annotation.services.person_renames import person_rename
from annotation.services.reading_languages import reading_skills_set
from annotation.views.absolute_urls import password_link
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show
from annotation.views.invitations import invited_redirect

# How many of the pairs that stay are named; the rest are only counted.
MAX_NAMED_PAIRS = 20


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


@person_page
def person(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """One person: progress, role, access, and reassigning their pairs."""
    access = lead_access(request.user, slug)
    annotator = annotator_get(access.project, pk)
    action, data = request.POST.get("action", ""), request.POST
    forms_by_action: dict[str, forms.Form] = {
        "role": RoleForm(data if action == "role" else None, initial={"role": annotator.role}),
        "assign-share": AssignShareForm(data if action == "assign-share" else None),
        "replace": ReplaceForm(data if action == "replace" else None, leaver=annotator),
        "end-access": EndAccessForm(data if action == "end-access" and "confirmed" in data else None),
        "restore-access": forms.Form(data if action == "restore-access" else None),
        "rename": RenameForm(data if action == "rename" else None, initial={"alias": annotator.alias}),
        "reading": LanguagesReadForm(
            data if action == "reading" else None, initial={"languages": skills_text(skills_of(annotator))}
        ),
        "invite": InviteAsForm(data if action == "invite" else None),
    }
    may_reset = annotator.user is not None and may_reset_password(request.user, annotator.user)
    if action == "password-link" and annotator.user is not None:
        check_may_reset_password(request.user, annotator.user, where=annotator.alias)
        made = password_link_make(user=annotator.user, by=request.user)
        link = password_link(request, made)
        return show(request, "password_link", access, annotator=annotator, link=link)
    form = forms_by_action.get(action)
    valid = form is not None and form.is_valid()
    confirming = action if action == "replace" or (action == "end-access" and annotator.user_id) else ""
    takeover: list[str] = []
    if form is not None and valid and confirming == "replace" and "confirmed" not in data:
        newcomer = form.cleaned_data["newcomer"]
        preview = attempt(form, lambda: person_replace_preview(leaver=annotator, newcomer=newcomer))
        takeover = _takeover(preview, annotator, newcomer) if preview else []
    elif form is not None and valid and action == "invite":
        invitee = Invitee("", form.cleaned_data["email"])
        made_links = attempt(
            form,
            lambda: invitations_create(project=access.project, people=[invitee], membership=annotator, by=request.user),
        )
        if made_links:
            return invited_redirect(request, access.project, made_links)
    elif form is not None and valid and (not confirming or "confirmed" in data):
        done = attempt(form, lambda: _act(action, annotator, form.cleaned_data, request.user))
        if done:
            messages.success(request, done)
            # The list restores access too, and stays open.
            if action in ("end-access", "restore-access", "rename", "reading") and "list" not in data:
                return redirect("person", slug=slug, pk=pk)
            return redirect("people", slug=slug)
        if action in ("end-access", "restore-access"):
            # The page has no such form any more, beside which to say it: someone else was faster.
            messages.error(request, sentences(*map(str, form.non_field_errors())))
    elif action == "end-access" and not annotator.user_id:
        messages.error(request, _("%(alias)s no longer has access to this project.") % {"alias": annotator.alias})
    progress = next((each for each in project_progress(access.project) if each.annotator.pk == annotator.pk), None)
    return show(
        request,
        "person",
        access,
        annotator=annotator,
        progress=progress,
        change=person_share_preview(annotator=annotator, seed=1) if annotator.user_id else None,
        unassigned=project_size(access.project).unassigned,
        role=forms_by_action["role"],
        assign_share=forms_by_action["assign-share"],
        replace=forms_by_action["replace"],
        end_access=forms_by_action["end-access"],
        restore_access=forms_by_action["restore-access"],
        rename=forms_by_action["rename"],
        reading=forms_by_action["reading"],
        invite=forms_by_action["invite"],
        confirming=confirming if confirming != "replace" or takeover else "",
        takeover=takeover,
        may_reset=may_reset,
    )


def _act(action: str, annotator: Annotator, data: dict[str, Any], by: User) -> str:
    """Perform an action and return a message about it."""
    alias = annotator.alias
    if action == "role":
        person_role_set(annotator=annotator, role=data["role"])
        return _("%(alias)s's role was changed.") % {"alias": alias}
    if action == "rename":
        return _("%(old)s is now called %(alias)s.") % {
            "old": alias,
            "alias": person_rename(annotator=annotator, alias=data["alias"]).alias,
        }
    if action == "reading":
        reading_skills_set(annotator=annotator, skills=data["languages"])
        return _("The languages that %(alias)s reads were saved.") % {"alias": alias}
    if action == "assign-share":
        change = person_assign_share(annotator=annotator, seed=data["seed"])
        text = _("Pairs assigned to %(alias)s: %(new)s shared, %(moved)s that nobody had started.")
        return text % {"alias": alias, "new": len(change.new), "moved": len(change.moved)}
    if action == "replace":
        newcomer: Annotator = data["newcomer"]
        preview = person_replace(leaver=annotator, newcomer=newcomer, by=by, end_access=data.get("end_access", False))
        n = len(preview.moves) + len(preview.started)
        text = ngettext(
            "%(n)s pair was reassigned from %(alias)s to %(newcomer)s.",
            "%(n)s pairs were reassigned from %(alias)s to %(newcomer)s.",
            n,
        )
        sentences = text % {"n": n, "alias": alias, "newcomer": newcomer.alias}
        return " ".join([sentences, *_not_reassigned_messages(preview, annotator, newcomer)])
    if action == "restore-access":
        person_restore_access(annotator=annotator)
        return _("%(alias)s has access to this project again.") % {"alias": alias}
    person_end_access(annotator=annotator)
    return _("%(alias)s no longer has access to this project.") % {"alias": alias}


def _takeover(preview: ReassignmentPreview, leaver: Annotator, newcomer: Annotator) -> list[str]:
    """What will be reassigned, by phase, what happens to started pairs, and what stays: one sentence each."""
    names = {"alias": leaver.alias, "newcomer": newcomer.alias}
    n, started = len(preview.moves) + len(preview.started), len(preview.started)
    phases = phase_counts(preview.phases())
    text = ngettext(
        "%(n)s pair will be reassigned from %(alias)s to %(newcomer)s (%(phases)s).",
        "%(n)s pairs will be reassigned from %(alias)s to %(newcomer)s (%(phases)s).",
        n,
    )
    sentences = [text % {"n": n, "phases": phases, **names}]
    if started:
        text = ngettext(
            "%(n)s of them is in progress: the work on it is kept under the name %(alias)s, and %(newcomer)s starts "
            "again.",
            "%(n)s of them are in progress: the work on them is kept under the name %(alias)s, and %(newcomer)s starts "
            "again.",
            started,
        )
        sentences.append(text % {"n": started, **names})
        text = ngettext(
            "It can't be reassigned to %(alias)s again later.",
            "They can't be reassigned to %(alias)s again later.",
            started,
        )
        sentences.append(text % names)
    if preview.unreadable:
        text = ngettext(
            "%(newcomer)s does not read the languages of %(n)s of them: %(pairs)s.",
            "%(newcomer)s does not read the languages of %(n)s of them: %(pairs)s.",
            len(preview.unreadable),
        )
        sentences.append(text % {"n": len(preview.unreadable), "pairs": _pair_names(preview.unreadable), **names})
    return [*sentences, *_not_reassigned_messages(preview, leaver, newcomer)]


def _not_reassigned_messages(preview: ReassignmentPreview, leaver: Annotator, newcomer: Annotator) -> list[str]:
    """Which unfinished pairs are not reassigned, and why: one sentence per reason."""
    held, reference_seen, retests = len(preview.already_assigned), len(preview.reference_seen), len(preview.retests)
    texts = [
        (
            preview.already_assigned,
            ngettext(
                "%(n)s pair stays with %(alias)s because it has already been assigned to %(newcomer)s: %(pairs)s.",
                "%(n)s pairs stay with %(alias)s because they have already been assigned to %(newcomer)s: %(pairs)s.",
                held,
            ),
        ),
        (
            preview.reference_seen,
            ngettext(
                "%(n)s pair stays with %(alias)s because %(newcomer)s has seen its reference: %(pairs)s.",
                "%(n)s pairs stay with %(alias)s because %(newcomer)s has seen their reference: %(pairs)s.",
                reference_seen,
            ),
        ),
        (
            preview.retests,
            ngettext(
                "%(n)s re-test stays with %(alias)s: %(pairs)s.",
                "%(n)s re-tests stay with %(alias)s: %(pairs)s.",
                retests,
            ),
        ),
    ]
    names = {"alias": leaver.alias, "newcomer": newcomer.alias}
    return [text % {"n": len(rows), "pairs": _pair_names(rows), **names} for rows, text in texts if rows]


def _pair_names(rows: list[Assignment]) -> str:
    named = ", ".join(row.pair.external_id for row in rows[:MAX_NAMED_PAIRS])
    return f"{named}, …" if len(rows) > MAX_NAMED_PAIRS else named
