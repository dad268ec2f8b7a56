"""Writes of when people worked, of corrections of it, and of hourly rates."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F, Sum, Value
from django.db.models.functions import Least
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from annotation.cached_statements import PreparedUpdate
from annotation.errors import Invalid
from annotation.models import Annotator, User
from annotation.models.time import HourlyRate, TimeCorrection, WorkDay
from annotation.security_events import security_event
from annotation.services.archive_check import changes_project
from annotation.strict_json import name_problem

DAY_SECONDS = 24 * 3600
MAX_REASON_LENGTH = 500
MAX_AGE_DAYS = 3653
REPEAT_WINDOW = timedelta(seconds=10)
"""The day's last correction again, by the same person within this time, is a double click."""
MAX_RATE = Decimal("999999.99")


def worktime_add(*, annotator: int, phase: str, seconds: int) -> None:
    """Count active seconds for today, which has `DAY_SECONDS` of them at most.

    The caller's transaction is that of the save they come with.
    """
    if seconds <= 0:
        return
    day = timezone.localdate()
    own: dict[str, Any] = {"annotator": annotator, "day": day, "phase": phase, "seconds": seconds}
    if not _ADD.run(**own):
        # Another save of the same person may create the row at the same time.
        row = WorkDay(annotator_id=annotator, day=day, phase=phase)
        WorkDay.objects.bulk_create([row], ignore_conflicts=True)
        _ADD.run(**own)


_ADD = PreparedUpdate(
    lambda annotator, day, phase, seconds: (
        WorkDay.objects.filter(annotator=annotator, day=day, phase=phase).order_by(),
        {"seconds": Least(F("seconds") + seconds, Value(DAY_SECONDS))},
    ),
    annotator=int,
    day=date,
    phase=str,
    seconds=int,
)


@changes_project("annotator.project_id")
@transaction.atomic
def time_correct(*, annotator: Annotator, day: date, seconds: int, reason: str, by: User | None) -> TimeCorrection:
    """Add seconds to a person's day, or take some from it if `seconds` is negative. Sent twice at once, it is one.

    Raises Invalid for 0 seconds, for a day in the future or more than `MAX_AGE_DAYS` ago, without a readable reason,
    and if the correction takes the day below nothing or above `DAY_SECONDS`.
    """
    Annotator.objects.select_for_update().get(pk=annotator.pk)
    reason = reason.strip()
    if not seconds:
        raise Invalid(_("Enter the time to add or, with a minus sign, to take off."), where="seconds")
    if day > timezone.localdate():
        raise Invalid(_("This day is in the future."), where="day")
    if day < timezone.localdate() - timedelta(days=MAX_AGE_DAYS):
        raise Invalid(_("This day is more than ten years ago."), where="day")
    if not 1 <= len(reason) <= MAX_REASON_LENGTH:
        raise Invalid(_("Give a reason, in %(n)s characters at most.") % {"n": MAX_REASON_LENGTH}, where="reason")
    if problem := name_problem(reason):
        raise Invalid(capfirst(problem.text(_)), where="reason")
    fields = {"annotator": annotator, "day": day, "seconds": seconds, "reason": reason, "made_by": by}
    last = TimeCorrection.objects.filter(annotator=annotator, day=day).order_by("pk").last()
    if (
        last
        and last.made > timezone.now() - REPEAT_WINDOW
        and all(getattr(last, name) == fields[name] for name in fields)
    ):
        return last
    rows = (table.objects.filter(annotator=annotator, day=day) for table in (WorkDay, TimeCorrection))
    recorded = sum(each.aggregate(total=Sum("seconds"))["total"] or 0 for each in rows)
    # What was measured in several phases may be above, and a correction towards the limit is always right.
    if recorded + seconds < min(0, recorded) or recorded + seconds > max(DAY_SECONDS, recorded):
        raise Invalid(
            _("The day's total (now %(minutes)s minutes) can't fall below 0 or exceed 24 hours.")
            % {"minutes": round(recorded / 60)},
            where="seconds",
        )
    row = TimeCorrection.objects.create(**fields)
    security_event("time corrected", annotator=annotator.pk, project=annotator.project_id, seconds=seconds)
    return row


@changes_project("annotator.project_id")
@transaction.atomic
def rate_set(*, annotator: Annotator, amount: Decimal | None, since: date) -> HourlyRate | None:
    """Set a person's hourly rate from a day on; None removes the one that begins on that day.

    Rates that begin later stay. Raises Invalid for an amount below 0, too large, or with more than two decimals.
    """
    Annotator.objects.select_for_update().get(pk=annotator.pk)
    own = HourlyRate.objects.filter(annotator=annotator, since=since)
    if amount is None:
        own.delete()
        security_event("hourly rate removed", annotator=annotator.pk, project=annotator.project_id)
        return None
    if not amount.is_finite() or not 0 <= amount <= MAX_RATE or amount != amount.quantize(Decimal("0.01")):
        raise Invalid(
            _("An hourly rate must be from 0 to %(n)s, with at most two decimals.") % {"n": MAX_RATE}, where="amount"
        )
    row, _made = HourlyRate.objects.update_or_create(annotator=annotator, since=since, defaults={"amount": amount})
    security_event("hourly rate set", annotator=annotator.pk, project=annotator.project_id)
    return row
