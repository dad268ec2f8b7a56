"""The lead's pages of pre-labelling: who may see them, what they show, and that every button does what it says."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.models import Highlight, JobStatus, Project, Worker
from annotation.selectors.projects import options_of
from assist.models import Queue, Run
from assist.runs import processing, services
from assist.runs.prelabel_options import PrelabelOptions
from tests.annotation.work import House, house
from tests.assist.finished_work import work_through
from tests.factories import PairFactory, TextFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]


@pytest.fixture
def home() -> House:
    return house(slug="library")


@pytest.fixture
def run(home: House) -> Run:
    return services.run_request(project=home.project, method="fake")


def page(client: Client, path: str = "", **data: Any) -> str:
    answer = client.get(f"/projects/library/prelabels/{path}", data)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("get", ""),
        ("post", ""),
        ("get", "runs/"),
        ("get", "method/?method=fake"),
        ("get", "word-lists/"),
        ("post", "automatic/"),
        ("get", "fake-v1/"),
        ("post", "fake-v1/cancel/"),
    ],
)
def test_only_leads_come_in(home: House, run: Run, verb: str, path: str) -> None:
    def status(client: Client) -> int:
        return int(getattr(client, verb)(f"/projects/library/prelabels/{path}").status_code)

    assert [status(each) for each in (home.stranger, home.annotator, home.adjudicator)] == [404, 403, 403]
    assert status(home.anonymous) == (302 if verb == "get" else 401)
    run.refresh_from_db()
    assert run.status == JobStatus.QUEUED
    assert status(home.lead) in (200, 302, 422)


def test_an_empty_page_says_what_to_do(home: House) -> None:
    said = page(home.lead)
    assert "There are no runs yet" in said
    assert "Annotators see no pre-labels." in said
    assert "script/worker" in said
    assert 'hx-trigger="every' not in said


def test_a_run_is_started_from_the_page_with_its_settings(home: House) -> None:
    answer = home.lead.post(
        "/projects/library/prelabels/", {"method": "fake", "set-seconds": "0.5", "set-fit": "0", "set-target": "graded"}
    )
    assert answer.status_code == 302
    run = Run.objects.get()
    assert run.settings == {"seconds": 0.5, "fit": 0.0, "refuse": False, "target": "graded"}
    assert run.requested_by is not None
    said = page(home.lead)
    assert "waiting for a worker" in said
    assert "No worker is running, so nothing will happen yet" in said
    assert 'hx-trigger="every 2s"' in said


def test_what_cannot_be_is_said_in_the_form(home: House) -> None:
    answer = home.lead.post(
        "/projects/library/prelabels/", {"method": "fake", "set-seconds": "-1", "set-fit": "0", "set-target": "new"}
    )
    assert answer.status_code == 422
    assert "greater than or equal to 0" in answer.content.decode()
    assert home.lead.post("/projects/library/prelabels/", {"method": "none"}).status_code == 422
    assert not Run.objects.exists()


def test_the_settings_of_a_method_are_offered_with_their_meaning(home: House) -> None:
    said = page(home.lead, "method/", method="fake-encoder")
    assert 'name="set-seconds"' in said
    assert ">Seconds</label>" in said and "seconds a pair takes" in said
    assert home.lead.get("/projects/library/prelabels/method/", {"method": "none"}).status_code == 422
    for query in ({}, {"method": ""}):
        part = home.lead.get("/projects/library/prelabels/method/", query)
        assert part.status_code == 200 and 'name="set-' in part.content.decode()


def test_it_is_said_when_a_method_is_worth_choosing(home: House) -> None:
    assert "Choose it for graded labels" in page(home.lead)
    assert "Choose it for graded labels" in page(home.lead, "method/", method="learned")
    assert "Choose it for" not in page(home.lead, "method/", method="default")


def test_a_run_lists_its_settings_by_their_titles_and_by_name_where_its_method_is_gone(home: House, run: Run) -> None:
    assert '<th scope="row">Fitting</th>' in page(home.lead, "fake-v1/")
    Run.objects.update(method="forgotten.v1")
    assert '<th scope="row">fit</th>' in page(home.lead, "fake-v1/")


def test_the_settings_of_a_run_are_shown_in_words(home: House) -> None:
    made = services.run_request(project=home.project, method="learned")
    said = " ".join(page(home.lead, f"{made.slug}/").split())
    assert "True" not in said and "False" not in said
    home.lead.cookies["django_language"] = "de"
    assert "<td> graded </td>" not in " ".join(page(home.lead, f"{made.slug}/").split())


def test_progress_is_shown_while_it_runs_and_ends_with_it(home: House, run: Run) -> None:
    Worker.objects.create(name="somewhere:1", queues=Queue.values, seen=run.requested)
    said = page(home.lead, "runs/")
    assert "0 of 1" in said
    assert "No worker is running" not in said
    processing.lots_process(Queue.values)
    said = page(home.lead, "runs/")
    assert "1 of 1" in said
    assert "every 2s" not in said


def test_the_page_of_a_run_says_what_it_does_now(home: House, run: Run) -> None:
    log = "2026-01-31 12:00:00 fitting on 8 pairs (here:1)\n2026-01-31 12:00:40 fitting: 30 percent done after 40 s\n"
    Run.objects.filter(pk=run.pk).update(status=JobStatus.RUNNING, log=log)
    assert "Latest: fitting: 30 percent done after 40 s" in page(home.lead, "fake-v1/")
    Run.objects.filter(pk=run.pk).update(status=JobStatus.DONE)
    assert "Latest:" not in page(home.lead, "fake-v1/")


def test_pairs_that_failed_are_named(home: House, run: Run) -> None:
    PairFactory(project=home.project, a=TextFactory(content="BROKEN"), external_id="the-broken-one", position=7)
    work_through(services.run_request(project=home.project, method="fake"))
    assert "1 failed" in page(home.lead)
    said = page(home.lead, "fake-v1/")
    assert "the-broken-one" in said
    assert "The method failed on this pair." in said
    assert "fitted in" in said
    assert "scikit-learn" in said
    assert "at the chosen threshold 0.250 it is 0.500" in said


@pytest.mark.parametrize(
    ("actions", "status"),
    [
        (["pause"], JobStatus.PAUSED),
        (["pause", "resume"], JobStatus.QUEUED),
        (["cancel"], JobStatus.CANCELLED),
        (["cancel", "resume"], JobStatus.QUEUED),
        (["cancel", "retrain"], JobStatus.QUEUED),
        (["cancel", "pause"], JobStatus.CANCELLED),
    ],
)
def test_the_buttons_do_what_they_say(home: House, run: Run, actions: list[str], status: JobStatus) -> None:
    for action in actions:
        answer = home.lead.post(f"/projects/library/prelabels/fake-v1/{action}/", {"back": "run"})
        assert answer.status_code == 302
        assert answer["Location"] == "/projects/library/prelabels/fake-v1/"
    run.refresh_from_db()
    assert run.status == status


def test_a_refused_action_is_explained(home: House, run: Run) -> None:
    home.lead.post("/projects/library/prelabels/fake-v1/show/")
    assert "It has no results yet." in page(home.lead)
    assert home.lead.post("/projects/library/prelabels/fake-v1/explode/").status_code == 404
    assert home.lead.get("/projects/library/prelabels/no-such-run/").status_code == 404


def test_a_run_is_shown_to_annotators(home: House, run: Run) -> None:
    work_through(run)
    work_through(services.run_request(project=home.project, method="fake-encoder"))
    assert "the pre-labels of <b>fake-encoder-v1</b>" in page(home.lead)
    home.lead.post("/projects/library/prelabels/fake-v1/show/")
    assert options_of(Project.objects.get()).highlights_run == "fake-v1"
    assert "the pre-labels of <b>fake-v1</b>" in page(home.lead)


def test_the_page_says_how_far_the_pre_labels_are_that_annotators_see(home: House, run: Run) -> None:
    PairFactory.create_batch(2, project=home.project)
    options_set = {**Project.objects.get().settings, "highlights_run": "fake-v1"}
    Project.objects.update(settings=options_set)
    assert "Annotators will see the pre-labels of <b>fake-v1</b> as soon as there are some." in page(home.lead)
    work_through(run)
    assert "Annotators see the pre-labels of <b>fake-v1</b>, the run that was chosen." in page(home.lead)
    Run.objects.update(status=JobStatus.RUNNING, total=3)
    part = home.lead.get("/projects/library/prelabels/runs/", headers={"HX-Request": "true"}).content.decode()
    assert "Annotators see the pre-labels of <b>fake-v1</b>, so far on 1 of 3 pairs." in part
    assert 'id="shown" hx-swap-oob="true"' in part, "the sentence changes with the table"
    Highlight.objects.all().delete()
    Run.objects.update(status=JobStatus.CANCELLED)
    assert "Annotators see no pre-labels: the run <b>fake-v1</b> has none." in page(home.lead)


def test_what_is_done_by_itself_is_kept(home: House) -> None:
    form = {"automatic": "on", "method": "fake-learner", "retrain_after": "7"}
    assert home.lead.post("/projects/library/prelabels/automatic/", form).status_code == 302
    options = PrelabelOptions.of(Project.objects.get().settings)
    assert options == PrelabelOptions(automatic=True, method="fake-learner", retrain_after=7)
    home.lead.post("/projects/library/prelabels/automatic/", {**form, "retrain_after": "-1"})
    assert PrelabelOptions.of(Project.objects.get().settings) == options
