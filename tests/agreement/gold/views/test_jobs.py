"""The page of gold that a worker makes: waiting, in progress, failed, done."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agreement.gold.services.jobs import GOLD
from agreement.gold.services.versions import gold_create
from agreement.models import GoldJob, GoldVersion
from agreement.report.services import reports
from annotation.models import JobStatus, Pair, Worker
from annotation.services.jobs import jobs_run
from tests.agreement.access import member, statuses, text
from tests.agreement.work import pair, project, submit

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
ASKED = {"rule": "majority", "phase": "main"}


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> Pair:
    made, people = project()
    on = pair(made)
    for person in people:
        submit(on, person, [("4", [0, 1], [0])])
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    return on


def ask(client: Client, name: str, on: Pair, **more: str) -> Any:
    return client.post(reverse(name, args=[on.project.slug]), {**ASKED, **more})


def job(on: Pair, **fields: Any) -> tuple[GoldJob, str]:
    given = {"action": GoldJob.CREATE, "rule": "majority", "phase": "main", "requested": timezone.now(), **fields}
    made = GoldJob.objects.create(project=on.project, **given)
    return made, reverse("gold-job", args=[on.project.slug, made.pk])


def test_creating_gold_waits_for_a_worker_and_opens_the_version(on: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    lead = member(on.project, "lead")
    page = ask(lead, "adjudication-make", on)["Location"]
    monkeypatch.setattr("agreement.gold.services.jobs.gold_create", lambda **_: pytest.fail("by the web process"))
    waiting = lead.get(page)
    assert (waiting.status_code, waiting["Retry-After"]) == (202, "2")
    assert "Waiting for a worker." in text(waiting) and "No worker is running" in text(waiting)
    for name in ("adjudication", "manual-adjudication"):
        notice = text(lead.get(reverse(name, args=[on.project.slug])))
        assert "A worker is creating gold." in notice and f'href="{page}"' in notice
    monkeypatch.undo()
    assert jobs_run(GOLD) == 1
    version = reverse("gold-version", args=[on.project.slug, 1])
    assert lead.get(page)["Location"] == version and lead.get(version).status_code == 200
    assert lead.get(page, headers={"HX-Request": "true"})["HX-Redirect"] == version
    assert "A worker is" not in text(lead.get(reverse("adjudication", args=[on.project.slug])))


def test_a_draft_is_opened_by_an_adjudicator_and_closed_by_a_lead(on: Pair) -> None:
    adjudicator, lead = member(on.project, "adjudicator"), member(on.project, "lead")
    page = ask(adjudicator, "manual-adjudication-open", on, rule="agreed")["Location"]
    assert "Opening a draft" in text(adjudicator.get(page)) and "Cancel" in text(adjudicator.get(page))
    assert jobs_run(GOLD) == 1
    assert adjudicator.get(page)["Location"] == reverse("manual-adjudication", args=[on.project.slug])
    page = ask(lead, "manual-adjudication-close", on)["Location"]
    assert "Creating gold" in text(lead.get(page))
    assert jobs_run(GOLD) == 1
    assert lead.get(page)["Location"] == reverse("gold-version", args=[on.project.slug, 1])


def test_the_page_asks_for_progress_and_is_read_out_only_when_it_changed(on: Pair) -> None:
    Worker.objects.create(name="w", queues=["cpu"], seen=timezone.now())
    page = job(on, status=JobStatus.RUNNING)[1]
    lead, htmx = member(on.project, "lead"), {"HX-Request": "true"}
    assert "reading the submitted work" in text(lead.get(page))
    GoldJob.objects.update(done=700, total=1000)
    whole = text(lead.get(page))
    assert "700 of 1000 pairs decided." in whole and f"{page}?seen=running-700" in whole and "width:70%" in whole
    assert "No worker is running" not in whole
    assert "HX-Reswap" not in lead.get(f"{page}?seen=queued-0", headers=htmx)
    same = lead.get(f"{page}?seen=running-700", headers=htmx)
    assert (same.status_code, same["HX-Reswap"]) == (202, "none") and "<h1>" not in text(same)
    GoldJob.objects.update(status=JobStatus.FAILED, problem="out of luck")
    assert lead.get(page, headers=htmx)["HX-Refresh"] == "true"
    failed = lead.get(page)
    assert failed.status_code == 200 and "out of luck" in text(failed) and "No changes were made." in text(failed)
    again = lead.post(page, {"action": "retry"})["Location"]
    assert again != page and lead.get(again).status_code == 202


def test_cancelling_deletes_it(on: Pair) -> None:
    lead = member(on.project, "lead")
    page = ask(lead, "adjudication-make", on)["Location"]
    answer = lead.post(page, {"action": "cancel"}, follow=True)
    assert "Cancelled. No changes were made." in text(answer) and not GoldJob.objects.exists()
    assert jobs_run(GOLD) == 0 and lead.get(page).status_code == 404
    assert "already creating gold" in text(_conflicting(lead, on))
    assert "Choose what to do" in text(lead.post(job_page(), {"action": "sing"}, follow=True))


def _conflicting(lead: Client, on: Pair) -> Any:
    ask(lead, "adjudication-make", on)
    slug = on.project.slug
    return lead.post(reverse("adjudication-make", args=[slug]), {**ASKED, "rule": "union"}, follow=True)


def job_page() -> str:
    made = GoldJob.objects.select_related("project").get()
    return reverse("gold-job", args=[made.project.slug, made.pk])


def test_who_may_see_it_and_act_on_it(on: Pair) -> None:
    page = job(on, status=JobStatus.FAILED, problem="as A1 says")[1]
    wanted = {"stranger": 404, "annotator": 403, "adjudicator": 200, "lead": 200, "nobody": 302}
    assert statuses(on.project, page) == wanted
    assert statuses(on.project, page, "post") == {**wanted, "adjudicator": 403, "lead": 302, "nobody": 401}
    assert "Try again" not in text(member(on.project, "adjudicator").get(page))
    GoldJob.objects.update(action=GoldJob.OPEN)
    adjudicator = member(on.project, "adjudicator")
    assert "as A1 says" in text(adjudicator.get(page)) and "Try again" in text(adjudicator.get(page))
    assert adjudicator.post(page, {"action": "retry"}).status_code == 302 and GoldJob.objects.count() == 2
    on.project.settings = {**on.project.settings, "adjudication_blind": True}
    on.project.save()
    assert "A1" not in text(adjudicator.get(page))


def test_another_projects_job_is_not_there(on: Pair) -> None:
    made, _page = job(on)
    other, _people = project()
    assert member(other, "lead").get(reverse("gold-job", args=[other.slug, made.pk])).status_code == 404


def test_a_version_that_is_there_already_is_opened(on: Pair) -> None:
    gold_create(project=on.project, rule="majority", phase="main")
    lead = member(on.project, "lead")
    page = ask(lead, "adjudication-make", on)["Location"]
    assert jobs_run(GOLD) == 1
    assert lead.get(page)["Location"] == reverse("gold-version", args=[on.project.slug, 1])
    assert GoldVersion.objects.count() == 1
