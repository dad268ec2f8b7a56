"""Every endpoint of the API: access, and every status that its document names.

That each response is as documented is checked wherever a test uses the API (`tests/conftest.py`). Here every documented
status is produced, so that none is documented that never occurs; a new endpoint fails until it is here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import OperationalError, transaction
from django.test import Client
from django.urls import reverse
from rest_framework.views import APIView

from agreement.gold.services.drafts import draft_open
from annotation.models import Annotation, Phase, Source
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.checks import Work
from annotation.services.glossary import glossary_entry_save
from annotation.services.guidelines import guideline_write
from annotation.services.highlights import HighlightInput, highlights_write
from assist import services
from assist.models import Run, RunStatus
from tests.annotation.work import LIBRARY, NOTHING, House, doc, house, span
from tests.api.document import check, documented, operation_of, operations
from tests.assist.conftest import fakes, notified  # noqa: F401
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, TextFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]

SAVE = {"revision": 0, "spans": doc()}
ENTRY: dict[str, Any] = {
    "term_language": "en",
    "translation_language": "de",
    "term": "nothing",
    "translations": ["nichts"],
}
SUBMIT = {"revision": 0, "verdict": "submitted"}


@dataclass
class Site:
    """A house with a pair that two people submitted differently, its gold in an open draft, a run and a glossary."""

    home: House
    adjudicated: int
    entry: int

    def address(self, operation: str) -> str:
        slug, assignment = self.home.project.slug, self.home.assignment.pk
        return {
            "assignment": reverse("api-assignment", args=(assignment,)),
            "annotation_save": reverse("api-annotation", args=(assignment,)),
            "assignment_submit": reverse("api-submit", args=(assignment,)),
            "assignment_reopen": reverse("api-reopen", args=(assignment,)),
            "assignment_next": reverse("api-next", args=(slug,)),
            "preferences": reverse("api-preferences"),
            "glossary": reverse("api-glossary", args=(slug,)),
            "glossary_add": reverse("api-glossary", args=(slug,)),
            "glossary_change": reverse("api-glossary-entry", args=(slug, self.entry)),
            "glossary_delete": reverse("api-glossary-entry", args=(slug, self.entry)),
            "manual_adjudication_pair": reverse("api-manual-adjudication", args=(slug, self.adjudicated)),
            "manual_adjudication_save": reverse("api-manual-adjudication-annotation", args=(slug, self.adjudicated)),
            "manual_adjudication_submit": reverse("api-manual-adjudication-submit", args=(slug, self.adjudicated)),
            "manual_adjudication_reopen": reverse("api-manual-adjudication-reopen", args=(slug, self.adjudicated)),
            "runs": reverse("api-runs", args=(slug,)),
            "run_request": reverse("api-runs", args=(slug,)),
            "run": reverse("api-run", args=(slug, "fake-v1")),
            "run_act": reverse("api-run-act", args=(slug, "fake-v1", "pause")),
        }[operation]

    def ask(self, operation: str, who: str = "lead", body: Any = None, **more: Any) -> Any:
        """The answer of an operation; `address` asks for something else in its form."""
        client: Client = getattr(self.home, who)
        address = more.pop("address", None) or self.address(operation)
        method = operations()[operation][0]
        more = {"content_type": "application/json", **more} if method != "get" else more
        return getattr(client, method)(address, body or {}, **more)


def site(**settings: Any) -> Site:
    home = house(slug="library", settings=settings)
    guideline_write(project=home.project, text="Mark *differences*.", base=0)
    pair = PairFactory(project=home.project)
    for marks in ([span(LIBRARY)], [span(LIBRARY, label="5"), span(NOTHING, id="s2")]):
        assignment = AssignmentFactory(pair=pair, annotator=AnnotatorFactory(project=home.project))
        annotation_save(assignment=assignment, by=None, base=0, work=Work(spans=doc(*marks), comment="hm"))
        annotation_submit(assignment=assignment, by=None, base=1, verdict="submitted")
    draft_open(project=home.project, rule="agreed", phase="main", by=None)
    services.run_request(project=home.project, method="fake")
    entry = glossary_entry_save(project=home.project, **{**ENTRY, "term": "library"})
    return Site(home, pair.pk, entry.pk)


ALL = ("annotator", "other", "adjudicator", "lead", "stranger", "anonymous")
ACCESS: dict[str, tuple[int, ...]] = {
    "assignment": (200, 403, 200, 200, 404, 403),
    "annotation_save": (200, 403, 403, 403, 404, 403),
    "assignment_submit": (200, 403, 403, 403, 404, 403),
    "assignment_reopen": (409, 403, 403, 403, 404, 403),
    "assignment_next": (200, 200, 200, 200, 404, 403),
    "preferences": (200, 200, 200, 200, 200, 403),
    "glossary": (403, 403, 403, 200, 404, 403),
    "glossary_add": (403, 403, 403, 200, 404, 403),
    "glossary_change": (403, 403, 403, 200, 404, 403),
    "glossary_delete": (403, 403, 403, 200, 404, 403),
    "manual_adjudication_pair": (403, 403, 200, 200, 404, 403),
    "manual_adjudication_save": (403, 403, 200, 200, 404, 403),
    "manual_adjudication_submit": (403, 403, 422, 422, 404, 403),
    "manual_adjudication_reopen": (403, 403, 409, 409, 404, 403),
    "runs": (403, 403, 403, 200, 404, 403),
    "run_request": (403, 403, 403, 200, 404, 403),
    "run": (403, 403, 403, 200, 404, 403),
    "run_act": (403, 403, 403, 200, 404, 403),
}
BODIES: dict[str, Any] = {
    "annotation_save": SAVE,
    "assignment_submit": SUBMIT,
    "manual_adjudication_save": SAVE,
    "manual_adjudication_submit": SUBMIT,
    "run_request": {"method": "fake"},
    "glossary_add": ENTRY,
    "glossary_change": {**ENTRY, "revision": 1},
}


def test_every_endpoint_has_an_access_test() -> None:
    assert set(operations()) == set(ACCESS)


@pytest.mark.parametrize("operation", sorted(ACCESS))
def test_access(operation: str) -> None:
    at = site()
    found = tuple(at.ask(operation, who, BODIES.get(operation)).status_code for who in ALL)
    assert found == ACCESS[operation], dict(zip(ALL, found, strict=True))


def read(at: Site) -> Iterator[tuple[str, Any]]:
    """Reads, with everything that a response may contain."""
    pair = at.home.assignment.pair
    pair.metadata, pair.statement = {"url_a": "https://example.org/en"}, TextFactory(content="Both are open.")
    pair.save()
    reason = {"kind": "name", "a": "library", "b": "museum"}
    proposal = {"label": "3", "origin": "accepted", "fragments": [LIBRARY], "score": 0.8, "level": 3, "reason": reason}
    said = HighlightInput(pair, [0.5] * len(pair.a.tokens), [0.1] * len(pair.b.tokens), [(1, 1)], [proposal], seconds=1)
    highlights_write(run="run-1", method="default.v1", highlights=[said])
    for name in ("assignment", "assignment_next", "manual_adjudication_pair", "runs", "run"):
        yield name, at.ask(name, "annotator" if name.startswith("assignment") else "lead")
    Annotation.objects.create(
        source=Source.GOLD, verdict="submitted", pair=pair, gold_version=0, spans=doc(span(LIBRARY))
    )
    at.home.assignment.phase = Phase.QUALIFICATION
    at.home.assignment.save()
    yield "assignment_submit", at.ask("assignment_submit", "annotator", SUBMIT)
    yield "assignment", at.ask("assignment", "annotator")
    yield "assignment_next", at.ask("assignment_next", "annotator")


def written(at: Site) -> Iterator[tuple[str, Any]]:
    """Saves, decisions and reopenings; and refusals because of a conflict or a missing object."""
    marked = {"revision": 0, "spans": doc(span(LIBRARY))}
    yield "annotation_save", at.ask("annotation_save", "annotator", marked)
    yield "annotation_save", at.ask("annotation_save", "annotator", SAVE)
    yield "assignment_submit", at.ask("assignment_submit", "annotator", SUBMIT)
    yield "assignment_reopen", at.ask("assignment_reopen", "annotator")
    yield "assignment_submit", at.ask("assignment_submit", "annotator", {**SUBMIT, "revision": 1})
    yield "assignment_reopen", at.ask("assignment_reopen", "annotator")
    yield "preferences", at.ask("preferences", "annotator", {"theme": "dark"})
    yield "manual_adjudication_save", at.ask("manual_adjudication_save", "adjudicator", marked)
    yield "manual_adjudication_save", at.ask("manual_adjudication_save", "adjudicator", SAVE)
    yield "manual_adjudication_submit", at.ask("manual_adjudication_submit", "adjudicator", SUBMIT)
    places = at.ask("manual_adjudication_pair", "adjudicator").json()["adjudication"]["places"]
    dismissed = {**marked, "revision": 1, "dismissed": [place["key"] for place in places]}
    yield "manual_adjudication_save", at.ask("manual_adjudication_save", "adjudicator", dismissed)
    address = at.ask("manual_adjudication_pair", "adjudicator").json()["urls"]["submit"]
    yield (
        "manual_adjudication_submit",
        at.ask("manual_adjudication_submit", "adjudicator", {**SUBMIT, "revision": 2}, address=address),
    )
    yield "manual_adjudication_pair", at.ask("manual_adjudication_pair", "adjudicator")
    yield "manual_adjudication_reopen", at.ask("manual_adjudication_reopen", "adjudicator")
    yield "manual_adjudication_reopen", at.ask("manual_adjudication_reopen", "adjudicator")
    yield "run_request", at.ask("run_request", body={"method": "fake", "settings": {"seconds": 0.001}})
    yield "run_act", at.ask("run_act")
    Run.objects.update(status=RunStatus.DONE)
    yield "run_act", at.ask("run_act")
    yield "glossary", at.ask("glossary")
    yield "glossary_add", at.ask("glossary_add", body={**ENTRY, "note": "hm"})
    yield "glossary_add", at.ask("glossary_add", body=ENTRY)
    yield "glossary_change", at.ask("glossary_change", body={**ENTRY, "revision": 1, "term": "book"})
    yield "glossary_change", at.ask("glossary_change", body={**ENTRY, "revision": 0})
    for named in ("?revision=1", "?revision=x", ""):
        yield "glossary_delete", at.ask("glossary_delete", address=at.address("glossary_delete") + named)
    yield "glossary", at.ask("glossary")


def refused(at: Site) -> Iterator[tuple[str, Any]]:
    """Outsiders, the wrong people, and bodies that are invalid JSON, another media type, or of the wrong shape."""
    for name, (method, _, described) in operations().items():
        yield name, at.ask(name, "anonymous")
        yield name, at.ask(name, "stranger", BODIES.get(name))
        who = "annotator" if name.startswith(("assignment", "annotation", "preferences")) else "lead"
        yield name, at.ask(name, who, BODIES.get(name), headers={"accept": "text/html"})
        if method != "get" and "requestBody" not in described:
            client: Client = getattr(at.home, who)
            client.handler.enforce_csrf_checks = True
            client.cookies["csrftoken"] = "x" * 32
            yield name, at.ask(name, who, '{"revision": 0,')
            yield name, at.ask(name, who, "revision=0", content_type="application/x-www-form-urlencoded")
            yield name, at.ask(name, who, "--x", content_type="multipart/form-data; boundary=x")
            client.handler.enforce_csrf_checks = False
        if "requestBody" in described:
            assert method in ("put", "post")
            yield name, at.ask(name, who, '{"revision": 0,')
            yield name, at.ask(name, who, "revision=0", content_type="application/x-www-form-urlencoded")
            yield name, at.ask(name, who, "--x", content_type="multipart/form-data; boundary=x")
            yield name, at.ask(name, who, {"theme": "no such theme"})
    for version in at.home.project.gold_versions.all():
        version.delete()
    yield "manual_adjudication_pair", at.ask("manual_adjudication_pair")


def busy(at: Site) -> Iterator[tuple[str, Any]]:
    """Every operation while the database is unavailable."""

    def locked(self: APIView, *_args: Any, **_kwargs: Any) -> None:
        raise OperationalError("database is locked")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(APIView, "check_permissions", locked)
        for name, (_, _, described) in operations().items():
            response = at.ask(name, "lead", BODIES.get(name))
            headers = described["responses"]["503"]["headers"]
            assert int(response["Retry-After"]) > 0 and list(headers) == ["Retry-After"]
            yield name, response


def full(at: Site) -> Iterator[tuple[str, Any]]:
    """Every operation while the disk has no room."""

    def refused(self: APIView, *_args: Any, **_kwargs: Any) -> None:
        raise OperationalError("database or disk is full")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(APIView, "check_permissions", refused)
        for name in operations():
            response = at.ask(name, "lead", BODIES.get(name))
            assert response.json()["error"]["code"] == "disk-full"
            yield name, response


@pytest.mark.parametrize("operation", sorted(ACCESS))
def test_the_header_that_names_the_user_is_documented_and_heeded(operation: str) -> None:
    described = operations()[operation][2].get("parameters", [])
    (header,) = [each for each in described if each["in"] == "header"]
    assert header["name"] == "X-Diptych-User" and not header["required"]
    refused = site().ask(operation, "lead", BODIES.get(operation), headers={header["name"]: "0"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "other-user")


def test_every_documented_status_occurs_and_no_other() -> None:
    given: set[tuple[str, int]] = set()
    for told in (read, written, refused, busy, full):
        with transaction.atomic():  # each begins from the same site
            for name, response in told(site()):
                assert operation_of(response.request["REQUEST_METHOD"], response.request["PATH_INFO"]) == name
                given.add((name, response.status_code))
            transaction.set_rollback(True)
    assert sorted(documented() - given) == []
    assert sorted(given - documented()) == []


def test_the_check_finds_what_is_not_documented() -> None:
    at = site()
    body = at.ask("manual_adjudication_pair").json()
    address = at.address("manual_adjudication_pair")
    check("GET", address, 200, body)
    without = {key: value for key, value in body.items() if key != "id"}
    for wrong in ({**body, "id": 7}, {**body, "surprise": 1}, without):
        with pytest.raises(AssertionError):
            check("GET", address, 200, wrong)
    with pytest.raises(AssertionError):
        check("GET", address, 418, body)
    with pytest.raises(AssertionError):
        check("GET", "/api/nothing/", 200, body)
