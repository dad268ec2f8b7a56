"""Forms of logging in with the site's OpenID Connect provider."""

from __future__ import annotations

from django import forms
from django.contrib.auth.forms import UsernameField
from django.utils.translation import gettext_lazy

from annotation.models import User


class NewAccountForm(forms.Form):
    """The username of a new account, which has no password."""

    username = UsernameField(
        label=gettext_lazy("Username"),
        max_length=User._meta.get_field("username").max_length,
        help_text=gettext_lazy("Leads see it; it is never published."),
    )


class ConfirmForm(forms.Form):
    """Whether the person who has come back from the provider is the one at this computer."""

    answer = forms.ChoiceField(choices=[("link", ""), ("cancel", "")])


class PasswordForm(forms.Form):
    """One's own password, so that nobody who finds a computer unlocked changes how one logs in."""

    password = forms.CharField(
        label=gettext_lazy("Current password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
