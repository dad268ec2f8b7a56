"""Shared by all pages: require a log-in, render, and show refusals in the form they belong to."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django import forms
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.errors import Conflict, DomainError
from annotation.forms.base import refuse
from annotation.models import User
from annotation.permissions import Access
from annotation.views.refused_forms import is_fragment, notice_response, sent_form

P = ParamSpec("P")
Plan = TypeVar("Plan")


class AuthenticatedRequest(HttpRequest):
    """A request by a user who is logged in."""

    user: User
    htmx: Any


def person_page(
    view: Callable[Concatenate[AuthenticatedRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """A page for users who are logged in; others are redirected to the log-in and back.

    Nothing that was typed is lost if a log-in has expired: a submitted form can be sent again, and a page that htmx
    redraws in parts stays as it is.
    """

    @wraps(view)
    def authenticated(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)  # type: ignore[arg-type]
        if is_fragment(request):
            return notice_response(request, "annotation/_logged_out_notice.html", 401)
        if request.method == "POST":
            return render(request, "annotation/logged_out.html", {"sent": sent_form(request)}, status=401)
        return redirect_to_login(request.get_full_path())

    return authenticated  # type: ignore[return-value]


def show(request: HttpRequest, template: str, access: Access | None = None, **context: Any) -> HttpResponse:
    """The page `annotation/<template>.html`, with status 422 if a form in `context` was refused.

    A fragment always has status 200, because htmx only inserts successful responses and the refusal must be shown.
    """
    bad = any(isinstance(value, forms.Form) and value.is_bound and not value.is_valid() for value in context.values())
    project = {"access": access, "project": access.project} if access else {}
    status = 422 if bad and not getattr(request, "htmx", False) else 200
    return render(request, f"annotation/{template}.html", {**project, **context}, status=status)


def attempt(form: forms.Form, service: Callable[[], Any]) -> Any:
    """The return value of a service, or None after adding its refusal to the form."""
    try:
        return service()
    except DomainError as error:
        refuse(form, error)
        return None


def preview_or_apply(
    form: forms.Form, *, preview: Callable[[], Plan], apply: Callable[[str], Plan], digest: str | None
) -> tuple[Plan | None, Plan | None]:
    """A preview, or what was applied as it was previewed under `digest` (None: it is to be shown first).

    If something has changed since, the refusal comes with a new preview. Neither if there is none.
    """
    if digest is not None:
        try:
            return None, apply(digest)
        except Conflict as error:
            refuse(form, error)
        except DomainError as error:
            refuse(form, error)
            return None, None
    return attempt(form, preview), None
