"""When people worked, corrections of it, and what an hour costs. Rows only, as in `core`."""

from __future__ import annotations

from django.db import models

from annotation.models.core import Annotator, Phase, User


class WorkDay(models.Model):
    """The active seconds that a person worked in a phase on a day, in the site's time zone. They only ever grow."""

    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="work_days")
    day = models.DateField()
    phase = models.CharField(max_length=13, choices=Phase.choices)
    seconds = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("annotator", "day", "phase")
        constraints = (models.UniqueConstraint(fields=("annotator", "day", "phase"), name="work_day_once"),)

    def __str__(self) -> str:
        return f"{self.seconds} s on {self.day}"


class TimeCorrection(models.Model):
    """Seconds that a lead added to a person's day, or took from it, and why. Never changed; another one corrects it."""

    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="time_corrections")
    day = models.DateField()
    seconds = models.IntegerField()
    reason = models.CharField(max_length=500)
    made = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("annotator", "day", "pk")

    def __str__(self) -> str:
        return f"{self.seconds:+} s on {self.day}"


class HourlyRate(models.Model):
    """What an hour of a person's work costs from a day on, in the project's currency."""

    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="rates")
    since = models.DateField()
    amount = models.DecimalField(max_digits=9, decimal_places=2)

    class Meta:
        ordering = ("annotator", "since")
        constraints = (models.UniqueConstraint(fields=("annotator", "since"), name="hourly_rate_once"),)

    def __str__(self) -> str:
        return f"{self.amount} an hour since {self.since}"
