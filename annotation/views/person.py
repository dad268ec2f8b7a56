"""One person of a project: progress, role, access, languages, name, and reassigning their pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.display_names import phase_counts
from annotation.errors import sentences
from annotation.forms.invitations import InviteAsForm, LanguagesReadForm, RenameForm
from annotation.forms.people import AssignShareForm, EndAccessForm, ReplaceForm, RoleForm
from annotation.invitees import Invitee
from annotation.models import Annotator, Assignment, Role, User
from annotation.permissions import Access, check_may_reset_password, lead_access, may_reset_password
from annotation.reading_languages import skills_text
from annotation.selectors.pairs import project_size
from annotation.selectors.progress import project_progress
from annotation.selectors.projects import annotator_get
from annotation.selectors.reading_languages import skills_of
from annotation.services.accounts import password_link_make
from annotation.services.invitations import invitations_create
from annotation.services.people import (
    ReassignmentPreview,
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
FORMS: dict[str, Callable[[QueryDict | None, Annotator], forms.Form]] = {
    "role": lambda data, annotator: RoleForm(data, initial={"role": annotator.role}),
    "assign-share": lambda data, annotator: AssignShareForm(data),
    "replace": lambda data, annotator: ReplaceForm(data, leaver=annotator),
    "end-access": lambda data, annotator: EndAccessForm(data if data and _is_confirmed(data) else None),
    "restore-access": lambda data, annotator: forms.Form(data),
    "rename": lambda data, annotator: RenameForm(data, initial={"alias": annotator.alias}),
    "reading": lambda data, annotator: LanguagesReadForm(
        data, initial={"languages": skills_text(skills_of(annotator))}
    ),
    "invite": lambda data, annotator: InviteAsForm(data),
}
"""The forms of the page by action, each bound only to what was sent for it."""


@person_page
def person(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """The page of a person, and every action on it."""
    access = lead_access(request.user, slug)
    annotator = annotator_get(access.project, pk)
    action = request.POST.get("action", "")
    if action == "password-link" and annotator.user is not None:
        return _password_link(request, access, annotator, annotator.user)
    if action == "password-link":
        messages.error(request, _without_access(annotator))
    shown = {name: make(request.POST if name == action else None, annotator) for name, make in FORMS.items()}
    question: dict[str, Any] = {}
    if action == "end-access" and not _is_confirmed(request.POST):
        question = _ask_before_end(request, annotator)
    elif action == "replace" and not _is_confirmed(request.POST) and shown[action].is_valid():
        question = _ask_before_replacing(annotator, shown[action])
    elif action in FORMS and shown[action].is_valid():
        act = _invite if action == "invite" else _act
        if response := act(request, annotator, shown[action], action):
            return response
        question = {"confirming": action} if action == "end-access" and annotator.user_id else {}
    progress = next((each for each in project_progress(access.project) if each.annotator.pk == annotator.pk), None)
    remaining = progress.total.remaining if progress else 0
    if action in FORMS and shown[action].errors and not question and not _has_form(action, annotator, remaining):
        texts = [str(error) for errors in shown[action].errors.values() for error in errors]
        messages.error(request, sentences(*texts))
    return show(
        request,
        "person",
        access,
        annotator=annotator,
        progress=progress,
        change=person_share_preview(annotator=annotator, seed=1) if annotator.user_id else None,
        unassigned=project_size(access.project).unassigned,
        may_reset=annotator.user is not None and may_reset_password(request.user, annotator.user),
        **{name.replace("-", "_"): form for name, form in shown.items()},
        **question,
    )


def _password_link(request: AuthenticatedRequest, access: Access, annotator: Annotator, user: User) -> HttpResponse:
    check_may_reset_password(request.user, user, where=annotator.alias)
    made = password_link_make(user=user, by=request.user)
    return show(request, "password_link", access, annotator=annotator, link=password_link(request, made))


def _is_confirmed(data: QueryDict) -> bool:
    """Whether the question has been answered, as `EndAccessForm` reads it."""
    return data.get("confirmed", "").lower() not in ("", "false", "0")


def _has_form(action: str, annotator: Annotator, remaining: int) -> bool:
    """Whether the page has the form of an action, and with it the refusal: someone else may have been faster."""
    if action == "replace":
        return bool(remaining)
    if action == "assign-share":
        return annotator.user_id is not None and annotator.role == Role.ANNOTATOR
    if action == "invite":
        return annotator.user_id is None and annotator.former_user_id is None
    return action not in ("end-access", "restore-access")


def _without_access(annotator: Annotator) -> str:
    if annotator.former_user_id is None:
        return _("%(alias)s has no access to this project.") % {"alias": annotator.alias}
    return _("%(alias)s no longer has access to this project.") % {"alias": annotator.alias}


def _ask_before_end(request: AuthenticatedRequest, annotator: Annotator) -> dict[str, Any]:
    """What the page shows before access ends: the question, unless it has ended."""
    if annotator.user_id:
        return {"confirming": "end-access"}
    messages.error(request, _without_access(annotator))
    return {}


def _ask_before_replacing(annotator: Annotator, form: forms.Form) -> dict[str, Any]:
    """What the page shows before pairs are reassigned: what would happen, or a refusal in the form."""
    newcomer = form.cleaned_data["newcomer"]
    preview = attempt(form, lambda: person_replace_preview(leaver=annotator, newcomer=newcomer))
    return {"confirming": "replace", "takeover": _takeover(preview, annotator, newcomer)} if preview else {}


def _invite(request: AuthenticatedRequest, annotator: Annotator, form: forms.Form, _action: str) -> HttpResponse | None:
    """The page with the new link; None after a refusal, which is then in the form."""
    project, invitee = annotator.project, Invitee("", form.cleaned_data["email"])
    links = attempt(
        form, lambda: invitations_create(project=project, people=[invitee], membership=annotator, by=request.user)
    )
    return invited_redirect(request, project, links) if links else None


def _act(request: AuthenticatedRequest, annotator: Annotator, form: forms.Form, action: str) -> HttpResponse | None:
    """Perform an action and go to the page that shows its result; None after a refusal, which is then in the form."""
    done = attempt(form, lambda: ACTIONS[action](annotator, form.cleaned_data, request.user))
    if done:
        messages.success(request, done)
        # The list restores access too, and stays open.
        if action in ("end-access", "restore-access", "rename", "reading") and "list" not in request.POST:
            return redirect("person", slug=annotator.project.slug, pk=annotator.pk)
        return redirect("people", slug=annotator.project.slug)
    return None


def _set_role(annotator: Annotator, data: dict[str, Any], _by: User) -> str:
    person_role_set(annotator=annotator, role=data["role"])
    return _("%(alias)s's role was changed.") % {"alias": annotator.alias}


def _rename(annotator: Annotator, data: dict[str, Any], _by: User) -> str:
    old, renamed = annotator.alias, person_rename(annotator=annotator, alias=data["alias"])
    return _("%(old)s is now called %(alias)s.") % {"old": old, "alias": renamed.alias}


def _set_languages(annotator: Annotator, data: dict[str, Any], _by: User) -> str:
    reading_skills_set(annotator=annotator, skills=data["languages"])
    return _("The languages that %(alias)s reads were saved.") % {"alias": annotator.alias}


def _assign_share(annotator: Annotator, data: dict[str, Any], _by: User) -> str:
    change = person_assign_share(annotator=annotator, seed=data["seed"])
    text = _("Pairs assigned to %(alias)s: %(new)s shared, %(moved)s that nobody had started.")
    return text % {"alias": annotator.alias, "new": len(change.new), "moved": len(change.moved)}


def _replace(annotator: Annotator, data: dict[str, Any], by: User) -> str:
    newcomer: Annotator = data["newcomer"]
    preview = person_replace(leaver=annotator, newcomer=newcomer, by=by, end_access=data.get("end_access", False))
    n = len(preview.moves) + len(preview.started)
    text = ngettext(
        "%(n)s pair was reassigned from %(alias)s to %(newcomer)s.",
        "%(n)s pairs were reassigned from %(alias)s to %(newcomer)s.",
        n,
    )
    reassigned = text % {"n": n, "alias": annotator.alias, "newcomer": newcomer.alias}
    return " ".join([reassigned, *_not_reassigned_messages(preview, annotator, newcomer)])


def _end_access(annotator: Annotator, _data: dict[str, Any], _by: User) -> str:
    person_end_access(annotator=annotator)
    return _("%(alias)s no longer has access to this project.") % {"alias": annotator.alias}


def _restore_access(annotator: Annotator, _data: dict[str, Any], _by: User) -> str:
    person_restore_access(annotator=annotator)
    return _("%(alias)s has access to this project again.") % {"alias": annotator.alias}


ACTIONS: dict[str, Callable[[Annotator, dict[str, Any], User], str]] = {
    "role": _set_role,
    "rename": _rename,
    "reading": _set_languages,
    "assign-share": _assign_share,
    "replace": _replace,
    "end-access": _end_access,
    "restore-access": _restore_access,
}
"""Actions with one result: each calls its service and says what was done. Raises DomainError."""


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
    found = [text % {"n": n, "phases": phases, **names}]
    if started:
        text = ngettext(
            "%(n)s of them is in progress: the work on it is kept under the name %(alias)s, and %(newcomer)s starts "
            "again.",
            "%(n)s of them are in progress: the work on them is kept under the name %(alias)s, and %(newcomer)s starts "
            "again.",
            started,
        )
        found.append(text % {"n": started, **names})
        text = ngettext(
            "It can't be reassigned to %(alias)s again later.",
            "They can't be reassigned to %(alias)s again later.",
            started,
        )
        found.append(text % names)
    if preview.unreadable:
        text = ngettext(
            "%(newcomer)s does not read the languages of %(n)s of them: %(pairs)s.",
            "%(newcomer)s does not read the languages of %(n)s of them: %(pairs)s.",
            len(preview.unreadable),
        )
        found.append(text % {"n": len(preview.unreadable), "pairs": _pair_names(preview.unreadable), **names})
    return [*found, *_not_reassigned_messages(preview, leaver, newcomer)]


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
