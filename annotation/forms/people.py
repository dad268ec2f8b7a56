"""Forms about people: adding them, their roles, and assigning pairs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.utils.translation import gettext_lazy

from annotation.display_names import PHASE_NAMES, ROLES
from annotation.forms.base import WholeNumberField
from annotation.models import Annotator, Phase, Project, Role, User
from annotation.number_parsing import NumberError, parse_integer
from annotation.planning.retests import RetestSettings
from annotation.selectors.projects import annotator_list, assignable_annotators

MAX_KEY = 2**63 - 1


class LoginForm(AuthenticationForm):
    """The log-in form. A name that is too long for any account is refused before it is looked up or counted."""

    username = UsernameField(
        max_length=User._meta.get_field("username").max_length, widget=forms.TextInput(attrs={"autofocus": True})
    )


class EmailForm(forms.Form):
    """One's own e-mail address, for a link if the password is forgotten."""

    email = forms.EmailField(label=gettext_lazy("E-mail address"), required=False, max_length=254)
    password = forms.CharField(
        label=gettext_lazy("Current password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class EmailNotificationsForm(forms.Form):
    """Whether one wants e-mails about messages. `kind` says that this form was sent: an empty box sends nothing."""

    kind = forms.CharField(widget=forms.HiddenInput, initial="mails")
    mails = forms.BooleanField(label=gettext_lazy("E-mail me when someone writes to me about a pair"), required=False)


class PeopleField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Several people. A key out of the database's range matches nobody; SQLite would raise an error."""

    def clean(self, value: Any) -> Any:
        for key in value if isinstance(value, list | tuple) else ():
            try:
                parse_integer(str(key), high=MAX_KEY)
            except NumberError as error:
                message = self.error_messages["invalid_pk_value"]
                raise forms.ValidationError(message, code="invalid_pk_value", params={"pk": key}) from error
        return super().clean(value)


def people_field() -> PeopleField:
    """The people who get pairs; the form limits the choices."""
    return PeopleField(
        label=gettext_lazy("People"),
        queryset=Annotator.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one person.")},
    )


class RetestForm(forms.Form):
    """Who annotates how many of their own pairs a second time."""

    people = people_field()
    phase = forms.ChoiceField(
        label=gettext_lazy("Phase"),
        choices=list(PHASE_NAMES.items()),
        initial=Phase.MAIN,
        error_messages={"required": gettext_lazy("Choose the phase whose pairs are assigned again.")},
    )
    pairs = WholeNumberField(
        label=gettext_lazy("Pairs"),
        min_value=1,
        initial=5,
        help_text=gettext_lazy("How many pairs each person annotates a second time."),
    )
    days = WholeNumberField(
        label=gettext_lazy("Minimum days since submission"),
        min_value=0,
        initial=14,
        help_text=gettext_lazy(
            "Only pairs submitted at least this many days ago are used, so that people don't repeat what they remember."
        ),
    )
    seed = WholeNumberField(
        label=gettext_lazy("Seed"),
        min_value=0,
        initial=1,
        help_text=gettext_lazy("The same seed selects the same pairs."),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = annotator_list(project).filter(user__isnull=False, assignments__isnull=False).distinct()
        self.fields["people"].queryset = people  # type: ignore[attr-defined]
        self.fields["people"].initial = [person.pk for person in people]

    def settings(self) -> RetestSettings:
        return RetestSettings(**{name: self.cleaned_data[name] for name in ("seed", "pairs", "days")})


class NewPersonForm(forms.Form):
    """A new person: their username, and the name under which their work is published."""

    username = forms.CharField(
        label=gettext_lazy("Username"),
        max_length=150,
        help_text=gettext_lazy(
            "A new username creates an account, with a password that is shown once; an existing account is "
            "added as it is."
        ),
    )
    alias = forms.CharField(
        label=gettext_lazy("Name in the project"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("The only name that is published. Defaults to A1, A2, …"),
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ROLES, initial=Role.ANNOTATOR)


class EndAccessForm(forms.Form):
    """Ends a person's access to the project; sent twice, the second time as a confirmation."""

    confirmed = forms.BooleanField(widget=forms.HiddenInput)


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ROLES)


class AssignShareForm(forms.Form):
    """Assigns pairs to a person who joins mid-way."""

    seed = WholeNumberField(label=gettext_lazy("Seed"), min_value=0, initial=1)


class ReplaceForm(forms.Form):
    """Who takes over a person's unfinished pairs; sent twice, the second time as a confirmation."""

    newcomer = forms.ModelChoiceField(label=gettext_lazy("Reassign to"), queryset=Annotator.objects.none())
    end_access = forms.BooleanField(
        label=gettext_lazy("End their access to this project"), required=False, initial=False
    )

    def __init__(self, *args: Any, leaver: Annotator, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = assignable_annotators(leaver.project).exclude(pk=leaver.pk)
        self.fields["newcomer"].queryset = others  # type: ignore[attr-defined]
        if leaver.user_id is None:  # without an account, or with access already ended
            del self.fields["end_access"]
