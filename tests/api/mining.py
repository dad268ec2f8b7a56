"""Mining: every response that the document of the API has for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Project, User
from assist.mining_requests.jobs import mining_jobs_run, mining_request
from assist.models import Mining
from tests.assist.mining.test_mine import EN, ES

if TYPE_CHECKING:
    from tests.api.site import Site

LEADS = (403, 403, 403, 200, 404, 403)
ACCESS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("minings", "mining_request", "mining", "mining_cancel"), LEADS),
    "mining_import": (403, 403, 403, 409, 404, 403),
}
FILES = [{"name": f"town.{tag}.txt", "text": "\n".join(texts)} for tag, texts in (("en", EN), ("es", ES))]
REQUESTS: dict[str, Any] = {
    "mining_request": {"files": FILES, "settings": {"shortest": 20}},
    "mining_import": {"shortest": 20},
}
UNARCHIVED = {"mining_cancel"}
"""One that could be cancelled has been."""


def searched(project: Project, by: User) -> int:
    """A search that waits for a worker."""
    files = [SimpleUploadedFile(each["name"], each["text"].encode()) for each in FILES]
    return mining_request(project=project, files=files, settings={"per_article": "none", "shortest": 20}, by=by).pk


def addresses(slug: str, pk: int) -> dict[str, str]:
    """The address of each operation."""
    return {
        "minings": reverse("api-minings", args=(slug,)),
        "mining_request": reverse("api-minings", args=(slug,)),
        "mining": reverse("api-mining", args=(slug, pk)),
        "mining_import": reverse("api-mining-import", args=(slug, pk)),
        "mining_cancel": reverse("api-mining-cancel", args=(slug, pk)),
    }


def mined(at: Site) -> Iterator[tuple[str, Any]]:
    """Articles compared, looked through and imported."""
    yield "minings", at.ask("minings")
    yield "minings", at.ask("minings", body={"page": "x"})
    yield "mining", at.ask("mining")
    yield "mining_import", at.ask("mining_import", body={})
    mining_jobs_run()
    for query in ({}, {"only": "dropped"}, {"least_similar": 0.99}, {"least_similar": 2}):
        yield "mining", at.ask("mining", body=query)
    yield "mining_import", at.ask("mining_import", body={"leave_out": ["none"]})
    yield "mining_import", at.ask("mining_import", body={"least_similar": 1})
    yield "mining_cancel", at.ask("mining_cancel")
    Mining.objects.update(result=None)
    yield "mining", at.ask("mining")
    made = at.ask("mining_request", body=REQUESTS["mining_request"])
    yield "mining_request", made
    yield "mining_request", at.ask("mining_request", body={"files": FILES[:1]})
    yield (
        "mining_cancel",
        at.ask("mining_cancel", address=addresses(at.home.project.slug, made.json()["id"])["mining_cancel"]),
    )
