"""Forms of invitations, of accepting one, and of what people read."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import UsernameField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.display_names import ROLES
from annotation.forms.base import WholeNumberField
from annotation.forms.openid import NewAccountForm
from annotation.invitees import Invitee, parse_invitees
from annotation.models import Role, User
from annotation.phrases import PhraseError
from annotation.reading_languages import parse_skills
from annotation.services.invitations import DAYS, MAX_DAYS

PROBLEMS_SHOWN = 10
MAX_LIST_LENGTH = 40_000


class LanguagesField(forms.CharField):
    """Languages with reading levels: 'en C1, de native'. Its value is the level by language."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=gettext_lazy("Languages read"),
            required=False,
            max_length=800,
            help_text=gettext_lazy(
                "Each with its reading level, A1 to C2 or native, as in “de native, en C1”. Pairs are assigned "
                "accordingly; if empty, all languages are assumed."
            ),
            **kwargs,
        )

    def clean(self, value: Any) -> Any:
        try:
            return parse_skills(super().clean(value))
        except PhraseError as error:
            raise forms.ValidationError(error.phrase.text(_), code="languages") from error


class PeopleListField(forms.CharField):
    """A pasted list of people. Its value is a list of `Invitee`; every line that is wrong is named."""

    def clean(self, value: Any) -> Any:
        invitees, problems = parse_invitees(super().clean(value))
        if not problems:
            return invitees
        messages = [
            _("Line %(line)s: %(problem)s") % {"line": each.line, "problem": each.phrase.text(_)}
            if each.line
            else each.phrase.text(_)
            for each in problems[:PROBLEMS_SHOWN]
        ]
        if len(problems) > PROBLEMS_SHOWN:
            messages.append(_("… and %(n)s more.") % {"n": len(problems) - PROBLEMS_SHOWN})
        raise forms.ValidationError([forms.ValidationError(each) for each in messages])


class InviteForm(forms.Form):
    """Whom to invite, as what, and for how long."""

    people = PeopleListField(
        label=gettext_lazy("People to invite"),
        max_length=MAX_LIST_LENGTH,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "One person per line: a name in the project, an e-mail address, or both, as in “Anna, "
            "anna@example.org”. Without a name, people are called A1, A2, …"
        ),
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ROLES, initial=Role.ANNOTATOR)
    days = WholeNumberField(
        label=gettext_lazy("Days until the links expire"), min_value=1, max_value=MAX_DAYS, initial=DAYS
    )

    def invitees(self) -> list[Invitee]:
        invitees: list[Invitee] = self.cleaned_data["people"]
        return invitees


class InviteAsForm(forms.Form):
    """An invitation to take over a membership without an account."""

    email = forms.EmailField(label=gettext_lazy("E-mail address"), required=False, max_length=254)


class RenameForm(forms.Form):
    """Another name in the project."""

    alias = forms.CharField(label=gettext_lazy("Name in the project"), max_length=80)


class LanguagesReadForm(forms.Form):
    """The languages that a person reads."""

    languages = LanguagesField()


class AcceptForm(forms.Form):
    """Accepting an invitation with the account that is logged in."""

    languages = LanguagesField()


class IdentityJoinForm(NewAccountForm, AcceptForm):
    """Accepting an invitation with a new account without a password."""

    field_order = ("username", "languages")


class JoinForm(AcceptForm):
    """Accepting an invitation with a new account."""

    username = UsernameField(
        label=gettext_lazy("Username"),
        max_length=User._meta.get_field("username").max_length,
        help_text=gettext_lazy("For logging in. Leads see it; it is never published."),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=gettext_lazy("At least 10 characters."),
    )
    again = forms.CharField(
        label=gettext_lazy("Confirm password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    field_order = ("username", "password", "again", "languages")

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if "password" in data and "again" in data and data["password"] != data["again"]:
            self.add_error("again", _("The passwords don't match."))
        return data
