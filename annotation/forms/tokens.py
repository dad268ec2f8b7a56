"""The form for a new API token."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from annotation.display_names import ROLES
from annotation.forms.base import WholeNumberField
from annotation.models import Project, User
from annotation.models.tokens import TokenAccess
from annotation.selectors.projects import projects_visible
from annotation.services.tokens import MAX_DAYS, MAX_NAME_LENGTH

ACCESS = [
    (TokenAccess.READ.value, gettext_lazy("read only")),
    (TokenAccess.WRITE.value, gettext_lazy("read and write")),
]


class TokenForm(forms.Form):
    """What a token is for, and the most it may do."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=MAX_NAME_LENGTH, help_text=gettext_lazy("The program that will use it.")
    )
    access = forms.ChoiceField(label=gettext_lazy("Access"), choices=ACCESS)
    project = forms.ModelChoiceField(
        label=gettext_lazy("Project"),
        queryset=Project.objects.none(),
        required=False,
        empty_label=gettext_lazy("all my projects"),
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Highest role"),
        required=False,
        choices=[("", gettext_lazy("my role in each project")), *ROLES],
        help_text=gettext_lazy("A token never has more rights than you have."),
    )
    days = WholeNumberField(label=gettext_lazy("Valid for (days)"), min_value=1, max_value=MAX_DAYS, initial=90)

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        project: Any = self.fields["project"]
        project.queryset = projects_visible(user).order_by("name", "pk")
