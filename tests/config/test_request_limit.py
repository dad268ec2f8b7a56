"""One account may ask for what is expensive only so often; saving and reading are never limited."""

from __future__ import annotations

import logging

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from config import request_limit
from config.request_limit import BURST, EXPENSIVE, Allowance
from tests.access.test_matrix import routes
from tests.annotation.work import House, house

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limit, "allowance", Allowance(clock=lambda: 0.0))


@pytest.fixture
def home() -> House:
    return house(slug="library")


def attempt(client: Client, **headers: str) -> int:
    return client.post(reverse("adjudication-try", args=["library"]), {"rule": "x"}, headers=headers).status_code


def test_names_are_those_of_addresses() -> None:
    assert get_resolver().url_patterns
    assert set().union(*EXPENSIVE.values()) <= {name for name, _ in routes()}


def test_beyond_the_limit_a_page_says_when_to_come_back(home: House, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(BURST):
        assert attempt(home.lead) == 200
    with caplog.at_level(logging.INFO, "diptych.security"):
        response = home.lead.post(reverse("adjudication-try", args=["library"]), {"rule": "majority"})
    assert (response.status_code, response["Retry-After"]) == (429, "1")
    assert "Too many requests at once. No changes were made." in response.content.decode()
    assert "Try again in 1 second." in response.content.decode()
    assert [record.message for record in caplog.records if record.name == "diptych.security"] == ["too many requests"]
    said = home.lead.post(reverse("api-runs", args=["library"]), "{}", content_type="application/json")
    assert said.status_code == 429 and said.json()["error"]["code"] == "too-many"
    fragment = home.lead.post(reverse("adjudication-try", args=["library"]), {}, headers={"HX-Request": "true"})
    assert fragment.status_code == 429 and "<html" not in fragment.content.decode()
    assert home.lead.get(reverse("project", args=["library"])).status_code == 200, "reading is not limited"
    assert attempt(home.annotator) == 403, "others are not affected"


def test_requests_come_back_one_a_second() -> None:
    now = 100.0
    tested = Allowance(clock=lambda: now)
    assert [tested.take(1) for _ in range(BURST + 1)] == [0] * BURST + [1]
    now += 2.5
    assert [tested.take(1) for _ in range(3)] == [0, 0, 1]
    now += 10 * BURST
    assert [tested.take(1) for _ in range(BURST + 1)] == [0] * BURST + [1], "no more than at first"


def test_who_is_not_logged_in_is_told_to_log_in(home: House) -> None:
    for _ in range(BURST + 1):
        assert attempt(home.anonymous) == 401
    assert request_limit.allowance.take(1) == 0
