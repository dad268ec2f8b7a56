"""Logging in with the site's OpenID Connect provider: leaving for it, coming back, a new account, one's own link.

Without a provider (`settings.OPENID`) these addresses do not exist. `config.openid.flow`, and with it django-allauth,
is imported by the functions that need it.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import DomainError
from annotation.forms.openid import ConfirmForm, NewAccountForm, PasswordForm
from annotation.models import User
from annotation.security_events import security_event
from annotation.selectors.identities import identity_of
from annotation.services.identities import (
    Claims,
    identity_account_create,
    identity_check_free,
    identity_link,
    identity_log_in,
    identity_unlink,
    password_confirm,
)
from annotation.services.invitations import invitation_open
from annotation.views.account import PASSWORD_BACKEND, record_log_in
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show
from config.errors import unavailable_response
from config.openid.failed import OpenIDLoginError
from config.openid.options import OpenID
from config.proxies import throttled_address
from config.request_limit import Allowance, TooMany

INVITATION_KEY = "invitation"
"""The key under which a session has the secret of the invitation that was opened in it."""
PENDING_CLAIMS_KEY = "openid_held"
"""The key under which a session has who someone is, until they have chosen a username."""
LINKING_KEY = "openid_linking"
"""The key under which a session has who has come back from the provider, until they say that it is them."""
LOGIN_SECONDS = 15 * 60
"""For a log-in that was started: as long as someone may take at the provider."""
PENDING_SECONDS = 5 * 60
"""For who has come back, on what may be a shared computer."""
MAX_NAMES_TRIED = 20
"""Usernames that someone may try before they log in at the provider again: refusals say which are taken."""
MAX_NEXT_LENGTH = 2000
"""Characters of the address to go on to, which is stored for anyone."""
begin_allowance = Allowance(burst=60, per_second=1.0)
"""Log-ins started from one address: each writes a session, before anyone is known."""


def site_provider() -> OpenID:
    """The provider of the site. Raises Http404 if it has none."""
    provider: OpenID | None = settings.OPENID
    if provider is None:
        raise Http404
    return provider


@never_cache
@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """Leave for the provider, to come back logged in."""
    site_provider()
    target = request.POST.get("next", "")
    return _go_to_provider(request, purpose="enter", next=target if len(target) <= MAX_NEXT_LENGTH else "")


def _go_to_provider(request: HttpRequest, **state: Any) -> HttpResponse:
    """The page from which the browser goes on to the provider by itself.

    It is no redirect: the policy of the site's pages lets no form lead elsewhere, and browsers count redirects.
    """
    from config.openid.flow import flow_begin

    provider = site_provider()
    seconds = begin_allowance.take(_number(throttled_address(request) or ""))
    if seconds:
        security_event("too many requests")
        refused = TooMany(seconds)
        return unavailable_response(request, refused, refused)
    if request.session.is_empty():
        request.session.set_expiry(LOGIN_SECONDS)
    try:
        address = flow_begin(request, provider, state)
    except OpenIDLoginError as error:
        return _failed(request, provider, error)
    context = {"provider": provider, "address": address}
    response = render(request, "registration/openid_leaving.html", context)
    response["Refresh"] = f"0;url={address}"
    return response


def _number(address: str) -> int:
    return int.from_bytes(hashlib.sha256(address.encode()).digest()[:8], "big")


@never_cache
@require_safe
def callback(request: HttpRequest) -> HttpResponse:
    """Where the provider sends people back to."""
    provider = site_provider()
    from config.openid.flow import flow_finish

    try:
        claims, state = flow_finish(request, provider)
        if state["purpose"] == "link":
            return _ask_to_link(request, provider, claims, state["account"])
        identity_login = identity_log_in(claims=claims, by_email=provider.links_by_email)
    except OpenIDLoginError as error:
        return _failed(request, provider, error)
    except DomainError as error:
        return _refused(request, provider, error)
    if identity_login is not None:
        if identity_login.linked:
            messages.info(
                request,
                _("Your account is now linked to %(name)s. Your password and your sessions elsewhere no longer work.")
                % {"name": provider.name},
            )
        return _logged_in(request, identity_login.user, state["next"])
    if _is_invited(request):
        _store_pending_claims(request, claims)
        return redirect("join")
    if provider.new_accounts:
        _store_pending_claims(request, claims)
        return redirect("openid-new")
    security_event("log-in failed", how="openid", why="no account")
    return render(request, "registration/openid_unknown.html", {"provider": provider}, status=403)


@never_cache
def new(request: HttpRequest) -> HttpResponse:
    """Choosing the username of a new account, where the site's owner allows them without invitations."""
    provider = site_provider()
    claims = pending_claims(request)
    if not provider.new_accounts or claims is None:
        return redirect("login")
    if "forget" in request.POST or username_attempts(request) > MAX_NAMES_TRIED:
        return _forget(request)
    form = NewAccountForm(request.POST or None, initial={"username": claims.username})
    if form.is_valid():
        count_username_attempt(request)
        username = form.cleaned_data["username"]
        user = attempt(form, lambda: identity_account_create(claims=claims, username=username))
        if user is not None:
            return _logged_in(request, user, "")
    context = {"provider": provider, "form": form, "claims": claims}
    return render(request, "registration/openid_new.html", context, status=422 if form.is_bound else 200)


def username_attempts(request: HttpRequest) -> int:
    """How many usernames were tried for whoever has come back from the provider."""
    return int(request.session.get(PENDING_CLAIMS_KEY, {}).get("tried", 0))


def count_username_attempt(request: HttpRequest) -> None:
    request.session[PENDING_CLAIMS_KEY] = {
        **request.session[PENDING_CLAIMS_KEY],
        "tried": username_attempts(request) + 1,
    }


def _forget(request: HttpRequest) -> HttpResponse:
    """Someone has come back from the provider who is not the person at this computer, or has tried too many names."""
    request.session.pop(PENDING_CLAIMS_KEY, None)
    messages.info(request, _("Nobody is logged in. On a shared computer, log out of the provider's site, too."))
    return redirect("login")


def linked_account(request: HttpRequest) -> HttpResponse:
    """Linking one's account to the provider's, and the end of that. Both need the password."""
    site_provider()
    return _linked_account_page(request)


@person_page
def _linked_account_page(request: AuthenticatedRequest) -> HttpResponse:
    provider = site_provider()
    linked = identity_of(request.user, provider.issuer)
    claims = _linking(request, provider)
    if claims is not None:
        return _answer_to_link(request, provider, claims)
    form = PasswordForm(request.POST or None)
    if form.is_valid():
        password = form.cleaned_data["password"]
        if linked is None:
            if attempt(form, lambda: password_confirm(user=request.user, password=password)):
                return _go_to_provider(request, purpose="link", account=request.user.pk, next="")
        elif attempt(
            form,
            lambda: identity_unlink(user=request.user, issuer=provider.issuer, password=password) or True,
        ):
            messages.success(request, _("Your account is no longer linked to %(name)s.") % {"name": provider.name})
            return redirect("openid-account")
    return show(request, "openid", provider=provider, linked=linked, form=form)


def pending_claims(request: HttpRequest) -> Claims | None:
    """Who the person is at the provider, who has come back from it and has no account yet."""
    pending: dict[str, Any] = request.session.get(PENDING_CLAIMS_KEY, {})
    if request.user.is_authenticated or settings.OPENID is None:
        return None
    return _recent_claims(pending, settings.OPENID)


def _recent_claims(pending: dict[str, Any], provider: OpenID) -> Claims | None:
    """Who has come back from the provider, if that was a moment ago."""
    if not pending or pending["until"] < time.time():
        return None
    claims = Claims(**pending["claims"])
    return claims if claims.issuer == provider.issuer else None


def _store_pending_claims(request: HttpRequest, claims: Claims) -> None:
    request.session.cycle_key()
    request.session[PENDING_CLAIMS_KEY] = _expiring_claims(claims)


def _expiring_claims(claims: Claims) -> dict[str, Any]:
    return {"claims": asdict(claims), "until": time.time() + PENDING_SECONDS}


def _is_invited(request: HttpRequest) -> bool:
    token = request.session.get(INVITATION_KEY, "")
    try:
        return bool(token) and bool(invitation_open(token))
    except DomainError:
        return False


def _logged_in(request: HttpRequest, user: User, target: str) -> HttpResponse:
    login(request, user, backend=PASSWORD_BACKEND)
    request.session.pop(PENDING_CLAIMS_KEY, None)
    allowed = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return record_log_in(request, user, redirect(target if allowed else resolve_url(settings.LOGIN_REDIRECT_URL)))


def _ask_to_link(request: HttpRequest, provider: OpenID, claims: Claims, account: int) -> HttpResponse:
    """Nothing is linked yet: on a shared computer the provider may know someone else, and asks nobody."""
    if not isinstance(request.user, User) or request.user.pk != account:
        return _failed(request, provider, OpenIDLoginError("state"))
    identity_check_free(user=request.user, claims=claims)
    request.session[LINKING_KEY] = {**_expiring_claims(claims), "account": account}
    return redirect("openid-account")


def _linking(request: AuthenticatedRequest, provider: OpenID) -> Claims | None:
    """Who has come back to be linked to the account that is logged in."""
    pending: dict[str, Any] = request.session.get(LINKING_KEY, {})
    return _recent_claims(pending, provider) if pending.get("account") == request.user.pk else None


def _answer_to_link(request: AuthenticatedRequest, provider: OpenID, claims: Claims) -> HttpResponse:
    """The question whether whoever has come back is the person at this computer, and its answer."""
    form = ConfirmForm(request.POST or None)
    if not form.is_valid():
        return show(request, "openid_confirm", provider=provider, claims=claims)
    del request.session[LINKING_KEY]
    if form.cleaned_data["answer"] == "link":
        try:
            identity_link(user=request.user, claims=claims)
        except DomainError as error:
            return _refused(request, provider, error)
        messages.success(request, _("From now on you can log in with %(name)s.") % {"name": provider.name})
    else:
        text = _("Nothing was linked. Log out of %(name)s, or choose another account there, and try again.")
        messages.info(request, text % {"name": provider.name})
    return redirect("openid-account")


def _failed(request: HttpRequest, provider: OpenID, error: OpenIDLoginError) -> HttpResponse:
    security_event("log-in failed", how="openid", why=error.code)
    context = {"provider": provider, "code": error.code}
    return render(request, "registration/openid_failed.html", context, status=error.status)


def _refused(request: HttpRequest, provider: OpenID, error: DomainError) -> HttpResponse:
    security_event("log-in failed", how="openid", why=error.code)
    context = {"provider": provider, "error": error}
    return render(request, "registration/openid_failed.html", context, status=error.status)
