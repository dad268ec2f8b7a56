"""Publishing by the API: as a program does it, from the facts to a push that leaves no trace of its token."""

from __future__ import annotations

import io
import logging
import zipfile
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from agreement.models import Publication
from agreement.publication.services import pushes
from tests.agreement.card_facts import CARD_FACTS
from tests.agreement.publication.hub_server import TOKEN, LocalHub
from tests.annotation.work import House, house

pytestmark = pytest.mark.django_db


class Program:
    """A lead's program."""

    def __init__(self, home: House) -> None:
        self.client: Client = home.lead
        self.root = f"/api/projects/{home.project.slug}/"

    def ask(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        kind = {} if method == "get" else {"content_type": "application/json"}
        response = getattr(self.client, method)(self.root + path, body or {}, **kind)
        assert response.status_code == status, response.content
        return response.json()


def stored() -> str:
    """All that the database holds."""
    with connection.cursor() as cursor:
        found = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            found.append(str(cursor.fetchall()))
    return "\n".join(found)


def test_a_program_publishes_compares_and_downloads() -> None:
    program = Program(house())
    wanted = {"format": "hub", "licence": "cc-by-4.0", "description": "Two towns."}
    refused = program.ask("post", "publications/", wanted, status=422)
    assert refused["error"]["code"] == "card-incomplete" and "contact" in refused["missing"]
    assert "contact" in program.ask("get", "card/")["missing"]
    saved = program.ask("put", "card/", {"revision": 0, "facts": CARD_FACTS})
    assert (saved["revision"], saved["missing"]) == (1, [])
    first = program.ask("post", "publications/", wanted)
    assert (first["status"], first["number"]) == ("done", 1)
    second = program.ask("post", "publications/", {**wanted, "splits": "train=100", "seed": 3})
    listed = program.ask("get", "publications/")["publications"]
    assert [each["number"] for each in listed] == [2, 1]
    found = program.ask("get", "difference/", {"one": 1, "other": second["number"]})
    counts = {each["kind"]: each["count"] for each in found["changes"]}
    assert counts.pop("details") == 1, "the pair is in another split"
    assert set(counts.values()) == {0}
    assert found["terms"] == [
        {"name": "splits", "before": "", "after": "train=100"},
        {"name": "seed", "before": "", "after": "3"},
    ]
    file: Any = program.client.get(first["download"])
    data = b"".join(file.streaming_content)
    assert len(data) == first["size"]
    assert "README.md" in {name.rpartition("/")[2] for name in zipfile.ZipFile(io.BytesIO(data)).namelist()}
    assert program.ask("delete", "publications/1/", status=409)["error"]["message"]
    Publication.objects.filter(number=1).update(status="failed")
    assert program.ask("post", "publications/1/retry/")["status"] == "done"
    Publication.objects.filter(number=1).update(status="queued")
    assert program.ask("delete", "publications/1/") == {"deleted": 1}, "a publication that is not ready is cancelled"


def test_what_a_request_may_not_have() -> None:
    program = Program(house())
    for body, field in (
        ({"format": "csv", "licence": "x" * 81}, "licence"),
        ({"format": "hub", "licence": "mit` <b>"}, "licence"),
        ({"format": "csv", "splits": "train"}, "splits"),
        ({"format": "nothing"}, "format"),
        ({"format": "csv", "colour": "red"}, "colour"),
        ({"format": "csv", "seed": -1}, "seed"),
    ):
        assert program.ask("post", "publications/", body, status=422)["error"]["where"] == field
    assert program.ask("put", "card/", {"revision": 0, "facts": {"creators": "robots"}}, status=422)
    assert not Publication.objects.exists()


def test_consent_is_withdrawn_and_restored() -> None:
    home = house()
    program = Program(home)
    person = home.assignment.annotator
    where = f"consent/{person.pk}/"
    assert program.ask("put", where, {"withdrawn": True})["withdrawn"]
    people = {each["person"]: each["withdrawn"] for each in program.ask("get", "consent/")["people"]}
    assert people.pop(person.pk) and set(people.values()) == {None}
    program.ask("put", where, {"withdrawn": True}, status=409)
    assert program.ask("put", where, {"withdrawn": False})["withdrawn"] is None
    program.ask("put", "consent/999999/", {"withdrawn": True}, status=404)


@pytest.mark.django_db(transaction=True)
def test_a_push_leaves_no_trace_of_its_token(
    hub: LocalHub, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(pushes, "in_thread", lambda work: work())
    program = Program(house())
    program.ask("put", "card/", {"revision": 0, "facts": CARD_FACTS})
    program.ask("post", "publications/", {"format": "hub", "licence": "cc-by-4.0"})
    body = {"repository": "town/pages", "tag": "v1", "token": TOKEN}
    made = program.ask("post", "publications/1/pushes/", body)
    (push,) = program.ask("get", "publications/1/pushes/")["pushes"]
    ended = (push["id"], push["status"], push["tag"], push["private"])
    assert ended == (made["id"], "done", "v1", True), push["problem"]
    assert hub.repositories["town/pages"].tags
    for wrong in ({**body, "tag": "v 1"}, {**body, "repository": "towns"}, {**body, "token": TOKEN * 100}):
        refused = program.ask("post", "publications/1/pushes/", wrong, status=422)
        assert TOKEN not in str(refused)
    assert "huggingface.co" not in caplog.text, "only the site's own hub is asked"
    assert TOKEN not in stored() + caplog.text + str(push) + str(made)


def test_the_download_is_that_of_the_page() -> None:
    home = house()
    program = Program(home)
    made = program.ask("post", "publications/", {"format": "csv"})
    assert made["download"] == reverse("publication", args=(home.project.slug, 1))
