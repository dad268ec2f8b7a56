"""Which run annotators see: the one a lead chose, or the newest finished one; and the pairs that it doesn't cover."""

from __future__ import annotations

import pytest

from annotation.models import Highlight, JobStatus, Pair, Project
from annotation.selectors.highlights import highlight_shown
from annotation.selectors.projects import options_of
from assist.models import Run
from assist.runs import automatic, services
from assist.runs.prelabel_options import PrelabelOptions
from assist.runs.selectors import shown_run
from tests.annotation.work import House, house
from tests.assist.finished_work import work_through
from tests.factories import PairFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]


@pytest.fixture
def home() -> House:
    return house(slug="library")


def run_of(project: Project, method: str) -> Run:
    return work_through(services.run_request(project=project, method=method))


def seen(pair: Pair) -> str:
    """The run whose highlights annotators see on a pair; '' for none."""
    found = Pair.objects.select_related("project").get(pk=pair.pk)
    highlight = highlight_shown(found, options_of(found.project))
    return highlight.run if highlight else ""


def page(home: House) -> str:
    return " ".join(home.lead.get("/projects/library/prelabels/").content.decode().split())


def test_a_chosen_run_stays_until_another_is_chosen(home: House) -> None:
    pair = home.project.pairs.get()
    services.run_show(run=run_of(home.project, "fake"))
    run_of(home.project, "fake-encoder")
    assert seen(pair) == "fake-v1"
    assert "the pre-labels of <b>fake-v1</b>, the run that was chosen." in page(home)
    assert "keep-shown" not in page(home)


def test_without_a_choice_the_newest_finished_run_is_shown_and_the_page_says_so(home: House) -> None:
    pair = home.project.pairs.get()
    run_of(home.project, "fake")
    PairFactory(project=home.project)
    services.run_request(project=home.project, method="fake-encoder")
    assert seen(pair) == "fake-v1", "a run replaces another when it has finished, not pair by pair"
    run_of(home.project, "fake-encoder")
    assert seen(pair) == "fake-encoder-v1"
    said = page(home)
    assert "the pre-labels of <b>fake-encoder-v1</b>, the newest finished run that has any." in said
    assert "the next finished run that has pre-labels replaces it" in said
    home.lead.post("/projects/library/prelabels/fake-encoder-v1/show/")
    assert "the run that was chosen." in page(home)


def test_a_run_that_says_nothing_of_any_pair_replaces_none(home: House) -> None:
    pair = home.project.pairs.get()
    run_of(home.project, "fake")
    empty = run_of(home.project, "projection")
    assert (empty.status, empty.done, empty.first_finished) == (JobStatus.DONE, 1, None)
    assert seen(pair) == "fake-v1"
    assert "the pre-labels of <b>fake-v1</b>, the newest finished run that has any." in page(home)


def test_the_first_run_is_shown_as_it_goes(home: House) -> None:
    pair = home.project.pairs.get()
    PairFactory(project=home.project, position=9)
    run = run_of(home.project, "fake")
    Highlight.objects.exclude(pair=pair).delete()
    Run.objects.filter(pk=run.pk).update(status=JobStatus.RUNNING, first_finished=None, done=1)
    assert seen(pair) == "fake-v1"
    assert "so far on 1 of 2 pairs." in page(home)


def test_a_run_that_is_extended_or_retrained_replaces_none(home: House) -> None:
    pair = home.project.pairs.get()
    automatic.project_prelabel(project=home.project, options=PrelabelOptions(automatic=True, method="fake"))
    for run in automatic.prelabel_automatically():
        work_through(run)
    run_of(home.project, "fake-learner")
    new = PairFactory(project=home.project, position=9)
    for run in automatic.prelabel_automatically():
        work_through(run)
    assert Highlight.objects.filter(run="fake-v1", pair=new).exists()
    assert seen(pair) == "fake-learner-v1"
    assert seen(new) == "", "suggestions of another run would pass for those of the one that is shown"


def test_pairs_that_the_shown_run_does_not_cover_are_counted_and_can_be_pre_labelled_with_it(home: House) -> None:
    made = services.run_request(project=home.project, method="fake", settings={"target": "new"})
    services.run_show(run=work_through(made))
    assert "extend-shown" not in page(home)
    new = PairFactory.create_batch(2, project=home.project)
    run_of(home.project, "fake-encoder")
    assert shown_run(Project.objects.get()).uncovered == 2
    assert "2 pairs have no pre-labels from this run: they were imported later." in page(home)
    home.lead.post(f"/projects/library/prelabels/{made.slug}/extend/")
    assert "extend-shown" not in page(home)
    work_through(Run.objects.get(slug=made.slug))
    assert [seen(pair) for pair in new] == [made.slug, made.slug]
    assert Run.objects.get(slug=made.slug).settings["target"] == "new"


def test_while_the_shown_run_is_extended_no_older_one_takes_its_place(home: House) -> None:
    pair = home.project.pairs.get()
    run_of(home.project, "fake")
    newest = run_of(home.project, "fake-encoder")
    PairFactory(project=home.project)
    services.run_extend(run=newest)
    assert Run.objects.get(pk=newest.pk).status == JobStatus.QUEUED
    assert seen(pair) == "fake-encoder-v1"


def test_a_cancelled_run_is_extended_and_resumed(home: House) -> None:
    run = services.run_cancel(run=services.run_request(project=home.project, method="fake"))
    PairFactory(project=home.project)
    extended = services.run_extend(run=run)
    assert (extended.status, extended.total) == (JobStatus.QUEUED, 2)


def test_no_pre_labels_are_shown_where_none_were_chosen(home: House) -> None:
    run_of(home.project, "fake")
    Project.objects.update(settings={"highlights_run": ""})
    assert seen(home.project.pairs.get()) == ""
    assert "Annotators see no pre-labels." in page(home)
