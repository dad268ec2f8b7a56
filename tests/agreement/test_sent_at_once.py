"""Requests that are sent several times at once, as by an impatient click: each thing is made exactly once."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connections
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from agreement.gold.services.drafts import draft_open
from agreement.models import GoldVersion, Publication
from agreement.publication.services import publications
from annotation.models import Annotation, Guideline, JobStatus, Project, Role, Source
from annotation.models.imports import Import, ImportFile, ImportFilePart, ImportStatus
from annotation.services.import_jobs import imports_run
from annotation.text.spans import spans_document
from tests.agreement.access import logged_in
from tests.agreement.card_facts import state_card_facts
from tests.agreement.work import pair, project, spans_of, submit
from tests.factories import AnnotatorFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)
POSTS = 4


@pytest.fixture
def study(settings: Settings, tmp_path: Path) -> Project:
    settings.DATA_DIR = tmp_path
    study, (one, two) = project()
    for _ in range(3):
        on = pair(study)
        submit(on, one, [("3", [0, 1], [0])])
        submit(on, two, [("4", [0, 1], [0])])
    return study


def at_once(of: Project, post: Callable[[Client], int]) -> list[int]:
    """What a lead's posts are answered, all sent at the same moment."""
    lead = AnnotatorFactory(project=of, role=Role.LEAD).user
    clients = [logged_in(lead) for _ in range(POSTS)]
    start = threading.Barrier(POSTS)
    statuses: list[int] = []

    def send(client: Client) -> None:
        start.wait()
        try:
            statuses.append(post(client))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=send, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


def test_gold_is_made_once(study: Project) -> None:
    address = reverse("adjudication-make", args=[study.slug])
    body = {"rule": "majority", "phase": "main"}
    assert at_once(study, lambda client: client.post(address, body).status_code) == [302] * POSTS
    assert GoldVersion.objects.count() == 1
    assert Annotation.objects.filter(source=Source.GOLD).count() == 3


@pytest.mark.parametrize("small", [True, False])
def test_a_publication_is_made_once(study: Project, small: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publications, "notify", lambda name: None)
    # On a busy machine the posts may take longer than a double click.
    monkeypatch.setattr(publications, "DOUBLE_CLICK", timedelta(minutes=9))
    if not small:
        monkeypatch.setattr(publications, "MAX_SYNC_PAIRS", 0)
    address = reverse("publish", args=[state_card_facts(study).slug])
    body = {"format": "hub", "licence": "cc0-1.0", "description": ""}
    assert at_once(study, lambda client: client.post(address, body).status_code) == [302] * POSTS
    assert Publication.objects.count() == 1
    publications.publications_run()
    assert b"".join(publications.publication_file(Publication.objects.get()))[:2] == b"PK"


def test_of_adjudicators_who_decide_a_pair_at_once_one_wins(study: Project) -> None:
    """Each saves another decision upon the same revision, and submits what was acknowledged."""
    on = study.pairs.first()
    assert on is not None
    draft_open(project=study, rule="agreed", phase="main", by=UserFactory())
    address = reverse("api-manual-adjudication-annotation", args=[study.slug, on.pk])
    numbers = itertools.count()
    acknowledged: list[str] = []

    def decide(client: Client) -> int:
        comment = f"decision {next(numbers)}"
        body = {"revision": 0, "spans": spans_document(spans_of(on, [("3", [0, 1], [0])])), "comment": comment}
        saved = client.put(address, body, content_type="application/json")
        if saved.status_code != 200:
            # Once the winner's decision is submitted, the refusal says so and has no newer annotation.
            now = saved.json().get("annotation")
            assert now is None or now["revision"] in (1, 2), "saved, perhaps submitted already, by the winner"
            return saved.status_code
        acknowledged.append(comment)
        submit = client.get(reverse("api-manual-adjudication", args=[study.slug, on.pk])).json()["urls"]["submit"]
        return client.post(submit, {"revision": 1, "verdict": "submitted"}, content_type="application/json").status_code

    assert sorted(at_once(study, decide)) == [200] + [409] * (POSTS - 1)
    gold = Annotation.objects.get(source=Source.GOLD, pair=on)
    assert gold.decided is not None and [gold.comment] == acknowledged
    assert list(gold.revisions.values_list("number", "comment")) == [(1, gold.comment), (2, gold.comment)]


def test_an_example_is_added_once(study: Project) -> None:
    on = study.pairs.first()
    assert on is not None
    address = reverse("agreement-example", args=[study.slug, on.pk])
    body = {"side": "a", "first": 0, "last": 2, "label": "3", "remark": "said once"}
    assert at_once(study, lambda client: client.post(address, body).status_code) == [302] * POSTS
    assert [guideline.text.count("said once") for guideline in Guideline.objects.all()] == [1]
    client = logged_in(AnnotatorFactory(project=study, role=Role.LEAD).user)
    client.post(address, {**body, "remark": ""})
    assert Guideline.objects.count() == 2, "another example"


@pytest.mark.parametrize("step", ["check", "import"])
def test_an_upload_is_imported_once(study: Project, step: str) -> None:
    address = reverse("import", args=[study.slug])

    def send(client: Client, text: str = "One.") -> int:
        line = {"id": "p9", "a": {"language": "en", "text": text}, "b": {"language": "de", "text": "Eins."}}
        file = SimpleUploadedFile("pairs.jsonl", json.dumps(line).encode())
        return client.post(address, {"upload": file, "format": "", "options": "", "step": step}).status_code

    assert at_once(study, send) == [302] * POSTS
    first = Import.objects.get()
    client = logged_in(first.made_by)
    assert send(client, "Two.") == 302 and Import.objects.count() == 2, "another file under the same name"
    assert send(client, "Two.") == 302 and Import.objects.count() == 2, "it still waits"
    imports_run()
    assert send(client, "Two.") == 302 and Import.objects.count() == 3, "asked for once more"
    Import.objects.update(status=ImportStatus.SENDING)
    assert send(client, "Two.") == 302 and Import.objects.count() == 4, "an upload that broke off is no import"
    broken, whole = Import.objects.filter(status=ImportStatus.SENDING)[0], Import.objects.latest("pk")
    assert whole.status == JobStatus.QUEUED and whole.files.exists()
    pages = [client.get(reverse("import-result", args=[study.slug, each.pk])).status_code for each in (broken, whole)]
    assert pages == [404, 200]


def test_an_upload_that_can_not_be_stored_leaves_nothing(study: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    client = logged_in(AnnotatorFactory(project=study, role=Role.LEAD).user)

    def full(*_: Any, **__: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(ImportFilePart.objects, "create", full)
    file = SimpleUploadedFile("pairs.jsonl", b"{}")
    address = reverse("import", args=[study.slug])
    sent = client.post(address, {"upload": file, "format": "", "options": "", "step": "import"})
    assert sent.status_code == 507 and not Import.objects.exists() and not ImportFile.objects.exists()


def test_a_draft_is_opened_once(study: Project) -> None:
    address = reverse("manual-adjudication-open", args=[study.slug])
    body = {"rule": "majority", "phase": "main"}
    statuses = at_once(study, lambda client: client.post(address, body).status_code)
    assert all(status < 500 for status in statuses)
    assert GoldVersion.objects.filter(open=True).count() == 1
