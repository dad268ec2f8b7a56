"""What the API says of mining, and what it imports."""

from __future__ import annotations

import pytest

from annotation.models import Pair
from annotation.services.import_jobs import imports_run
from assist.mining_requests.jobs import mining_jobs_run
from tests.api.mining import FILES
from tests.api.site import Site, site
from tests.assist.conftest import fakes, notified  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]


def test_matches_are_looked_through_and_imported_but_for_some() -> None:
    at: Site = site()
    waiting = at.ask("mining").json()
    assert (waiting["status"], waiting["matches"], waiting["languages"]) == ("queued", [], [])
    mining_jobs_run()
    found = at.ask("mining").json()
    assert found["status"] == "done" and found["languages"] == ["en", "es"] and found["kept"] == found["count"] > 1
    first = found["matches"][0]
    assert first["text_a"] and first["text_b"] and first["dropped"] == "" and first["similarity"] > 0
    strict = at.ask("mining", body={"least_similar": 1, "only": "dropped"}).json()
    assert strict["kept"] == 0 and strict["count"] == strict["dropped"] >= found["kept"]
    assert all(each["dropped"] for each in strict["matches"])
    usual = at.ask("mining", body={"shortest": ""}).json()
    assert usual["kept"] == 0, "without a bound of its own, the language's is used: 120 characters"
    assert at.ask("mining", body={"per_article": ""}).json()["kept"] == found["kept"]
    before = Pair.objects.count()
    started = at.ask("mining_import", body={"leave_out": [first["id"]]}).json()
    imports_run()
    assert Pair.objects.count() == before + found["kept"] - 1
    at.previewed = started["id"]
    assert at.ask("import").json()["status"] == "done"


def test_articles_that_are_not_in_two_languages_are_refused() -> None:
    at = site()
    for files in (FILES[:1], [], [{"name": "x.txt"}], [{"name": "x.bin", "base64": "%"}]):
        assert at.ask("mining_request", body={"files": files}).status_code == 422, files
    assert at.ask("mining_request", body={"files": FILES, "settings": {"model": "/etc"}}).status_code == 422
    assert at.ask("minings").json()["count"] == 1
