"""The forms of an hourly rate and of a correction of time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from annotation.forms.base import WholeNumberField
from annotation.models import Annotator
from annotation.services.time import DAY_SECONDS, MAX_REASON_LENGTH


class ChosenPersonForm(forms.Form):
    """A form about one of the project's people."""

    person = forms.TypedChoiceField(label=gettext_lazy("Person"), coerce=int)

    def __init__(self, *args: Any, people: Sequence[Annotator], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["person"].choices = [(each.pk, each.alias) for each in people]  # type: ignore[attr-defined]


def day_field(**more: Any) -> forms.DateField:
    """A day, today at first."""
    shown = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(
        widget=shown,
        initial=timezone.localdate,
        error_messages={"invalid": gettext_lazy("This is not a date. Write one like 2026-05-31.")},
        **more,
    )


class RateForm(ChosenPersonForm):
    """What an hour of someone's work costs, from a day on."""

    amount = forms.DecimalField(
        label=gettext_lazy("Hourly rate"),
        min_value=0,
        max_digits=8,
        decimal_places=2,
        required=False,
        help_text=gettext_lazy("If left empty, the rate that begins on this day is removed."),
    )
    since = day_field(
        label=gettext_lazy("From"),
        help_text=gettext_lazy("Work on this day and later costs this much, until another rate begins."),
    )


class CorrectionForm(ChosenPersonForm):
    """Minutes to add to someone's day, or to take from it."""

    day = day_field(label=gettext_lazy("Day"))
    seconds = WholeNumberField(
        label=gettext_lazy("Minutes"),
        min_value=-DAY_SECONDS // 60,
        max_value=DAY_SECONDS // 60,
        help_text=gettext_lazy("Added to the day's time; use a minus sign to subtract."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON_LENGTH,
        help_text=gettext_lazy("This person can see it, and it appears in the timesheet."),
    )

    def clean_seconds(self) -> int:
        minutes: int = self.cleaned_data["seconds"]
        return minutes * 60
