"""Time and money: hours by person and month, corrections, hourly rates, cost so far, and the forecast.

Leads see everyone's; anyone else only their own hours and rate.
"""

from __future__ import annotations

import csv
import io
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.costs import cents, hours_of
from annotation.errors import Forbidden, Invalid
from annotation.formats.safe_cells import safe_cell
from annotation.forms.time import CorrectionForm, RateForm
from annotation.models import Annotator
from annotation.permissions import Access, member_access, time_visible
from annotation.selectors.pairs import project_size
from annotation.selectors.projects import annotator_get, annotator_list, options_of
from annotation.selectors.time import months_worked, next_month, project_cost, rates_of, recorded_time, time_corrections
from annotation.services.time import rate_set, time_correct
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show

COLUMNS = {
    "month": ("person", "username", "month", "seconds", "hours", "hourly_rate", "cost", "currency"),
    "day": ("person", "username", "date", "phase", "seconds", "hours", "correction"),
}


@person_page
def time(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Hours by month, and corrections; for leads also rates, cost so far and the forecast."""
    access = member_access(request.user, slug)
    own = time_visible(access)
    if request.method == "POST" and not access.lead:
        raise Forbidden(_("Only a lead of this project can do this."), where=access.project.name)
    people = {each.pk: each for each in annotator_list(access.project)}
    form, correction = _forms(request, list(people.values())) if access.lead else (None, None)
    if form is not None and form.is_valid():
        data = form.cleaned_data
        person = people[data["person"]]
        if attempt(form, lambda: (rate_set(annotator=person, amount=data["amount"], since=data["since"]),)):
            messages.success(request, _("The hourly rate of %(alias)s was saved.") % {"alias": person.alias})
            return redirect("time", slug=slug)
    if correction is not None and correction.is_valid():
        data = {**correction.cleaned_data}
        person = people[data.pop("person")]
        if attempt(correction, lambda: (time_correct(annotator=person, by=request.user, **data),)):
            messages.success(request, _("The time of %(alias)s was corrected.") % {"alias": person.alias})
            return redirect("time", slug=slug)
    rows = months_worked(access.project, annotator=own)
    months = [{"person": people[row.annotator], "row": row} for row in rows]
    total = project_cost(access.project) if access.lead else None
    return show(
        request,
        "time",
        access,
        form=form,
        correction=correction,
        corrections=time_corrections(access.project, annotator=own),
        months=months,
        total=total,
        unassigned=project_size(access.project).unassigned if access.lead else 0,
        rates=[(people[pk], rate) for pk, rows in rates_of(access.project).items() for rate in rows]
        if access.lead
        else [],
        currency=options_of(access.project).currency,
        seconds=sum(row.seconds for row in rows),
    )


def _forms(request: AuthenticatedRequest, people: list[Annotator]) -> tuple[RateForm, CorrectionForm]:
    """The form of rates and that of corrections; whichever was sent has its data."""
    sent = request.POST or None
    correcting = sent is not None and "correct" in sent
    return (
        RateForm(None if correcting else sent, people=people),
        CorrectionForm(sent if correcting else None, people=people, prefix="correction"),
    )


@person_page
@require_safe
def timesheet(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The hours as CSV: `by` month (with rate and cost) or day; `month` (2026-11) and `person` narrow it."""
    access = member_access(request.user, slug)
    own = time_visible(access)
    by = request.GET.get("by", "month")
    if by not in COLUMNS:
        raise Invalid(_("“%(by)s” is not a kind of timesheet.") % {"by": by[:60]}, where="by", hint="month, day")
    person = _person(access, request.GET.get("person", ""), own)
    month = _month(request.GET.get("month", ""))
    people = {each.pk: each for each in annotator_list(access.project)}
    rows = _months(access, people, person, month) if by == "month" else _days(access, people, person, month)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS[by])
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    # With a byte order mark, without which Excel reads UTF-8 as an old code page.
    response = HttpResponse("\ufeff" + out.getvalue(), content_type="text/csv; charset=utf-8")
    name = "-".join(filter(None, (access.project.slug, "timesheet", by, f"{month:%Y-%m}" if month else "")))
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _person(access: Access, text: str, own: int | None) -> int | None:
    if not text:
        return own
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Invalid(_("“%(given)s” is not the id of a person.") % {"given": text[:60]}, where="person")
    person = annotator_get(access.project, int(text)).pk
    if own is not None and person != own:
        raise Forbidden(_("Only leads see other people's hours."), where=access.project.name)
    return person


def _month(text: str) -> date | None:
    if not text:
        return None
    try:
        first = date.fromisoformat(f"{text}-01")
        next_month(first)  # the calendar's last month has none
        return first
    except (ValueError, OverflowError) as error:
        message = _("“%(given)s” is not a month.") % {"given": text[:60]}
        raise Invalid(message, where="month", hint=_("Write one like 2026-11.")) from error


def _name(person: Annotator) -> tuple[str, str]:
    account = person.user or person.former_user
    return person.alias, account.get_username() if account else ""


def _months(access: Access, people: dict[int, Annotator], person: int | None, month: date | None) -> list[Any]:
    currency, month_key = options_of(access.project).currency, f"{month:%Y-%m}" if month else ""
    return [
        (
            *_name(people[row.annotator]),
            row.month,
            row.seconds,  # of which the cost is: hours are rounded
            hours_of(row.seconds),
            "" if row.rate is None else str(row.rate),
            "" if row.cost is None else str(cents(row.cost)),
            "" if row.rate is None else currency,
        )
        for row in months_worked(access.project, annotator=person)
        if not month_key or row.month == month_key
    ]


def _days(access: Access, people: dict[int, Annotator], person: int | None, month: date | None) -> list[Any]:
    return [
        (
            *_name(people[each.annotator]),
            each.day.isoformat(),
            each.phase,
            each.seconds,
            hours_of(each.seconds),
            each.reason,
        )
        for each in recorded_time(access.project, annotator=person, month=month)
    ]
