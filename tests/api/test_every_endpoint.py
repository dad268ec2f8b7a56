"""Every endpoint of the API: access, and every status that its document names.

That each response is as documented is checked wherever a test uses the API (`tests/conftest.py`). Here every documented
status is produced, so that none is documented that never occurs; a new endpoint fails until it is here.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, transaction
from django.test import Client, override_settings
from django.urls import reverse
from rest_framework.views import APIView

from annotation.models import Annotation, JobStatus, Phase, Source
from annotation.models.time import WorkDay
from annotation.services.highlights import HighlightInput, highlights_write
from annotation.services.import_jobs import imports_run
from annotation.services.tokens import token_create
from assist.models import Run
from config.api_tokens import token_allowance
from config.request_limit import allowance
from tests.annotation.work import LIBRARY, doc, span
from tests.api import (
    adjudicating,
    encoders,
    glossary,
    item_jobs,
    messages,
    mining,
    people,
    projects,
    qualification,
    webhooks,
)
from tests.api.document import check, documented, operation_of, operations
from tests.api.publishing import published
from tests.api.requests import ACCESS, ALL, BODIES
from tests.api.site import SAVE, SUBMIT, Site, site
from tests.assist.conftest import fakes, notified  # noqa: F401
from tests.factories import AnnotatorFactory, TextFactory

pytestmark = [pytest.mark.any_database, pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]


def test_every_endpoint_has_an_access_test() -> None:
    assert set(operations()) == set(ACCESS)


def test_access() -> None:
    at = site()
    found = {}
    for operation in ACCESS:
        allowance.forget()  # for expensive requests
        with transaction.atomic():  # each operation begins from the same site
            found[operation] = tuple(at.ask(operation, who, BODIES.get(operation)).status_code for who in ALL)
            transaction.set_rollback(True)
    assert found == ACCESS


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
    scored = reverse("api-run-quality", args=(at.home.project.slug, "run-1"))
    yield "run_quality", at.ask("run_quality", address=scored)
    at.home.assignment.phase = Phase.QUALIFICATION
    at.home.assignment.save()
    yield "assignment_submit", at.ask("assignment_submit", "annotator", SUBMIT)
    yield "assignment", at.ask("assignment", "annotator")
    yield "assignment_next", at.ask("assignment_next", "annotator")
    yield "assignment_next", at.ask("assignment_next", "annotator", {"after": "x"})


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
    regions = at.ask("manual_adjudication_pair", "adjudicator").json()["adjudication"]["regions"]
    unmarked = {**marked, "revision": 1, "unmarked": [region["key"] for region in regions]}
    yield "manual_adjudication_save", at.ask("manual_adjudication_save", "adjudicator", unmarked)
    address = at.ask("manual_adjudication_pair", "adjudicator").json()["urls"]["submit"]
    yield (
        "manual_adjudication_submit",
        at.ask("manual_adjudication_submit", "adjudicator", {**SUBMIT, "revision": 2}, address=address),
    )
    yield "manual_adjudication_pair", at.ask("manual_adjudication_pair", "adjudicator")
    yield "manual_adjudication_reopen", at.ask("manual_adjudication_reopen", "adjudicator")
    yield "manual_adjudication_reopen", at.ask("manual_adjudication_reopen", "adjudicator")
    yield "import_request", at.ask("import_request", body=BODIES["import_request"])
    yield "import_start", at.ask("import_start")
    imports_run()
    yield "import", at.ask("import")
    yield "import_start", at.ask("import_start")
    yield "import_cancel", at.ask("import_cancel")
    yield "import_cancel", at.ask("import_cancel")
    yield "person_rate", at.ask("person_rate", body=BODIES["person_rate"])
    WorkDay.objects.create(annotator_id=at.person, day=date(2026, 11, 2), phase="main", seconds=90)
    yield "person_time_correct", at.ask("person_time_correct", body=BODIES["person_time_correct"])
    too_much = {**BODIES["person_time_correct"], "seconds": -90_000}
    yield "person_time_correct", at.ask("person_time_correct", body=too_much)
    yield "time", at.ask("time")
    yield "time", at.ask("time", "annotator")
    yield "monitor", at.ask("monitor")
    for revision, dealt in ((2, True), (0, True), (0, False)):
        body = {"revision": revision, "dealt_with": dealt}
        yield "monitor_review", at.ask("monitor_review", body=body)
    yield "people", at.ask("people")
    yield "imports", at.ask("imports")
    yield "invitations", at.ask("invitations")
    for name in ("invitations_create", "invitation_revoke", "person_access", "person_change"):
        yield name, at.ask(name, body=BODIES.get(name))
        taken = at.home.project.annotators.get(role="lead").alias
        yield name, at.ask(name, body={"alias": taken} if name == "person_change" else BODIES.get(name))
    newcomer = {"newcomer": AnnotatorFactory(project=at.home.project).pk}
    yield "person_replace", at.ask("person_replace", body={**newcomer, "dry_run": True})
    yield "person_replace", at.ask("person_replace", body=newcomer)
    yield "person_replace", at.ask("person_replace", body=newcomer)
    yield "run_request", at.ask("run_request", body={"method": "fake", "settings": {"seconds": 0.001}})
    yield "run_act", at.ask("run_act")
    Run.objects.update(status=JobStatus.DONE)
    yield "run_act", at.ask("run_act")
    yield "guidelines_reopen", at.ask("guidelines_reopen", body={"version": 9})
    for name in ("guidelines_write", "guidelines_write", "guidelines"):
        yield name, at.ask(name, body=BODIES.get(name))
    yield "guidelines_write", at.ask("guidelines_write", body={"text": "Mark none.", "base": 1})
    yield "guidelines_reopen", at.ask("guidelines_reopen", body={"version": 2})
    yield "scheme", at.ask("scheme")
    yield "scheme_change", at.ask("scheme_change", body=BODIES["scheme_change"])
    yield "scheme_change", at.ask("scheme_change", body={**BODIES["scheme_change"], "revision": "older"})
    yield "example_add", at.ask("example_add", body=BODIES["example_add"])
    yield "example_add", at.ask("example_add", body={**BODIES["example_add"], "start": 10_000})
    yield "automatic_set", at.ask("automatic_set", body=BODIES["automatic_set"])
    yield "automatic_set", at.ask("automatic_set", body={**BODIES["automatic_set"], "settings": {"none": 1}})
    yield "automatic", at.ask("automatic")
    yield "run_quality", at.ask("run_quality")


def refused(at: Site) -> Iterator[tuple[str, Any]]:
    """Outsiders, the wrong people, pages of no size, and bodies that are invalid JSON, another media type, or of the
    wrong shape.
    """
    for name, (method, _, described) in operations().items():
        allowance.forget()  # for expensive requests
        yield name, at.ask(name, "anonymous")
        yield name, at.ask(name, "stranger", BODIES.get(name))
        yield name, at.ask(name, "anonymous", BODIES.get(name), headers={"authorization": "Bearer diptych_unknown"})
        who = "annotator" if name.startswith(("assignment", "annotation", "preferences")) else "lead"
        yield name, at.ask(name, who, BODIES.get(name), headers={"accept": "text/html"})
        if any(each["name"] == "size" for each in described.get("parameters", ())):
            yield name, at.ask(name, who, {"size": 0})
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
    at.home.project.gold_versions.all().delete()
    yield "manual_adjudication_pair", at.ask("manual_adjudication_pair")


def lived(at: Site) -> Iterator[tuple[str, Any]]:
    """A project's checklist, a copy of it, and its archive."""
    yield "checklist", at.ask("checklist")
    for _again in range(2):
        yield "project_duplicate", at.ask("project_duplicate", body={"name": "Museums", "slug": "museums"})
    for archived in (True, False, False):
        yield "project_archived", at.ask("project_archived", body={"archived": archived})
    yield "changes", at.ask("changes", body={"kind": "people", "size": 5})
    yield "changes", at.ask("changes", body={"kind": "weather"})
    yield "deletion", at.ask("deletion")
    yield "project_delete", at.ask("project_delete", body={"name": at.home.project.name})


def archived(at: Site) -> Iterator[tuple[str, Any]]:
    """Every change of an archived project, with and without the middleware that refuses most of them by their address.

    Without it, the services do.
    """
    assert at.ask("project_archived", body={"archived": True}).status_code == 200
    yield "project_archived", at.ask("project_archived", body={"archived": True})
    at.publication = 99
    without = [name for name in settings.MIDDLEWARE if name != "config.archive_guard.ArchivedMiddleware"]
    for middleware in (settings.MIDDLEWARE, without):
        with override_settings(MIDDLEWARE=middleware):
            for name, (method, _, _) in operations().items():
                if method == "get" or name in UNARCHIVED:
                    continue
                who = "annotator" if name.startswith(("assignment", "annotation")) else "lead"
                response = at.ask(name, who, ARCHIVED_BODIES.get(name, BODIES.get(name)))
                assert response.json()["error"]["code"] == "archived", (name, response.json())
                yield name, response


UNARCHIVED = {
    *("preferences", "project_create", "project_archived", "thread_read", "project_duplicate"),
    *("project_delete", "consent_change", "card_facts_save"),
    *("publication_request", "publication_delete", "publication_retry", "push_request"),
    *("publication_difference", "import_cancel"),
    *webhooks.UNARCHIVED,
    *adjudicating.UNARCHIVED,
    *mining.UNARCHIVED,
    *encoders.UNARCHIVED,
    *item_jobs.UNARCHIVED,
}
"""What is possible in an archived project; an import that could be cancelled has been."""
ARCHIVED_BODIES: dict[str, Any] = {
    name: {"people": [], "digest": "that of a plan"} for name in ("plan", "plan_change", "retests")
}


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


def too_often(at: Site) -> Iterator[tuple[str, Any]]:
    """Every operation once a person has used up their allowance of requests by tokens."""
    lead = at.home.project.annotators.get(role="lead").user
    assert lead
    secret = token_create(user=lead, name="a program", access="write", days=1).secret
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(token_allowance, "take", lambda account: 3)
        for name in operations():
            response = at.ask(name, "anonymous", BODIES.get(name), headers={"authorization": f"Bearer {secret}"})
            assert response["Retry-After"] == "3"
            yield name, response


def test_the_header_that_names_the_user_is_documented_and_heeded() -> None:
    at = site()
    for operation in ACCESS:
        allowance.forget()
        described = operations()[operation][2].get("parameters", [])
        (header,) = [each for each in described if each["in"] == "header"]
        assert header["name"] == "X-Diptych-User" and not header["required"]
        refused = at.ask(operation, "lead", BODIES.get(operation), headers={header["name"]: "0"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "other-user"), operation


@pytest.mark.long
def test_every_documented_status_occurs_and_no_other() -> None:
    given: set[tuple[str, int]] = set()
    for told in (
        read,
        written,
        published,
        projects.planned,
        people.joined,
        messages.said,
        webhooks.notified,
        qualification.qualified,
        adjudicating.decided,
        mining.mined,
        encoders.compared,
        item_jobs.made,
        glossary.kept,
        refused,
        lived,
        archived,
        busy,
        full,
        too_often,
    ):
        allowance.forget()  # for people have the same keys each time
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
