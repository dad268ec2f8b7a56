"""Pages of work that a lead requests: the form of its settings, and how far a worker is. What all types share."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.http import HttpResponse
from django.shortcuts import render

from annotation.forms.settings import setting_field
from annotation.job_notifications import notify
from annotation.models import ACTIVE_JOB
from annotation.permissions import Access
from annotation.selectors.workers import CPU, workers_alive
from annotation.settings_model import Settings, settings_by_name
from annotation.views.base import AuthenticatedRequest
from assist.models import RequestedJob
from assist.requested_jobs.jobs import ENDED_EARLY


class JobSettingsForm(forms.Form):
    """Settings of a model as fields: those of `names`, or all."""

    described_by: ClassVar[type[Settings]]
    names: tuple[str, ...] = ()

    def __init__(self, data: Any = None, files: Any = None, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, files, initial={**self.described_by().model_dump(), **(initial or {})})
        settings = settings_by_name(self.described_by)
        self.names = self.names or tuple(settings)
        for name in self.names:
            self.fields[name] = setting_field(settings[name], required=True)

    def settings(self) -> dict[str, Any]:
        """The values as the settings read them; an empty field means none."""
        return {name: "" if (value := self.cleaned_data[name]) is None else value for name in self.names}


def render_page(
    request: AuthenticatedRequest, template: str, access: Access, status: int = 200, **context: Any
) -> HttpResponse:
    """A page of assist."""
    own = {"access": access, "project": access.project}
    return render(request, f"assist/{template}.html", {**own, **context}, status=status)


def job_progress(row: RequestedJob, kind: str) -> dict[str, Any]:
    """What the page of a job shows of it. `kind` is the job's name: workers are notified again while the page is open,
    since a message to them may be lost.
    """
    unfinished = row.status in ACTIVE_JOB
    if unfinished:
        notify(kind)
    return {
        "row": row,
        "unfinished": unfinished,
        "again": row.status in ENDED_EARLY,
        "unattended": unfinished and not workers_alive(CPU),
        "percent": 100 * row.done // row.total if row.total else 0,
    }
