"""Forms of plans: who gets which pair, and how that is changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from annotation.display_names import PHASE_NAMES
from annotation.forms.base import WholeNumberField
from annotation.forms.people import people_field
from annotation.models import Phase, Project
from annotation.planning.plans import PlanSettings
from annotation.selectors.projects import assignable_annotators


@dataclass(frozen=True, slots=True)
class KnownPlan:
    """A published plan: its name, what it is, and its numbers; `everything`: everyone annotates all main pairs."""

    name: str
    described: str | Promise
    trial: int = 0
    overlap: int = 0
    qualification: int = 0
    both_directions: bool = False
    everything: bool = False

    @property
    def text(self) -> str:
        return str(self.described) % {"phase": PHASE_NAMES[Phase.TRIAL.value]}

    def values(self, units: int) -> dict[str, Any]:
        """What the form shows for `units` unassigned pairs (one with its mirror counts as one): no more than these."""
        qualification = min(self.qualification, units)
        trial = min(self.trial, units - qualification)
        rest = units - qualification - trial
        return {
            "qualification": qualification,
            "both_directions": self.both_directions,
            "trial": trial,
            "overlap": rest if self.everything else min(self.overlap, rest),
            "overlap_people": 0,
        }


KNOWN_PLANS = {
    "swissgov": KnownPlan(
        "SwissGov-RSD",
        gettext_lazy("3 pairs for the %(phase)s phase, the rest in equal parts, 25 of them shared"),
        trial=3,
        overlap=25,
    ),
    "xparade": KnownPlan(
        "X-PARADE",
        gettext_lazy("7 pairs in both directions to qualify, then everyone annotates everything"),
        qualification=7,
        both_directions=True,
        everything=True,
    ),
}
"""By the value that asks for it in an address. Numbers: docs/leads.md, *Plan the assignments*."""


class PlanChangeForm(forms.Form):
    """Who is to have which pair from now on. Numbers count a pair with its mirror as one."""

    people = people_field()
    trial = WholeNumberField(
        label=capfirst(PHASE_NAMES[Phase.TRIAL.value]),
        min_value=0,
        help_text=gettext_lazy("Pairs that everyone annotates."),
    )
    overlap = WholeNumberField(
        label=gettext_lazy("Overlap"),
        min_value=0,
        help_text=gettext_lazy("Further pairs that several people annotate; each of the rest goes to one person."),
    )
    overlap_people = WholeNumberField(
        label=gettext_lazy("Annotators per overlapping pair"),
        min_value=0,
        help_text=gettext_lazy("0 means everyone"),
    )
    readers_only = forms.BooleanField(
        label=gettext_lazy("Only assign pairs to people who read their languages"),
        required=False,
        help_text=gettext_lazy(
            "Otherwise the plan warns about those who don't. The languages people read are on the People page."
        ),
    )
    seed = WholeNumberField(
        label=gettext_lazy("Seed"), min_value=0, initial=1, help_text=gettext_lazy("The same seed gives the same plan.")
    )
    minutes = forms.DecimalField(
        label=gettext_lazy("Expected minutes per pair"),
        required=False,
        min_value=0,
        max_value=10_000,
        decimal_places=1,
        help_text=gettext_lazy("For the hours in the preview, until a pace is measured."),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.project = project
        people = assignable_annotators(project)
        self.fields["people"].queryset = people  # type: ignore[attr-defined]
        self.fields["people"].initial = [person.pk for person in people]

    def settings(self) -> PlanSettings:
        values = {name: value for name, value in self.cleaned_data.items() if name not in ("people", "minutes")}
        return PlanSettings(**values)

    @property
    def seconds_per_pair(self) -> float | None:
        """What the lead expects of a pair, or None."""
        minutes = self.cleaned_data["minutes"]
        return None if minutes is None else float(minutes) * 60


class PlanForm(PlanChangeForm):
    """Who gets which of the unassigned pairs."""

    qualification = WholeNumberField(
        label=capfirst(PHASE_NAMES[Phase.QUALIFICATION.value]),
        min_value=0,
        initial=0,
        help_text=gettext_lazy("Pairs with gold that everyone annotates first."),
    )
    both_directions = forms.BooleanField(
        label=gettext_lazy("Qualification pairs in both directions"),
        required=False,
        help_text=gettext_lazy(
            "Only pairs with a mirror count for the qualification; a pair and its mirror count as one."
        ),
    )

    field_order = ("people", "qualification", "both_directions")

    def __init__(self, *args: Any, free: int, **kwargs: Any) -> None:
        """`free`: how many pairs are unassigned, one with its mirror counting as one."""
        super().__init__(*args, **kwargs)
        # SwissGov-RSD's plan, if there are enough pairs for it.
        preset = KNOWN_PLANS["swissgov"]
        self.fields["trial"].initial = min(preset.trial, free // 4)
        several = len(self.fields["people"].initial) > 1
        self.fields["overlap"].initial = min(preset.overlap, free // 4) if several else 0
        self.fields["overlap_people"].initial = 0
