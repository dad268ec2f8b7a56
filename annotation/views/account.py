"""Log-in, log-out, and a user's own password and language."""

from __future__ import annotations

from typing import Any, TypeVar

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash, views
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from django.views.decorators.http import require_safe

from annotation.forms.people import EmailForm, EmailNotificationsForm, LoginForm
from annotation.forms.texts import LanguageForm
from annotation.models import User
from annotation.security_events import security_event
from annotation.selectors.sessions import LOG_IN, log_in_details, log_ins_of
from annotation.services.accounts import email_set, language_set, preferences_set
from annotation.services.sessions import sessions_end_others
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show

Response = TypeVar("Response", bound=HttpResponse)
PASSWORD_BACKEND = "config.accounts.AccountBackend"
"""What loads the account of every session, however its log-in went."""


class LoginView(views.LoginView):
    """The log-in page. With `?as=NAME` it is also shown to another user who is logged in, to switch accounts."""

    authentication_form = LoginForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        name = request.user.get_username()
        self.redirect_authenticated_user = request.GET.get("as", name) == name
        return super().dispatch(request, *args, **kwargs)

    def get_initial(self) -> dict[str, Any]:
        return {**super().get_initial(), "username": self.request.GET.get("as", "")}

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Log in, and switch the interface to the user's own language."""
        response = super().form_valid(form)
        user = form.get_user()
        assert isinstance(user, User)
        return record_log_in(self.request, user, response)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, openid=settings.OPENID)


def record_log_in(request: HttpRequest, user: User, response: Response) -> Response:
    """Record the log-in in its session, give the session the usual lifetime, and switch to the user's language."""
    request.session.set_expiry(None)
    request.session[LOG_IN] = log_in_details(request.headers.get("User-Agent", ""))
    if user.preferences.get("language"):
        _set_language_cookie(response, user.preferences["language"])
    return response


@person_page
@require_safe
def logged_in(request: AuthenticatedRequest) -> HttpResponse:
    """The page after logging in again in a second tab, opened from the one with the work."""
    return show(request, "logged_in")


@person_page
def account(request: AuthenticatedRequest) -> HttpResponse:
    """Username, password, language of the interface, and where one is logged in."""
    current = request.session.session_key
    if "log-out-elsewhere" in request.POST:
        ended = sessions_end_others(user=request.user, current=current)
        text = ngettext("Logged out of %(n)s other browser.", "Logged out of %(n)s other browsers.", ended)
        messages.success(request, text % {"n": ended})
        return redirect("account")
    posted = request.method == "POST"
    password = PasswordChangeForm(request.user, request.POST if posted and "new_password1" in request.POST else None)
    password.fields["old_password"].widget.attrs.pop("autofocus", None)  # the page has two forms
    shown_language = request.user.preferences.get("language") or request.LANGUAGE_CODE
    language = LanguageForm(
        request.POST if posted and "language" in request.POST else None, initial={"language": shown_language}
    )
    email = EmailForm(
        request.POST if posted and "email" in request.POST else None, initial={"email": request.user.email}
    )
    mails = EmailNotificationsForm(
        request.POST if posted and "kind" in request.POST else None,
        initial={"mails": request.user.preferences.get("mails", True)},
    )
    if mails.is_bound and mails.is_valid():
        preferences_set(user=request.user, values={"mails": mails.cleaned_data["mails"]})
        messages.success(request, _("Saved."))
        return redirect("account")
    has_password = request.user.has_usable_password()
    if not has_password:
        del email.fields["password"]
    if email.is_bound and email.is_valid():
        given_email = email.cleaned_data
        if attempt(email, lambda: email_set(user=request.user, **{"password": "", **given_email})):
            messages.success(request, _("Your e-mail address was saved."))
            return redirect("account")
    if has_password and password.is_bound and password.is_valid():
        user = password.save()
        update_session_auth_hash(request, user)
        security_event("password changed", account=user.pk)
        messages.success(request, _("Your password was changed."))
        return redirect("account")
    if language.is_bound and language.is_valid():
        code = language.cleaned_data["language"]
        if attempt(language, lambda: language_set(user=request.user, language=code)):
            with override(code):
                messages.success(request, _("Language changed."))
            return _set_language_cookie(redirect("account"), code)
    forms: dict[str, Any] = {
        "password": password if has_password else None,
        "language": language,
        "email": email if settings.EMAIL else None,
        "mails": mails if settings.EMAIL and request.user.email else None,
        "openid": settings.OPENID,
    }
    return show(request, "account", **forms, log_ins=log_ins_of(request.user, current))


def _set_language_cookie(response: Response, code: str) -> Response:
    name, secure = settings.LANGUAGE_COOKIE_NAME, settings.SESSION_COOKIE_SECURE
    response.set_cookie(name, code, max_age=365 * 24 * 3600, samesite="Lax", secure=secure)
    return response
