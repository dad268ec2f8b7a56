"""A person's own API tokens."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.forms.tokens import TokenForm
from annotation.number_parsing import MAX_INTEGER, NumberError, parse_integer
from annotation.selectors.tokens import token_list
from annotation.services.tokens import token_create, token_revoke
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show


@person_page
def tokens(request: AuthenticatedRequest) -> HttpResponse:
    """The tokens of whoever is logged in: make one, whose secret this answer alone shows, or revoke one."""
    if "revoke" in request.POST:
        token_revoke(user=request.user, pk=_key(request))
        messages.success(request, _("The token was revoked. It no longer works."))
        return redirect("tokens")
    form = TokenForm(request.user, request.POST if request.method == "POST" else None)
    created = None
    if form.is_bound and form.is_valid():
        created = attempt(form, lambda: token_create(user=request.user, **form.cleaned_data))
    if created is not None:
        form = TokenForm(request.user)
    return show(request, "tokens", form=form, made=created, tokens=token_list(request.user))


def _key(request: HttpRequest) -> int:
    try:
        return parse_integer(request.POST["revoke"], high=MAX_INTEGER)
    except NumberError as error:
        raise Invalid(_("Unknown token."), where="revoke") from error
