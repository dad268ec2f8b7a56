"""Making items: every response that the document of the API has for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Project, User
from assist.item_requests.jobs import generation_request
from tests.factories import ProjectFactory

if TYPE_CHECKING:
    from tests.api.site import Site

SERVER: dict[str, object] = {"address": "https://llm.example.org/v1", "model": "small"}
"""A server that nothing is asked of here."""
LEADS = (403, 403, 403, 200, 404, 403)
ROWS = "Source,Target\nEin Bus kam zu spät.,A bus was late.\n"
WANTED: dict[str, Any] = {
    "task": "clsd",
    "file": {"name": "rows.csv", "text": ROWS},
    "into": "distractors",
    "settings": {**SERVER, "distractors": 2},
}
ACCESS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("item_makings", "item_making_request", "item_making"), LEADS),
    **dict.fromkeys(("item_making_start", "item_making_cancel"), LEADS),
    "item_making_retry": (403, 403, 403, 409, 404, 403),
}
REQUESTS: dict[str, Any] = {"item_making_request": WANTED}
UNARCHIVED = {"item_making_cancel"}


def requested(project: Project, by: User) -> int:
    """Items that a lead has not started yet."""
    file = SimpleUploadedFile("rows.csv", ROWS.encode())
    return generation_request(project=project, task="clsd", file=file, into="distractors", settings=SERVER, by=by).pk


def addresses(slug: str, pk: int) -> dict[str, str]:
    """The address of each operation."""
    return {
        "item_makings": reverse("api-items", args=(slug,)),
        "item_making_request": reverse("api-items", args=(slug,)),
        "item_making": reverse("api-items-result", args=(slug, pk)),
        "item_making_start": reverse("api-items-start", args=(slug, pk)),
        "item_making_cancel": reverse("api-items-cancel", args=(slug, pk)),
        "item_making_retry": reverse("api-items-retry", args=(slug, pk)),
    }


def made(at: Site) -> Iterator[tuple[str, Any]]:
    """Items requested, started, cancelled and tried again."""
    yield "item_makings", at.ask("item_makings")
    yield "item_makings", at.ask("item_makings", body={"page": "x"})
    yield "item_making", at.ask("item_making")
    for _again in range(2):
        yield "item_making_start", at.ask("item_making_start")
    yield "item_making_retry", at.ask("item_making_retry")
    for _again in range(2):
        yield "item_making_cancel", at.ask("item_making_cancel")
    yield "item_making_retry", at.ask("item_making_retry")
    yield "item_making_request", at.ask("item_making_request", body=WANTED)
    yield "item_making_request", at.ask("item_making_request", body={**WANTED, "settings": {"model": "small"}})
    # The rating project is another lead's by now.
    ProjectFactory(slug="distractors")
    yield "item_making_retry", at.ask("item_making_retry")
    started = at.ask("item_making_request", body={**WANTED, "into": "others"}).json()["id"]
    ProjectFactory(slug="others")
    address = addresses(at.home.project.slug, started)["item_making_start"]
    yield "item_making_start", at.ask("item_making_start", address=address)
