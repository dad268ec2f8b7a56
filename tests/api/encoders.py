"""Comparing encoders: every response that the document of the API has for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from annotation.models import Project, User
from assist.encoder_comparisons.jobs import comparison_request, comparisons_run
from assist.methods.encoder.pretrained import PACKAGED

if TYPE_CHECKING:
    from tests.api.site import Site

LEADS = (403, 403, 403, 200, 404, 403)
ROWS = """Source,Target,TargetAdv1,SourcePivot,TargetPivot,TargetAdv1Pivot
We drink hot tea.,Hot tea is what we drink.,Cold tea is what we drink.,We drink hot tea.,Trains are late.,We drink tea.
Trains are late again.,The trains have a delay again.,The trains have a break again.,Late trains.,Delayed trains.,Tea.
"""
FILE = {"name": "rows.csv", "text": ROWS}
WANTED: dict[str, Any] = {"encoders": [PACKAGED], "clsd": FILE, "settings": {"compositionality": False, "gold": False}}
ACCESS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("comparisons", "comparison_request", "comparison", "comparison_cancel"), LEADS),
    "comparison_retry": (403, 403, 403, 409, 404, 403),
}
REQUESTS: dict[str, Any] = {"comparison_request": WANTED}
UNARCHIVED = {"comparison_cancel"}


def requested(project: Project, by: User) -> int:
    """A comparison that waits for a worker."""
    settings = {"compositionality": False, "gold": False, "clsd": True}
    return comparison_request(project=project, encoders=[PACKAGED], files={}, settings=settings, by=by).pk


def addresses(slug: str, pk: int) -> dict[str, str]:
    """The address of each operation."""
    return {
        "comparisons": reverse("api-encoders", args=(slug,)),
        "comparison_request": reverse("api-encoders", args=(slug,)),
        "comparison": reverse("api-encoders-result", args=(slug, pk)),
        "comparison_cancel": reverse("api-encoders-cancel", args=(slug, pk)),
        "comparison_retry": reverse("api-encoders-retry", args=(slug, pk)),
    }


def compared(at: Site) -> Iterator[tuple[str, Any]]:
    """Encoders compared, one cancelled and tried again."""
    yield "comparisons", at.ask("comparisons")
    yield "comparisons", at.ask("comparisons", body={"page": "x"})
    yield "comparison", at.ask("comparison")
    yield "comparison_retry", at.ask("comparison_retry")
    yield "comparison_cancel", at.ask("comparison_cancel")
    yield "comparison_cancel", at.ask("comparison_cancel")
    yield "comparison_retry", at.ask("comparison_retry")
    yield "comparison_cancel", at.ask("comparison_cancel")
    made = at.ask("comparison_request", body=WANTED)
    yield "comparison_request", made
    yield "comparison_request", at.ask("comparison_request", body={"encoders": ["/etc"]})
    comparisons_run()
    own = addresses(at.home.project.slug, made.json()["id"])
    yield "comparison", at.ask("comparison", address=own["comparison"])
