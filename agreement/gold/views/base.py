"""What the pages of adjudication share."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from annotation.permissions import Access
from annotation.views.base import AuthenticatedRequest

REFRESH_SECONDS = 2
"""How long a page waits before it asks again whether a worker is done."""


def render_page(request: AuthenticatedRequest, template: str, access: Access, **context: Any) -> HttpResponse:
    """A page of the section Adjudication, from `agreement/TEMPLATE.html`."""
    common = {"access": access, "project": access.project, "section": "adjudication"}
    return render(request, f"agreement/{template}.html", {**common, **context})
