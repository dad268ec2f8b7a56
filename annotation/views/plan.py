"""Planning assignments and changing them while work goes on: settings, preview, then apply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.forms.plan import KNOWN_PLANS, PlanChangeForm, PlanForm
from annotation.models import Annotator, Project
from annotation.permissions import lead_access
from annotation.planning.plan_totals import PersonShare
from annotation.planning.plans import PlannedAssignment
from annotation.selectors.pairs import project_size
from annotation.selectors.plans import plan_table
from annotation.selectors.projects import assignable_annotators
from annotation.selectors.qualification import project_rule
from annotation.selectors.retries import too_few_to_pass, without_retry
from annotation.services.plan_changes import current_plan_settings, plan_change_apply, plan_change_preview
from annotation.services.plans import (
    existing_assignments,
    plan_apply,
    plan_preview,
    plan_unreadable_pairs,
    units_unassigned,
)
from annotation.views.base import AuthenticatedRequest, person_page, preview_or_apply, show

P = TypeVar("P")


@person_page
def plan(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Plan the assignments. Changing the form updates the preview; nothing is assigned until the plan is applied."""
    access = lead_access(request.user, slug)
    project = access.project
    free = units_unassigned(project=project)
    preset = KNOWN_PLANS.get(request.GET.get("known", ""))
    form = PlanForm(request.POST or None, project=project, free=free, initial=preset.values(free) if preset else None)
    preview, applied = _preview_or_apply(request, form, plan_preview, plan_apply)
    if applied:
        n = len(applied.planned)
        text = ngettext("%(n)s assignment was created.", "%(n)s assignments were created.", n)
        messages.success(request, text % {"n": n})
        return redirect("project", slug=slug)
    context: dict[str, Any] = {"form": form, "plan": preview}
    if preview:
        people, rule = list(form.cleaned_data["people"]), project_rule(project)
        lacking = without_retry(project=project, annotators=people, planned=preview.planned, rule=rule)
        context |= {**_totals(form, preview.planned), "without_retry": [person.alias for person in lacking]}
        context |= {"rule": rule, "too_few": too_few_to_pass(project=project, planned=preview.planned, rule=rule)}
    if request.htmx:
        return show(request, "_plan_preview", access, **context)
    context |= {"known_plans": KNOWN_PLANS.items(), "known": preset}
    return show(request, "plan", access, size=project_size(project), **context)


@person_page
def plan_change(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Change the assignments that nobody has started. Changing the form updates the preview."""
    access = lead_access(request.user, slug)
    project = access.project
    form = PlanChangeForm(
        request.POST or None, project=project, initial=None if request.POST else _current_settings(project)
    )
    preview, applied = _preview_or_apply(request, form, plan_change_preview, plan_change_apply)
    if applied:
        text = _("The plan was changed. New assignments: %(new)s. Withdrawn: %(gone)s.")
        messages.success(request, text % {"new": len(applied.planned), "gone": len(applied.withdrawn)})
        return redirect("project", slug=slug)
    context: dict[str, Any] = {"form": form, "plan": preview}
    if preview:
        context |= _totals(form, preview.planned, preview.withdrawn) | {"wanted": form.settings()}
    elif not form.is_bound:
        context |= _plan_context(project, list(assignable_annotators(project)))
    if request.htmx:
        return show(request, "_plan_change_preview", access, **context)
    return show(request, "plan_change", access, size=project_size(project), **context)


def _preview_or_apply(
    request: AuthenticatedRequest, form: PlanChangeForm, preview: Callable[..., P], apply: Callable[..., P]
) -> tuple[P | None, P | None]:
    """The plan to show, or the one that was applied; neither if the form is refused, or there is no such plan."""
    if not form.is_valid():
        return None, None
    arguments = {
        "project": form.project,
        "annotators": list(form.cleaned_data["people"]),
        "settings": form.settings(),
    }
    return preview_or_apply(
        form,
        preview=lambda: preview(**arguments),
        apply=lambda digest: apply(**arguments, digest=digest),
        digest=request.POST.get("digest", "") if request.POST.get("step") == "make" else None,
    )


def _current_settings(project: Project) -> dict[str, int]:
    now = current_plan_settings(project=project)
    return {"trial": now.trial, "overlap": now.overlap, "overlap_people": now.overlap_people}


def _totals(
    form: PlanChangeForm, planned: Sequence[PlannedAssignment], withdrawn: Sequence[int] = ()
) -> dict[str, Any]:
    """What the preview shows of a plan or of a change: everyone's share, and how many pairs each two have in common.

    Of people who were not chosen, those whose pairs change hands are shown too.
    """
    project, chosen = form.project, list(form.cleaned_data["people"])
    shown = _plan_context(project, chosen, planned=planned, withdrawn=withdrawn, seconds_per_pair=form.seconds_per_pair)
    return {**shown, "unreadable": plan_unreadable_pairs(project=project, annotators=chosen, planned=planned)}


def _plan_context(project: Project, chosen: Sequence[Annotator], **plan: Any) -> dict[str, Any]:
    """The table of a plan, its bars and the pairs in common; without a plan, of what is assigned now."""
    plan_parts = {"planned": (), **plan}
    table = plan_table(project=project, chosen=chosen, existing=existing_assignments(project), **plan_parts)
    people = [row.person for row in table.rows]
    return {
        "table": table,
        "bars": [(row, _segments(row.share, table.largest)) for row in table.rows],
        "people": people,
        "common": _common_rows(people, table.common),
    }


def _segments(share: PersonShare, largest: int) -> list[tuple[str, int, float]]:
    """The parts of a person's bar: what they are, how many pairs, and the width in percent of the longest bar."""
    parts = [
        ("finished", share.finished),
        ("qualification", share.to_do["qualification"]),
        ("trial", share.to_do["trial"]),
        ("shared", share.shared),
        ("alone", share.alone),
    ]
    return [(what, n, round(100 * n / largest, 2)) for what, n in parts if n]


def _common_rows(people: Sequence[Annotator], common: dict[tuple[int, int], int]) -> list[tuple[Annotator, list[int]]]:
    """A row for everyone: the pairs in common with everyone before them, in the same order."""
    if len(people) < 2:
        return []
    return [
        (person, [common[before.pk, person.pk] for before in people[:index]]) for index, person in enumerate(people)
    ]
