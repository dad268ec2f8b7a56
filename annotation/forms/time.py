"""The form of an hourly rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from annotation.models import Annotator


class RateForm(forms.Form):
    """What an hour of someone's work costs, from a day on."""

    person = forms.TypedChoiceField(label=gettext_lazy("Person"), coerce=int)
    amount = forms.DecimalField(
        label=gettext_lazy("Hourly rate"),
        min_value=0,
        max_digits=8,
        decimal_places=2,
        required=False,
        help_text=gettext_lazy("Left empty, the rate that begins on this day is removed."),
    )
    since = forms.DateField(
        label=gettext_lazy("From"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("Work on this day and later costs this much, until another rate begins."),
    )

    def __init__(self, *args: Any, people: Sequence[Annotator], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["person"].choices = [(each.pk, each.alias) for each in people]  # type: ignore[attr-defined]
        self.fields["since"].initial = timezone.localdate
