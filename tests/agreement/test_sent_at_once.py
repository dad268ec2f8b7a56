"""Requests that are sent several times at once, as by an impatient hand: each thing is made exactly once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from agreement.models import GoldVersion, Publication
from agreement.publication.services import publications
from annotation.models import Annotation, Project, Role, Source
from tests.agreement.access import logged_in
from tests.agreement.work import pair, project, submit
from tests.factories import AnnotatorFactory

pytestmark = pytest.mark.django_db(transaction=True)
POSTS = 4


@pytest.fixture
def made(settings: Settings, tmp_path: Path) -> Project:
    settings.DATA_DIR = tmp_path
    made, (one, two) = project()
    for _ in range(3):
        on = pair(made)
        submit(on, one, [("3", [0, 1], [0])])
        submit(on, two, [("4", [0, 1], [0])])
    return made


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


def test_gold_is_made_once(made: Project) -> None:
    address = reverse("adjudication-make", args=[made.slug])
    asked = {"rule": "majority", "phase": "main"}
    assert at_once(made, lambda client: client.post(address, asked).status_code) == [302] * POSTS
    assert GoldVersion.objects.count() == 1
    assert Annotation.objects.filter(source=Source.GOLD).count() == 3


@pytest.mark.parametrize("small", [True, False])
def test_a_publication_is_made_once(made: Project, small: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publications, "notify", lambda name: None)
    if not small:
        monkeypatch.setattr(publications, "AT_ONCE", 0)
    address = reverse("publish", args=[made.slug])
    asked = {"format": "hub", "licence": "cc0-1.0", "description": ""}
    assert at_once(made, lambda client: client.post(address, asked).status_code) == [302] * POSTS
    assert Publication.objects.count() == 1
    publications.publications_work()
    assert publications.publication_file(Publication.objects.get()).is_file()


def test_a_draft_is_opened_once(made: Project) -> None:
    address = reverse("hand-open", args=[made.slug])
    asked = {"rule": "majority", "phase": "main"}
    statuses = at_once(made, lambda client: client.post(address, asked).status_code)
    assert all(status < 500 for status in statuses)
    assert GoldVersion.objects.filter(open=True).count() == 1
