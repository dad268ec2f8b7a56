"""Pushes: asked for on the page, done beside it, and the token is written nowhere."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.urls import reverse
from django.utils import timezone

from agreement.models import Publication, Push
from agreement.publication.card import Terms
from agreement.publication.hub_push import PushTarget
from agreement.publication.services import pushes
from agreement.publication.services.publications import publication_request
from agreement.publication.services.pushes import push_request
from agreement.selectors import push_list
from annotation.errors import Conflict, Invalid
from annotation.models import JobStatus
from tests.agreement.access import member, statuses
from tests.agreement.card_facts import state_card_facts
from tests.agreement.publication.hub_server import TOKEN, LocalHub
from tests.factories import PairFactory

pytestmark = pytest.mark.django_db
TARGET = PushTarget("town/hours", "v1")
FORM = {"repository": "town/hours", "tag": "v1", "private": "on", "token": TOKEN}


def now(work: Callable[[], None]) -> None:
    work()


@pytest.fixture
def publication(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Publication:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    project = state_card_facts(PairFactory(project__slug="towns").project)
    return publication_request(project=project, to="hub", terms=Terms("cc0-1.0"), by=None)


@pytest.mark.parametrize("token", ["", "hf_\u00fcber", "hf_a\r\nX: y", "hf_a b"])
def test_what_is_no_token_is_refused(hub: LocalHub, publication: Publication, token: str) -> None:
    with pytest.raises(Invalid) as refused:
        push_request(publication=publication, target=TARGET, token=token, by=None, start=now)
    assert refused.value.where == "token" and not Push.objects.exists() and not hub.repositories


def test_a_preview_is_not_pushed(hub: LocalHub, publication: Publication) -> None:
    seen = publication_request(project=publication.project, to="hub", terms=Terms("cc0-1.0"), by=None, preview=True)
    with pytest.raises(Conflict, match="Only a dataset that is ready"):
        push_request(publication=seen, target=TARGET, token=TOKEN, by=None, start=now)
    assert not hub.repositories


def stored() -> str:
    """Every value in the database."""
    return "\n".join(str(row) for model in apps.get_models() for row in model._base_manager.values())


def test_a_publication_is_pushed_and_no_trace_of_the_token_stays(
    hub: LocalHub, publication: Publication, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    push_request(publication=publication, target=TARGET, token=TOKEN, by=None, start=now)
    (row,) = push_list(publication)
    assert (row.status, row.problem, row.url) == (JobStatus.DONE, "", f"{hub.url}/datasets/town/hours/tree/v1")
    assert set(hub.repositories["town/hours"].files) >= {"README.md", "recompute.py", "diptych.json"}
    assert TOKEN not in stored() and TOKEN not in caplog.text
    assert not list(tmp_path.glob("diptych-*")), "nor a file"


def test_a_failed_one_says_why_and_is_pushed_again(
    hub: LocalHub, publication: Publication, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    hub.faults["commit"] = 403
    push_request(publication=publication, target=TARGET, token=TOKEN, by=None, start=now)
    failed = push_list(publication).get()
    assert failed.status == JobStatus.FAILED and failed.problem.startswith("This token may not write to town/hours.")
    assert hub.repositories == {} and TOKEN not in stored() and TOKEN not in caplog.text
    push_request(publication=publication, target=TARGET, token=TOKEN, by=None, start=now)
    assert [each.status for each in push_list(publication)] == [JobStatus.DONE, JobStatus.FAILED]


def test_a_fault_of_our_own_tells_no_token(
    publication: Publication, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def crash(**_: Any) -> str:
        raise TypeError("unexpected")

    monkeypatch.setattr(pushes, "push", crash)
    push_request(publication=publication, target=TARGET, token=TOKEN, by=None, start=now)
    assert push_list(publication).get().problem.startswith("Stopped because of an internal error.")
    assert "unexpected" in caplog.text and TOKEN not in caplog.text and TOKEN not in stored()


def test_one_at_a_time_unless_its_process_died(hub: LocalHub, publication: Publication) -> None:
    push_request(publication=publication, target=TARGET, token=TOKEN, by=None, start=lambda work: None)
    with pytest.raises(Conflict, match="being pushed"):
        push_request(publication=publication, target=TARGET, token=TOKEN, by=None, start=now)
    assert not push_list(publication).get().interrupted
    Push.objects.update(heartbeat=timezone.now() - timedelta(minutes=5))
    assert push_list(publication).get().interrupted
    push_request(publication=publication, target=TARGET, token=TOKEN, by=None, start=now)
    assert push_list(publication)[0].status == JobStatus.DONE


def test_what_cannot_be_pushed_makes_no_row(publication: Publication) -> None:
    with pytest.raises(Invalid):
        push_request(publication=publication, target=PushTarget("hours", "v1"), token=TOKEN, by=None, start=now)
    with pytest.raises(Invalid):
        push_request(publication=publication, target=TARGET, token=" ", by=None, start=now)
    Publication.objects.update(format="csv")
    publication.refresh_from_db()
    with pytest.raises(Conflict):
        push_request(publication=publication, target=TARGET, token=TOKEN, by=None, start=now)
    assert not Push.objects.exists()


def test_the_page_pushes_and_shows_no_token(
    hub: LocalHub, publication: Publication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushes, "in_thread", now)
    project = publication.project
    address = reverse("publication-push", args=[project.slug, 1])
    leads = {"stranger": 404, "annotator": 403, "adjudicator": 403, "lead": 200, "nobody": 302}
    assert statuses(project, address) == leads
    client = member(project, "lead")
    assert 'value="v1"' in client.get(address).content.decode()
    refused = client.post(address, {**FORM, "repository": "http://evil/x/y"})
    assert refused.status_code == 422 and TOKEN not in refused.content.decode() and not hub.asked
    assert client.post(address, FORM).status_code == 302
    page = client.get(address).content.decode()
    assert f"{hub.url}/datasets/town/hours/tree/v1" in page and TOKEN not in page
    client.post(address, FORM)
    assert "already has a version v1" in client.get(address).content.decode()
    Push.objects.update(status=JobStatus.RUNNING, heartbeat=timezone.now())
    assert 'hx-trigger="every 2s"' in client.get(address).content.decode()
    Push.objects.update(heartbeat=None)
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "Interrupted" in part and part.lstrip().startswith('<div id="pushes"') and "hx-trigger" not in part
