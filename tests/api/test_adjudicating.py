"""What the API says of reports, disagreements and gold, and what it writes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from agreement.gold.services.exclusions import pair_exclude
from agreement.gold.services.jobs import GOLD
from agreement.models import CachedReport, GoldVersion
from agreement.report.jobs import REPORTS
from agreement.report.scope import Scope
from agreement.report.services import reports
from agreement.report.services.reports import report_files
from annotation.models import Annotator, Pair, User
from annotation.services.jobs import jobs_run
from tests.annotation.work import LIBRARY, client_of
from tests.api.adjudicating import RULE
from tests.api.site import Site, site
from tests.assist.conftest import fakes, notified  # noqa: F401
from tests.factories import AnnotatorFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]


@pytest.fixture
def at() -> Site:
    return site()


@pytest.fixture
def much(monkeypatch: pytest.MonkeyPatch) -> None:
    """So much work that a worker does all of it."""
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", -1)


def asked(at: Site, operation: str, body: Any = None, **more: Any) -> Any:
    response = at.ask(operation, body=body, **more)
    assert response.status_code == 200, response.json()
    return response.json()


def test_a_report_is_that_of_the_download(at: Site) -> None:
    found = asked(at, "report")
    assert found["status"] == "done"
    assert found["report"] == json.loads(report_files(at.home.project, Scope())["json"])
    assert asked(at, "report", {"phase": "trial"})["report"]["documents"] == 0


def test_a_report_of_much_work_is_computed_by_a_worker(at: Site, much: None) -> None:
    assert asked(at, "report") == {"status": "computing", "problem": "", "report": None}
    assert asked(at, "disagreements")["status"] == "computing"
    jobs_run(REPORTS)
    assert asked(at, "report")["report"]["documents"] == 1
    assert asked(at, "disagreements")["count"] > 0


def test_a_report_that_failed_is_asked_for_again(at: Site, much: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(at, "report")
    row = CachedReport.objects.get()
    failed = {"failed": row.requested_fingerprint, "requested_fingerprint": "", "problem": "no memory"}
    CachedReport.objects.update(**failed)
    assert asked(at, "report") == {"status": "failed", "problem": "no memory", "report": None}
    assert asked(at, "report_retry", {})["status"] == "computing"
    jobs_run(REPORTS)
    assert asked(at, "report")["status"] == "done"


def test_disagreements_are_words_with_both_labels(at: Site) -> None:
    everything = asked(at, "disagreements")
    first = next(each for each in everything["disagreements"] if each["start"] == LIBRARY["start"])
    assert first["pair"] == at.adjudicated and first["text"] and first["words"] >= 1
    assert sorted(str(each["label"]) for each in first["labels"]) == ["3", "5"]
    names = {each["annotator"] for each in first["labels"]}
    assert names == set(
        at.home.project.annotators.filter(assignments__pair=at.adjudicated).values_list("alias", flat=True)
    )
    assert asked(at, "disagreements", {"labels": "3,5"})["count"] == 1
    assert asked(at, "disagreements", {"annotator": sorted(names)[0]})["count"] == everything["count"]
    for nothing in (
        {"annotator": "nobody"},
        {"label": "9"},
        {"labels": "3,9"},
        {"least": 50},
        {"side": "b", "least": 50},
    ):
        assert asked(at, "disagreements", nothing)["count"] == 0, nothing
    paged = asked(at, "disagreements", {"size": 1, "page": 99})
    assert paged["page"] == paged["pages"] == everything["count"]


def test_a_dry_run_writes_nothing_and_making_gold_writes_it_once(at: Site) -> None:
    before = GoldVersion.objects.count()
    tried = asked(at, "gold_dry_run", RULE)
    assert (tried["status"], tried["changes"], GoldVersion.objects.count()) == ("done", None, before)
    made = asked(at, "gold_make", RULE)["version"]
    assert made["counts"] == tried["counts"] and made["made_by"]
    assert asked(at, "gold_make", RULE)["version"]["version"] == made["version"]
    assert asked(at, "gold_dry_run", RULE)["changes"] == {
        "version": made["version"], "added": 0, "removed": 0, "changed": 0, "tokens": 0,
    }  # fmt: skip
    other = asked(at, "gold_make", {**RULE, "rule": "union"})["version"]["version"]
    listed = asked(at, "gold_versions")
    assert [each["version"] for each in listed["versions"]] == [other, made["version"]] and listed["draft"]
    compared = asked(at, "gold_compare", {"one": made["version"], "other": other})
    assert compared["changed"] == compared["count"] == 1 and compared["pairs"][0]["pair"] == at.adjudicated
    address = at.address("gold_pairs").replace("/0/", f"/{other}/")
    (pair,) = asked(at, "gold_pairs", address=address)["pairs"]
    assert pair["pair"] == at.adjudicated and pair["spans"]["spans"]
    assert at.ask("gold_pairs", address=at.address("gold_pairs").replace("/0/", "/99/")).status_code == 404


def test_gold_of_much_work_is_made_by_a_worker(at: Site, much: None) -> None:
    assert asked(at, "gold_dry_run", RULE)["status"] == "computing"
    job = asked(at, "gold_make", RULE)["job"]
    assert job["status"] == "queued" and asked(at, "gold_versions")["job"] == job
    assert at.ask("gold_make", body={**RULE, "rule": "union"}).status_code == 409
    jobs_run(GOLD)
    at.job = job["id"]
    done = asked(at, "gold_job")
    assert done["status"] == "done" and asked(at, "gold_versions")["versions"][0]["version"] == done["version"]


def test_rules_and_settings_that_are_none_are_refused(at: Site) -> None:
    for body in ({"rule": "nonsense"}, {**RULE, "settings": {"nonsense": 1}}, {**RULE, "phase": "trial"}, {"rule": 7}):
        for operation in ("gold_dry_run", "gold_make", "gold_draft_open"):
            assert at.ask(operation, body=body).status_code == 422, (operation, body)


def test_an_excluded_pair_needs_a_reason_and_is_left_out(at: Site) -> None:
    assert at.ask("pair_excluded", body={"excluded": True}).status_code == 422
    assert asked(at, "pair_excluded", {"excluded": True, "reason": "a copy"})["reason"] == "a copy"
    assert asked(at, "gold_dry_run", RULE)["counts"]["pairs"] == 0
    assert asked(at, "pair_excluded", {"excluded": False}) == {"excluded": False, "reason": ""}
    assert asked(at, "gold_dry_run", RULE)["counts"]["pairs"] == 1


@pytest.fixture
def adjudicator(at: Site) -> Client:
    return client_of(AnnotatorFactory(project=at.home.project, role="adjudicator").user)


def as_adjudicator(at: Site, client: Client, operation: str, body: Any = None, method: str = "post") -> Any:
    return getattr(client, method)(at.address(operation), body or {}, content_type="application/json")


def test_adjudicators_may_what_the_pages_let_them(at: Site, adjudicator: Client, much: None) -> None:
    opened = as_adjudicator(at, adjudicator, "gold_draft_open", {"rule": "union"})
    assert opened.status_code == 200, opened.json()
    at.job = opened.json()["job"]["id"]
    assert as_adjudicator(at, adjudicator, "gold_job", method="get").json()["action"] == "open"
    assert as_adjudicator(at, adjudicator, "gold_job_act", {"action": "cancel"}).status_code == 200
    for operation, body in (("gold_make", RULE), ("gold_draft_close", None)):
        assert as_adjudicator(at, adjudicator, operation, body).status_code == 403
    assert as_adjudicator(at, adjudicator, "gold_pairs", method="get").status_code == 403
    at.job = asked(at, "gold_make", RULE)["job"]["id"]
    assert as_adjudicator(at, adjudicator, "gold_job_act", {"action": "cancel"}).status_code == 403
    excluded = as_adjudicator(at, adjudicator, "pair_excluded", {"excluded": True, "reason": "a copy"}, "put")
    assert excluded.json() == {"excluded": True, "reason": "a copy"}


def test_blind_adjudicators_are_shown_no_names_and_name_nobody(at: Site, adjudicator: Client) -> None:
    project = at.home.project
    project.settings = {**project.settings, "adjudication_blind": True}
    project.save()
    alias = Annotator.objects.get(pk=at.home.assignment.annotator_id).alias
    by_name = {"rule": "pick", "phase": "main", "settings": {"annotator": alias}}
    for operation in ("gold_dry_run", "gold_draft_open"):
        refused = as_adjudicator(at, adjudicator, operation, by_name)
        assert (refused.status_code, refused.json()["error"]["where"]) == (422, "settings.annotator")
    assert asked(at, "gold_draft_open", by_name)["version"]["settings"]["annotator"] == alias
    again = as_adjudicator(at, adjudicator, "gold_draft_open", {"rule": "pick", "phase": "main"})
    assert again.status_code == 200 and "annotator" not in again.json()["version"]["settings"]
    draft = GoldVersion.objects.get(number=again.json()["version"]["version"])
    assert draft.parameters["annotator"] == alias, "what the lead has set stays"
    made = asked(at, "gold_make", RULE)["version"]
    (listed, *_rest) = as_adjudicator(at, adjudicator, "gold_versions", method="get").json()["versions"]
    assert made["made_by"] and listed["version"] == made["version"] and listed["made_by"] is None
    own = User.objects.get(pk=adjudicator.session["_auth_user_id"])
    for excluded in (True, False):
        pair_exclude(pair=Pair.objects.get(pk=at.adjudicated), reason=f"{alias} says so", by=own)
        body = {"excluded": excluded, "reason": f"{alias} says so"}
        assert alias not in as_adjudicator(at, adjudicator, "pair_excluded", body, "put").content.decode()


def test_a_draft_is_opened_and_closed(at: Site) -> None:
    opened = asked(at, "gold_draft_open", {"rule": "union"})["version"]
    assert opened["rule"] == "union" and asked(at, "gold_versions")["draft"] == opened["version"]
    assert asked(at, "gold_draft_close")["version"]["version"] == opened["version"]
    assert at.ask("gold_draft_close").json()["error"]["code"] == "closed"
