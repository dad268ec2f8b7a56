"""A dry run of a rule on much work: a worker computes it, and the page says so until it has."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from agreement.gold import rule_previews
from agreement.gold.rule_previews import DRY_RUNS
from agreement.gold.services.drafts import draft_close, draft_open
from agreement.gold.services.exclusions import pair_exclude
from agreement.gold.services.jobs import GOLD
from agreement.gold.services.versions import gold_create
from agreement.models import DryRun, GoldVersion
from agreement.report.services import reports
from annotation.models import Annotation, JobStatus, Pair
from annotation.services.jobs import jobs_run
from tests.agreement.access import member, text
from tests.agreement.work import pair, project, submit

pytestmark = pytest.mark.django_db
ASKED = {"rule": "majority", "phase": "main", "ties": "lower"}
COMPUTED = "A worker is computing"


@pytest.fixture
def on() -> Pair:
    made, (one, two) = project()
    on, out = pair(made), pair(made)
    for each in (on, out):
        submit(each, one, [("4", [0, 1], [0]), ("1", [3], [])])
        submit(each, two, [("2", [0, 1], [0]), ("1", [3], [])])
    pair_exclude(pair=out, reason=f"{one.alias} left", by=None)
    return on


@pytest.fixture
def much(on: Pair, monkeypatch: pytest.MonkeyPatch) -> Pair:
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    return on


def ask(client: Client, on: Pair, *, htmx: bool = True, **more: str) -> Any:
    headers = {"HX-Request": "true"} if htmx else {}
    return client.post(reverse("adjudication-try", args=[on.project.slug]), {**ASKED, **more}, headers=headers)


def test_what_a_worker_computed_is_shown_as_if_the_page_had(on: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    client = member(on.project, "adjudicator")
    member(on.project, "lead").post(
        reverse("adjudication-make", args=[on.project.slug]), {"rule": "union", "phase": "main"}
    )
    at_once = [text(ask(client, on)), text(ask(client, on, compare="1")), text(ask(client, on, htmx=False))]
    assert "A1 left" in at_once[0] and "Compared with gold version 1" in at_once[0] and "Union" in at_once[1]
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    waiting = ask(client, on)
    assert (waiting.status_code, waiting["Retry-After"]) == (202, "2") and COMPUTED in text(waiting)
    assert "No worker is running" in text(waiting)
    assert jobs_run(DRY_RUNS) == 1
    for name in ("cases_of", "gold_create", "compare_rules"):
        monkeypatch.setattr(rule_previews, name, lambda *_, **__: pytest.fail("computed by the web process"))
    assert [text(ask(client, on)), text(ask(client, on, compare="1")), text(ask(client, on, htmx=False))] == at_once


def test_what_a_draft_would_change_is_computed_by_a_worker_and_is_the_same(
    on: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    lead, compared = member(on.project, "lead"), reverse("gold-compare", args=[on.project.slug])
    gold_create(project=on.project, rule="union", phase="main")
    draft = draft_open(project=on.project, rule="majority", phase="main", settings={"ties": "lower"}, by=None)
    decided = lead.get(compared)
    assert "<b>1 pair</b> changed" in decided.content.decode()
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    waiting = lead.get(compared)
    assert (waiting.status_code, waiting["Retry-After"]) == (202, "2") and COMPUTED in text(waiting)
    assert jobs_run(DRY_RUNS) == 1
    monkeypatch.setattr(rule_previews, "gold_create", lambda **_: pytest.fail("computed by the web process"))
    assert text(lead.get(compared)) == text(decided)
    monkeypatch.undo()
    draft_close(draft=draft, by=None)
    assert [row.rows for row in lead.get(compared).context["page"]] == [row.rows for row in decided.context["page"]]


def test_a_draft_that_cannot_be_decided_says_why(much: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    gold_create(project=much.project, rule="union", phase="main")
    draft_open(project=much.project, rule="majority", phase="main", by=None)
    lead, compared = member(much.project, "lead"), reverse("gold-compare", args=[much.project.slug])
    assert lead.get(compared).status_code == 202
    DryRun.objects.update(status=JobStatus.FAILED, problem="The disk is full.")
    assert "The disk is full." in lead.get(compared).content.decode()


def test_a_page_that_waits_asks_for_the_same_rule_and_is_not_read_out_again(much: Pair) -> None:
    client = member(much.project, "adjudicator")
    first = ask(client, much)
    assert "HX-Reswap" not in first and "every 2s" in text(first)
    assert "&quot;ties&quot;: &quot;lower&quot;" in text(first), "whatever the form shows by then"
    assert ask(client, much, waiting="1")["HX-Reswap"] == "none"
    assert DryRun.objects.count() == 1, "requested once"


def test_the_rules_own_decisions_come_before_the_comparison(much: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    client = member(much.project, "adjudicator")
    ask(client, much)
    seen = []

    def compare(*_: object) -> list[object]:
        seen.extend([ask(client, much), ask(client, much, compare="1", waiting="1")])
        return []

    monkeypatch.setattr(rule_previews, "compare_rules", compare)
    assert jobs_run(DRY_RUNS) == 1
    assert [each.status_code for each in seen] == [200, 202]
    assert "No changes were made." in text(seen[0]) and "Comparing with the other rules" in text(seen[0])
    assert ask(client, much, compare="1").status_code == 200


@pytest.mark.parametrize("change", ["work", "gold", "exclusion", "rule"])
def test_after_a_change_it_is_computed_anew(much: Pair, change: str) -> None:
    client = member(much.project, "adjudicator")
    more: dict[str, Any] = {}
    ask(client, much)
    assert jobs_run(DRY_RUNS) == 1 and ask(client, much).status_code == 200
    if change == "work":
        Annotation.objects.filter(pair=much).update(revision=9)
    elif change == "gold":
        member(much.project, "lead").post(reverse("adjudication-make", args=[much.project.slug]), ASKED)
        assert jobs_run(GOLD) == 1 and GoldVersion.objects.exists()
    elif change == "exclusion":
        pair_exclude(pair=much, reason="a menu", by=None)
    else:
        more = {"ties": "higher"}
    assert ask(client, much, **more).status_code == 202
    assert jobs_run(DRY_RUNS) == 1 and ask(client, much, **more).status_code == 200


def test_who_decides_blind_is_told_no_name(much: Pair) -> None:
    much.project.settings = {**much.project.settings, "adjudication_blind": True}
    much.project.save()
    lead, blind = member(much.project, "lead"), member(much.project, "adjudicator")
    ask(lead, much)
    assert jobs_run(DRY_RUNS) == 1
    assert "A1 left" in text(ask(lead, much))
    assert "A1" not in text(ask(blind, much)) + text(ask(blind, much, compare="1"))


def test_what_failed_says_why_and_is_tried_again_only_when_asked(much: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    client = member(much.project, "adjudicator")
    ask(client, much)
    monkeypatch.setattr(rule_previews, "gold_create", lambda **_: 1 / 0)
    assert jobs_run(DRY_RUNS) == 1
    monkeypatch.undo()
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    failed = ask(client, much, waiting="1")
    assert failed.status_code == 200 and "Stopped because of an internal error" in text(failed)
    assert jobs_run(DRY_RUNS) == 0
    assert ask(client, much).status_code == 202, "the button tries again"
    assert jobs_run(DRY_RUNS) == 1 and "No changes were made." in text(ask(client, much))


def test_a_wrong_setting_is_no_work_for_a_worker(much: Pair) -> None:
    page = text(ask(member(much.project, "lead"), much, ties="mean"))
    assert "Ties: Select a valid choice" in page and not DryRun.objects.exists()


def test_old_ones_are_deleted(much: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_previews, "DRY_RUNS_KEPT", 1)
    client = member(much.project, "lead")
    for rule in ("majority", "union", "intersection"):
        ask(client, much, rule=rule)
        assert jobs_run(DRY_RUNS) == 1
    assert [row.rule for row in DryRun.objects.order_by("pk")] == ["union", "intersection"]
    assert {row.status for row in DryRun.objects.all()} == {JobStatus.DONE}
