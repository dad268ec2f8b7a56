"""A project: progress (for leads), one's own assignments (for everyone else), settings, and creating one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.forms.projects import ProjectForm, ProjectSettingsForm
from annotation.models import Assignment, Phase
from annotation.permissions import Access, lead_access, member_access, project_creator_access
from annotation.scheme_words import scheme_in_words
from annotation.selectors.advancement import held_phases
from annotation.selectors.assignments import assignment_next, assignments_before, assignments_of
from annotation.selectors.checklist import project_checklist
from annotation.selectors.monitor import review_counts, review_queue
from annotation.selectors.pairs import project_size
from annotation.selectors.progress import (
    PersonProgress,
    ProgressCounts,
    held_pairs,
    progress_of_annotators,
    project_progress,
)
from annotation.selectors.projects import guideline_current, options_of
from annotation.selectors.qualification import own_qualification
from annotation.selectors.references import pairs_with_known_reference
from annotation.selectors.reopenings import reopenings
from annotation.selectors.threads import thread_counts, threads_by_assignment, threads_unread
from annotation.selectors.webhooks import webhooks_auto_disabled
from annotation.services.projects import options_from, project_change, project_create
from annotation.text.schemes import PRESETS, Label
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show

PAGE = 100


@person_page
@require_safe
def overview(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The progress of the project; for anyone but its leads, just their own assignments."""
    access = member_access(request.user, slug)
    return _progress_page(request, access) if access.lead else _own_assignments(request, access)


def _progress_page(request: AuthenticatedRequest, access: Access) -> HttpResponse:
    project = access.project
    people = project_progress(project)
    phases = {
        phase: sum((person.phases[phase] for person in people if phase in person.phases), ProgressCounts())
        for phase in Phase.values
        if any(phase in person.phases for person in people)
    }
    total = sum(phases.values(), ProgressCounts())
    labels = scheme_in_words(project.labels).labels
    return show(
        request,
        "project",
        access,
        people=people,
        labels=labels,
        label_totals=_label_totals(labels, people),
        phases=phases,
        total=total,
        size=project_size(project),
        review=review_counts(review_queue(project)),
        messages_waiting=thread_counts(project)["waiting"],
        webhooks_auto_disabled=webhooks_auto_disabled(project),
        guideline=guideline_current(project),
        checklist=None if total.finished else project_checklist(project),
    )


def _label_totals(labels: Sequence[Label], people: Sequence[PersonProgress]) -> list[tuple[Label, int, float]]:
    """Each label with its total number of spans, and the length of its bar as a percentage of the longest."""
    totals: Counter[str] = sum((person.labels for person in people), Counter())
    most = max(totals.values(), default=0) or 1
    return [(label, totals[label.key], 100 * totals[label.key] / most) for label in labels]


def _own_assignments(request: AuthenticatedRequest, access: Access) -> HttpResponse:
    membership = access.membership
    held = held_phases(membership) if membership else ()
    phases = progress_of_annotators([membership]).get(membership.pk, {}) if membership else {}
    known = pairs_with_known_reference(access.project) if membership else set()
    upcoming = assignment_next(membership, after=None) if membership else None
    # Without a number, the page of the pair that comes next.
    number = request.GET.get("page") or (1 + assignments_before(upcoming) // PAGE if upcoming else 1)
    own = assignments_of(membership) if membership else Assignment.objects.none()
    page = Paginator(own, PAGE).get_page(number)
    return show(
        request,
        "own_work",
        access,
        phases=phases,
        reopened=reopenings(list(page)),
        threads=threads_by_assignment(membership) if membership else {},
        unread=threads_unread([membership]).get(membership.pk, []) if membership else [],
        total=sum(phases.values(), ProgressCounts()),
        page=page,
        qualification=own_qualification(membership) if membership else None,
        held=held,
        waiting=held_pairs(phases, held),
        has_next=upcoming is not None,
        final={pair for annotator, pair in known if membership and annotator == membership.pk},
        options=options_of(access.project),
    )


@person_page
def settings(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The project's settings: what annotators see, and what they may submit."""
    access = lead_access(request.user, slug)
    project = access.project
    form = ProjectSettingsForm(request.POST or None, project=project)
    if form.is_valid():
        name = form.cleaned_data["name"]
        change = attempt(
            form, lambda: project_change(project=project, name=name, options=options_from(**form.options()))
        )
        if change:
            messages.success(request, _("Settings saved."))
            return redirect("project-settings", slug=slug)
    return show(
        request, "settings", access, form=form, scheme=scheme_in_words(project.labels), options=options_of(project)
    )


@person_page
def create(request: AuthenticatedRequest) -> HttpResponse:
    """Create a project with a name and a scheme."""
    lead = project_creator_access(request.user)
    preset = request.GET.get("scheme", "")
    form = ProjectForm(request.POST or None, initial={"scheme": preset} if preset in PRESETS else None)
    if form.is_valid():
        data = form.cleaned_data
        project = attempt(
            form,
            lambda: project_create(name=data["name"], slug=data["slug"], scheme=data["scheme_json"], lead=lead),
        )
        if project:
            messages.success(request, _("Project created. Next, import its pairs."))
            return redirect("import", slug=project.slug)
    return show(request, "project_new", form=form)
