"""Events are written with what happened, all of it or nothing, without texts and names, and cost one query."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import Resolver404, resolve

from agreement.gold.services.drafts import draft_close, draft_open
from agreement.gold.services.versions import gold_create
from agreement.publication.card import Terms
from agreement.publication.services.publications import publication_request
from annotation.errors import DomainError
from annotation.models import Annotation, Assignment, JobStatus, Role
from annotation.models.webhooks import Webhook, WebhookDelivery
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_reopen, annotation_save, annotation_submit
from annotation.services.webhooks import EVENTS, webhook_change, webhook_create, webhook_remove
from assist.models import Run
from assist.runs.lots import run_finalize
from assist.runs.processing import run_fail
from tests.annotation.work import LIBRARY, doc, span
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def work() -> Assignment:
    project = ProjectFactory(slug="town")
    AnnotatorFactory(project=project, role=Role.LEAD)
    made: Assignment = AssignmentFactory(
        pair=PairFactory(project=project), annotator=AnnotatorFactory(project=project, alias="Ada Lovelace")
    )
    return made


def hook(work: Assignment, *events: str, url: str = "https://hooks.example.org/") -> Webhook:
    wanted = events or EVENTS
    return webhook_create(project=work.pair.project, url=url, events=wanted, by=None).webhook


def submit(work: Assignment, verdict: str = "submitted", reason: str = "") -> None:
    annotation_save(
        assignment=work, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY)), comment="a comment")
    )
    annotation_submit(assignment=work, by=None, base=1, verdict=verdict, reason=reason)


def bodies() -> list[dict[str, Any]]:
    return [json.loads(body) for body in WebhookDelivery.objects.order_by("pk").values_list("body", flat=True)]


def check(body: dict[str, Any]) -> None:
    """Every address leads somewhere, and nothing that people wrote or are called is in it."""
    assert set(body) == {"type", "timestamp", "data"}
    for name in ("api", "page"):
        if name in body["data"]:
            try:
                resolve(body["data"][name])
            except Resolver404:
                pytest.fail(body["data"][name])
    text = json.dumps(body)
    for said in ("Ada", "Lovelace", "comment", "library", "Bibliothek", "broken text"):
        assert said not in text


def test_a_submission(work: Assignment) -> None:
    hook(work)
    submit(work)
    (body,) = bodies()
    check(body)
    slug, pair = "town", work.pair_id
    assert body["type"] == "pair.submitted"
    assert body["data"] == {
        "project": slug,
        "assignment": work.pk,
        "pair": pair,
        "annotator": work.annotator_id,
        "phase": "main",
        "round": 0,
        "verdict": "submitted",
        "revision": 2,
        "api": f"/api/projects/{slug}/pairs/{pair}/",
        "page": f"/projects/{slug}/pairs/{pair}/",
    }
    assert WebhookDelivery.objects.get().status == "waiting"


def test_a_flag_is_a_submission_too(work: Assignment) -> None:
    hook(work)
    hook(work, "pair.flagged", url="https://other.example.org/")
    submit(work, "flagged", "broken text")
    found = bodies()
    assert [body["type"] for body in found] == ["pair.submitted", "pair.flagged", "pair.flagged"]
    for body in found:
        check(body)
        assert body["data"]["verdict"] == "flagged"
    assert len(set(WebhookDelivery.objects.values_list("message", flat=True))) == 3


def test_saving_and_reopening_are_no_events_and_a_repeated_submission_is_one(work: Assignment) -> None:
    hook(work)
    submit(work)
    annotation_submit(assignment=work, by=None, base=2, verdict="submitted")
    assert len(bodies()) == 1
    annotation_reopen(assignment=work, by=None)
    assert len(bodies()) == 1
    annotation_submit(assignment=work, by=None, base=3, verdict="rejected")
    assert [body["data"]["verdict"] for body in bodies()] == ["submitted", "rejected"]


def test_a_submission_that_is_refused_or_rolled_back_is_no_event(work: Assignment) -> None:
    hook(work)
    with pytest.raises(DomainError):
        submit(work, "flagged")  # without a reason
    assert bodies() == []
    Annotation.objects.all().delete()
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        submit(work)
        raise ZeroDivisionError
    assert bodies() == []


def test_only_what_is_wanted_by_webhooks_that_are_enabled(work: Assignment) -> None:
    hook(work, "gold.made")
    webhook_change(hook=hook(work, url="https://b.example.org/"), enabled=False, by=None)
    webhook_remove(hook=hook(work, url="https://c.example.org/"), by=None)
    elsewhere = ProjectFactory()
    webhook_create(project=elsewhere, url="https://d.example.org/", events=EVENTS, by=None)
    submit(work)
    assert bodies() == []


def queries(action: Callable[[], object]) -> int:
    with CaptureQueriesContext(
        connection,
    ) as context:
        action()
    return len([each for each in context.captured_queries if "SAVEPOINT" not in each["sql"]])


def of_webhooks(action: Callable[[], object]) -> list[str]:
    with CaptureQueriesContext(connection) as context:
        action()
    return [each["sql"].split()[0] for each in context.captured_queries if "webhook" in each["sql"]]


def again(work: Assignment) -> Assignment:
    made: Assignment = AssignmentFactory(pair=PairFactory(project=work.pair.project), annotator=work.annotator)
    annotation_save(assignment=made, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY))))
    return made


def test_a_project_without_webhooks_pays_one_query_and_their_number_costs_nothing(work: Assignment) -> None:
    def submitting() -> Callable[[], object]:
        made = again(work)
        return lambda: annotation_submit(assignment=made, by=None, base=1, verdict="flagged", reason="r")

    assert of_webhooks(submitting()) == ["SELECT"]
    before = queries(submitting())
    for number in range(8):
        hook(work, url=f"https://hooks.example.org/{number}")
    assert of_webhooks(submitting()) == ["SELECT", "INSERT"]
    assert queries(submitting()) == before + 1
    assert WebhookDelivery.objects.count() == 2 * 2 * 8


def test_saving_knows_nothing_of_webhooks(work: Assignment) -> None:
    hook(work)
    save = lambda: annotation_save(assignment=work, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY))))  # noqa: E731
    assert of_webhooks(save) == []


def test_gold_that_is_made(work: Assignment) -> None:
    hook(work, "gold.made")
    submit(work)
    project = work.pair.project
    gold_create(project=project, rule="majority", phase="main", by=None, dry_run=True)
    assert bodies() == []
    gold_create(project=project, rule="majority", phase="main", by=None)
    gold_create(project=project, rule="majority", phase="main", by=None)  # the same again
    draft = draft_open(project=project, rule="union", phase="main", by=None)
    assert len(bodies()) == 1
    draft_close(draft=draft, by=None)
    found = bodies()
    for body in found:
        check(body)
    assert [(body["data"]["version"], body["data"]["rule"], body["data"]["pairs"]) for body in found] == [
        (1, "majority", 1),
        (2, "union", 1),
    ]


def test_a_publication_that_is_ready_and_no_preview_of_a_card(work: Assignment) -> None:
    hook(work, "publication.ready")
    project = work.pair.project
    publication_request(project=project, to="hub", terms=Terms(), by=None, preview=True)
    assert bodies() == []
    made = publication_request(project=project, to="jsonl", terms=Terms(), by=None)
    (body,) = bodies()
    check(body)
    assert made.status == "done" and body["data"]["publication"] == made.number and body["data"]["gold"] is None


def test_a_run_that_is_done_and_one_that_failed(work: Assignment) -> None:
    hook(work, "run.finished")
    project = work.pair.project
    done = Run.objects.create(project=project, slug="one", method="default.v1", status=JobStatus.RUNNING, done=3)
    failed = Run.objects.create(project=project, slug="two", method="default.v1", status=JobStatus.RUNNING)
    run_finalize(done)
    run_finalize(done)
    run_fail(failed, "the library is on fire")
    run_fail(failed, "again")
    found = bodies()
    for body in found:
        check(body)
    assert [(body["data"]["run"], body["data"]["status"], body["data"]["done"]) for body in found] == [
        ("one", "done", 3),
        ("two", "failed", 0),
    ]
