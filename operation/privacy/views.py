"""Pages of the site's owner: find an account, take along what is stored about its owner, remove them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import FileResponse, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import DomainError, NotFound
from annotation.models import User
from annotation.views.base import AuthenticatedRequest, person_page
from annotation.views.query_params import number_param
from operation.privacy.delete import Removal, person_delete, person_delete_preview
from operation.privacy.export import person_export
from operation.privacy.links import memberships_of

PER_PAGE = 50
IN_MEMORY = 1024 * 1024
"""Bytes of an export that are kept in memory; a larger one goes through a temporary file."""


def superuser_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For superusers; nobody else learns that the page is there."""

    @wraps(view)
    def shown(request: AuthenticatedRequest, **values: Any) -> HttpResponse:
        if not request.user.is_superuser:
            raise NotFound(_("There is no such page."))
        return view(request, **values)

    return shown


@never_cache
@person_page
@require_safe
@superuser_required
def accounts(request: AuthenticatedRequest) -> HttpResponse:
    """All accounts, or those whose name, address or alias contains what is searched for."""
    query = request.GET.get("q", "").strip()
    users = User.objects.order_by("username")
    if query:
        looked = ("username", "first_name", "last_name", "email", "memberships__alias")
        about = Q()
        for name in looked:
            about |= Q(**{f"{name}__icontains": query})
        users = users.filter(about).distinct()
    page = Paginator(users, PER_PAGE).get_page(number_param(request.GET, "page") or 1)
    return render(
        request,
        "operation/accounts.html",
        {"page": page, "query": query, "links": urlencode({"q": query}) if query else ""},
    )


@never_cache
@person_page
@require_safe
@superuser_required
def account(request: AuthenticatedRequest, *, pk: int) -> HttpResponse:
    """What is stored about an account's owner, and what their removal would change."""
    return _account_page(request, _account(pk))


@never_cache
@person_page
@require_POST
@superuser_required
def export(request: AuthenticatedRequest, *, pk: int) -> HttpResponse:
    """Everything stored about a person, as a zip."""
    user = _account(pk)
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (the response closes it)
    person_export(user=user, out=file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"account-{user.pk}.zip")  # type: ignore[return-value]


@never_cache
@person_page
@require_POST
@superuser_required
def delete(request: AuthenticatedRequest, *, pk: int) -> HttpResponse:
    """Remove a person, once the username was typed."""
    user = _account(pk)
    name = user.get_username()
    if request.POST.get("username", "") != name:
        problem = _("This is not the account's username. No changes were made.")
        return _account_page(request, user, problem=problem)
    own = user == request.user
    try:
        person_delete(user=user)
    except DomainError as error:
        return _account_page(request, user, problem=str(error))
    if own:
        request.session.flush()
        return redirect("login")
    messages.success(request, _("The account %(name)s was deleted.") % {"name": name})
    return redirect("accounts")


def _account(pk: int) -> User:
    user = User.objects.filter(pk=pk).first()
    if user is None:
        raise NotFound(_("There is no such account."))
    return user


def _account_page(request: AuthenticatedRequest, user: User, problem: str = "") -> HttpResponse:
    removal: Removal | None = None
    unremovable = ""
    try:
        removal = person_delete_preview(user=user)
    except DomainError as error:
        unremovable = str(error)
    context = {
        "found": user,
        "memberships": memberships_of(user),
        "removal": removal,
        "unremovable": unremovable,
        "problem": problem,
    }
    return render(request, "operation/account.html", context, status=422 if problem else 200)
