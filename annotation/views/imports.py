"""Pairs come in: tried first, then for good."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from annotation.errors import DomainError
from annotation.formats import FORMATS
from annotation.forms.base import refuse
from annotation.forms.imports import ImportForm
from annotation.permissions import lead_access
from annotation.selectors.pairs import project_size
from annotation.services.import_report import SHOWN, ImportRefused
from annotation.services.imports import import_files
from annotation.services.uploads import uploaded
from annotation.views.base import Asked, person_page, show


@person_page
def upload(request: Asked, slug: str) -> HttpResponse:
    """Which pairs come in? A dry run says what would happen; a bad file is refused whole, line by line."""
    access = lead_access(request.user, slug)
    form = ImportForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {}
    if form.is_valid():
        data = form.cleaned_data
        dry = request.POST.get("step") != "import"
        try:
            with uploaded(data["upload"]) as paths:
                report = import_files(
                    slug=slug, paths=paths, format=data["format"], options=data["options"], dry_run=dry, by=request.user
                )
        except ImportRefused as error:
            form.add_error("upload", error.message)
            context = {"rejections": error.rejections[:SHOWN], "more": len(error.rejections) - SHOWN}
        except DomainError as error:
            refuse(form, error)
        else:
            if not dry:
                text = _("%(n)s pairs came in, %(known)s were there already.")
                messages.success(request, text % {"n": report.pairs_new, "known": report.pairs_known})
                return redirect("project", slug=slug)
            context = {"report": report, "report_text": "\n".join(report.lines())}
    return show(
        request, "import", access, form=form, formats=FORMATS.values(), size=project_size(access.project), **context
    )
