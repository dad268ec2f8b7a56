"""Invitations: a lead's list of them, and the pages with which people join."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import DomainError
from annotation.forms.invitations import AcceptForm, IdentityJoinForm, InviteForm, JoinForm
from annotation.models import Project, User
from annotation.models.people import Invitation, Mailing
from annotation.permissions import lead_access
from annotation.selectors.invitations import invitation_get, invitation_list, invitation_state
from annotation.selectors.projects import former_membership, membership_of
from annotation.services.invitations import (
    MAX_MAILS_PER_DAY,
    NewInvitation,
    invitation_accept,
    invitation_open,
    invitation_renew,
    invitation_revoke,
    invitation_token,
    invitations_create,
)
from annotation.services.people import NewPerson
from annotation.views.absolute_urls import site_origin
from annotation.views.account import PASSWORD_BACKEND, record_log_in
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show
from annotation.views.invitation_mail import invitation_link, invitations_send
from annotation.views.openid import INVITATION_KEY, PENDING_CLAIMS_KEY, pending_claims
from annotation.vocabulary import InvitationState

NEW_INVITATIONS_KEY = "invitations_made"
"""The session's key for the invitations whose links are to be shown."""


@person_page
def invitations(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The list of invitations, and the form to invite people."""
    access = lead_access(request.user, slug)
    form = InviteForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        invited = attempt(
            form,
            lambda: invitations_create(
                project=access.project, people=form.invitees(), role=data["role"], days=data["days"], by=request.user
            ),
        )
        if invited:
            return invited_redirect(request, access.project, invited)
    rows = [(row, invitation_state(row)) for row in invitation_list(access.project)]
    return show(
        request,
        "invitations",
        access,
        form=form,
        rows=rows,
        Mailing=Mailing,
        waiting=sum(state == InvitationState.OPEN for _row, state in rows),
        mails=bool(settings.EMAIL),
        mails_a_day=MAX_MAILS_PER_DAY,
        **_new_invitations_context(request, access.project),
    )


def invited_redirect(
    request: AuthenticatedRequest, project: Project, invitations: Sequence[NewInvitation], *, mail: bool = True
) -> HttpResponse:
    """Send the invitations that have an address, and go to the list, which shows the links of the others once.

    Without `mail`, it shows the links of all.

    The session names these invitations, not their secrets, which are derived again when they are shown.
    """
    links = invitations_send(invitations, origin=site_origin(request), by=request.user) if mail else invitations
    request.session[NEW_INVITATIONS_KEY] = {
        "project": project.pk,
        "links": [each.invitation.pk for each in links],
        "sent": len(invitations) - len(links),
        "limited": mail,
    }
    return redirect("invitations", slug=project.slug)


def _new_invitations_context(request: AuthenticatedRequest, project: Project) -> dict[str, Any]:
    """How many invitations the form just sent by e-mail, and the links of the others: the first time only.

    `limited`: those with an address were not sent because so many were sent today.

    Without those that another lead has renewed since, whose links are theirs, and those that no longer work.
    """
    if request.method != "GET" or request.session.get(NEW_INVITATIONS_KEY, {}).get("project") != project.pk:
        return {"sent": 0, "links": []}
    invitations = request.session.pop(NEW_INVITATIONS_KEY)
    rows = invitation_list(project).filter(pk__in=invitations["links"], made_by=request.user).order_by("pk")
    origin = site_origin(request)
    links = [
        (row, invitation_link(NewInvitation(row, invitation_token(row)), origin))
        for row in rows
        if invitation_state(row) == InvitationState.OPEN
    ]
    return {"sent": invitations["sent"], "links": links, "limited": invitations.get("limited", True)}


@person_page
@require_POST
def revoke(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """End an invitation."""
    access = lead_access(request.user, slug)
    row = invitation_get(access.project, pk)
    invitation_revoke(row=row)
    messages.success(request, _("The invitation was revoked: its link no longer works."))
    return redirect("invitations", slug=slug)


@person_page
@require_POST
def renew(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """A new link for an invitation, sent to its address, or with `link` shown; the old one no longer works."""
    access = lead_access(request.user, slug)
    renewed = invitation_renew(row=invitation_get(access.project, pk), by=request.user)
    renewed.invitation.project = access.project
    return invited_redirect(request, access.project, [renewed], mail="link" not in request.POST)


@never_cache
@require_safe
def join_link(request: HttpRequest, token: str) -> HttpResponse:
    """The address of an invitation. Its secret is moved to the session, so that it is in no later address."""
    try:
        invitation_open(token)
    except DomainError as error:
        return _nothing_to_accept(request, error)
    request.session[INVITATION_KEY] = token
    return redirect("join")


@never_cache
def join(request: HttpRequest) -> HttpResponse:
    """What one is invited to; accepting with the account that is logged in, or with a new one."""
    token = request.session.get(INVITATION_KEY, "")
    try:
        invitation = invitation_open(token)
    except DomainError as error:
        return _nothing_to_accept(request, error if token else None)
    user = request.user if isinstance(request.user, User) else None
    if "forget" in request.POST:
        request.session.pop(PENDING_CLAIMS_KEY, None)
        return redirect("join")
    claims = None if request.GET.get("by") == "password" else pending_claims(request)
    kind = AcceptForm if user else IdentityJoinForm if claims else JoinForm
    # Another tab may have opened another invitation since: that one is shown before it can be accepted.
    same = request.POST.get("invitation") == str(invitation.pk)
    suggested = {"username": claims.username} if claims else None
    form = kind(request.POST if request.method == "POST" and same else None, initial=suggested)
    if form.is_valid():
        data = form.cleaned_data
        new_person: NewPerson | None = attempt(
            form,
            lambda: invitation_accept(
                token=token,
                user=user,
                username=data.get("username", ""),
                password=data.get("password", ""),
                claims=claims,
                skills=data["languages"],
            ),
        )
        if new_person is not None:
            return _complete_join(request, invitation, new_person, user)
    context: dict[str, Any] = {
        "invitation": invitation,
        "former": former_membership(invitation.project, user) if user else None,
        "member": membership_of(user, invitation.project) if user else None,
        "project_name": invitation.project.name,
        "form": form,
        "openid": settings.OPENID,
        "claims": claims,
    }
    status = 422 if form.is_bound else 200
    return render(request, "registration/join.html", context, status=status)


def _complete_join(
    request: HttpRequest, invitation: Invitation, new_person: NewPerson, user: User | None
) -> HttpResponse:
    del request.session[INVITATION_KEY]
    request.session.pop(PENDING_CLAIMS_KEY, None)
    response = redirect("project", slug=invitation.project.slug)
    if user is None and new_person.annotator.user is not None:
        login(request, new_person.annotator.user, backend=PASSWORD_BACKEND)
        record_log_in(request, new_person.annotator.user, response)
    project: Project = invitation.project
    if new_person.returned:
        text = _("Welcome back: you are in %(project)s as %(alias)s again.")
    else:
        text = _("You are now in %(project)s, as %(alias)s.")
    messages.success(request, text % {"project": project.name, "alias": new_person.annotator.alias})
    return response


def _nothing_to_accept(request: HttpRequest, error: DomainError | None) -> HttpResponse:
    """Why there is nothing to accept; None: no invitation was opened in this browser."""
    status = error.status if error else 404
    return render(request, "registration/join_closed.html", {"error": error}, status=status)
