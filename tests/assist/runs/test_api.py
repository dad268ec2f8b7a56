"""Runs as JSON: who may ask, what is answered, and refusals in the API's one shape."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from annotation.models import JobStatus
from assist.methods.base import method, methods
from assist.models import Run
from assist.runs import services
from config.openapi import OneAtATime
from tests.annotation.work import House, house
from tests.assist.finished_work import work_through

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]
RUNS = "/api/projects/library/runs/"


@pytest.fixture
def home() -> House:
    return house(slug="library")


def post(client: Client, path: str, data: Any = None) -> Any:
    return client.post(path, data or {}, content_type="application/json")


@pytest.mark.parametrize(
    ("verb", "path"), [("get", ""), ("post", ""), ("get", "fake-v1/"), ("post", "fake-v1/cancel/")]
)
def test_only_leads_may_ask(home: House, verb: str, path: str) -> None:
    services.run_request(project=home.project, method="fake")

    def status(client: Client) -> int:
        return int(getattr(client, verb)(RUNS + path, content_type="application/json").status_code)

    assert [status(each) for each in (home.stranger, home.annotator, home.anonymous)] == [404, 403, 403]
    assert Run.objects.get().status == JobStatus.QUEUED


def test_a_run_is_asked_for_watched_and_acted_on(home: House) -> None:
    made = post(home.lead, RUNS, {"method": "fake", "settings": {"seconds": 0.001}})
    assert made.status_code == 200
    slug = made.json()["run"]
    assert (made.json()["status"], made.json()["total"], made.json()["done"]) == ("queued", 1, 0)
    again = post(home.lead, RUNS, {"method": "fake", "settings": {"seconds": 0.001}})
    assert again.json()["run"] == slug
    assert post(home.lead, f"{RUNS}{slug}/pause/").json()["status"] == "paused"
    assert post(home.lead, f"{RUNS}{slug}/resume/").json()["status"] == "queued"
    work_through(Run.objects.get())
    seen = home.lead.get(f"{RUNS}{slug}/").json()
    assert (seen["status"], seen["done"], seen["failures"]) == ("done", 1, [])
    assert seen["versions"]["method"] == "fake.v1"
    assert "fitted in" in seen["log"]
    assert [run["run"] for run in home.lead.get(RUNS).json()["runs"]] == [slug]


def test_refusals_have_one_shape(home: House) -> None:
    for path, data, status, code in (
        (RUNS, {}, 422, "invalid"),
        (RUNS, {"method": "none"}, 422, "method"),
        (f"{RUNS}fake-v1/cancel/", {}, 404, "not-found"),
    ):
        answer = post(home.lead, path, data)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    work_through(services.run_request(project=home.project, method="fake"))
    answer = post(home.lead, f"{RUNS}fake-v1/cancel/")
    assert (answer.status_code, answer.json()["error"]["hint"]) == (409, "It has already ended.")


def test_a_setting_that_cannot_be_is_refused_in_the_readers_language(home: House) -> None:
    wrong = {"method": "fake", "settings": {"seconds": [1]}}
    english = post(home.lead, RUNS, wrong).json()["error"]
    assert english == {
        "code": "method",
        "message": "Setting “seconds” must be a number of at least 0, not “[1]”.",
        "where": "fake",
        "hint": "",
    }
    home.lead.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    german = post(home.lead, RUNS, wrong).json()["error"]
    assert german["message"] == "Die Einstellung „seconds“ muss eine Zahl ab 0 sein, nicht „[1]“."


def test_the_document_has_the_settings_of_every_method() -> None:
    described = OneAtATime().get_schema(request=None, public=True)["components"]["schemas"]["Request"]
    models = {each["title"]: each for each in described["properties"]["settings"]["anyOf"]}
    assert set(models) == {cls.slug() for cls in methods()}
    folds = models[method("learned").slug()]["properties"]["folds"]
    assert (folds["title"], folds["type"], folds["minimum"], folds["maximum"]) == ("Folds", "integer", 2, 20)
    assert models[method("learned").slug()]["properties"]["threshold"]["anyOf"][1] == {"type": "null"}


def test_a_field_that_no_request_has_is_refused(home: House) -> None:
    answer = post(home.lead, RUNS, {"method": "fake", "setting": {"seconds": 0.001}})
    assert answer.status_code == 422
    assert answer.json()["error"]["where"] == "setting"
    assert answer.json()["error"]["message"] == "There is no such field. Available: method, settings."
    assert not Run.objects.exists()
