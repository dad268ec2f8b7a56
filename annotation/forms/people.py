"""Who works in a project, who comes in, and who gets which pair."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from annotation.models import Annotator, Phase, Project, Role
from annotation.planning import PlanSettings
from annotation.retesting import RetestSettings
from annotation.selectors.projects import annotator_list
from annotation.words import PHASE_NAMES, ROLES


class PlanForm(forms.Form):
    """Who gets which pair. Numbers count a pair with its mirror as one."""

    people = forms.ModelMultipleChoiceField(
        label=gettext_lazy("For"), queryset=Annotator.objects.none(), widget=forms.CheckboxSelectMultiple
    )
    qualification = forms.IntegerField(
        label=gettext_lazy("Qualification"),
        min_value=0,
        initial=0,
        help_text=gettext_lazy("pairs with gold, done by everyone first"),
    )
    trial = forms.IntegerField(
        label=gettext_lazy("Trial"), min_value=0, initial=3, help_text=gettext_lazy("pairs that everyone does")
    )
    overlap = forms.IntegerField(
        label=gettext_lazy("Overlap"),
        min_value=0,
        initial=25,
        help_text=gettext_lazy("pairs of the main phase that several people do; the rest is split"),
    )
    overlap_people = forms.IntegerField(
        label=gettext_lazy("People on each overlapping pair"),
        min_value=0,
        initial=0,
        help_text=gettext_lazy("0 for everyone"),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"), min_value=0, initial=1, help_text=gettext_lazy("the same seed, the same plan")
    )

    def __init__(self, *args: Any, project: Project, free: int, **kwargs: Any) -> None:
        """`free`: how many pairs nobody has yet."""
        super().__init__(*args, **kwargs)
        people = annotator_list(project).filter(role=Role.ANNOTATOR, user__isnull=False)
        self.fields["people"].queryset = people  # type: ignore[attr-defined]
        self.fields["people"].initial = [person.pk for person in people]
        # SwissGov-RSD's plan where there are pairs enough for it.
        self.fields["trial"].initial = min(3, free // 4)
        self.fields["overlap"].initial = min(25, free // 4)

    def settings(self) -> PlanSettings:
        data = self.cleaned_data
        names = ("seed", "qualification", "trial", "overlap", "overlap_people")
        return PlanSettings(**{name: data[name] for name in names})


class RetestForm(forms.Form):
    """Who marks how many of their own pairs a second time."""

    people = forms.ModelMultipleChoiceField(
        label=gettext_lazy("For"), queryset=Annotator.objects.none(), widget=forms.CheckboxSelectMultiple
    )
    phase = forms.ChoiceField(label=gettext_lazy("Phase"), choices=list(PHASE_NAMES.items()), initial=Phase.MAIN)
    pairs = forms.IntegerField(
        label=gettext_lazy("Pairs"), min_value=1, initial=5, help_text=gettext_lazy("that each of them gets once more")
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days between"),
        min_value=0,
        initial=14,
        help_text=gettext_lazy("handed in at least so long ago, so that nobody repeats what they remember"),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"), min_value=0, initial=1, help_text=gettext_lazy("the same seed, the same pairs")
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = annotator_list(project).filter(user__isnull=False, assignments__isnull=False).distinct()
        self.fields["people"].queryset = people  # type: ignore[attr-defined]
        self.fields["people"].initial = [person.pk for person in people]

    def settings(self) -> RetestSettings:
        return RetestSettings(**{name: self.cleaned_data[name] for name in ("seed", "pairs", "days")})


class PersonForm(forms.Form):
    """Somebody who comes in: a log-in's name, and the name under which their work is published."""

    username = forms.CharField(
        label=gettext_lazy("Log-in"),
        max_length=150,
        help_text=gettext_lazy("A new one is made, with a password that is shown once; a known one comes in as it is."),
    )
    alias = forms.CharField(
        label=gettext_lazy("Name in the project"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("The only name that is published; A1, A2, … unless you give one."),
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ROLES, initial=Role.ANNOTATOR)


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ROLES)


class BringInForm(forms.Form):
    """Work for somebody who comes in mid-way."""

    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, initial=1)


class ReplaceForm(forms.Form):
    """Who takes over somebody's unfinished pairs."""

    newcomer = forms.ModelChoiceField(label=gettext_lazy("Taken over by"), queryset=Annotator.objects.none())
    end_access = forms.BooleanField(
        label=gettext_lazy("Their log-in no longer opens this project"), required=False, initial=True
    )

    def __init__(self, *args: Any, leaver: Annotator, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = annotator_list(leaver.project).filter(user__isnull=False).exclude(pk=leaver.pk)
        self.fields["newcomer"].queryset = others  # type: ignore[attr-defined]
