"""What may be done to runs, and that asking twice does nothing twice."""

from __future__ import annotations

import pytest

from annotation.errors import Conflict, Invalid
from annotation.models import Highlight, JobStatus, Project
from annotation.text.schemes import PRESETS
from assist.models import Lot, Queue, Run
from assist.runs import automatic, processing, services
from tests.assist.finished_work import submit_pairs, work_through
from tests.factories import PairFactory, ProjectFactory, TextFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes")]
BOTH = Queue.values


@pytest.fixture(autouse=True)
def queues(notified: list[str]) -> list[str]:
    return notified


def test_a_request_makes_a_run_and_rings(
    project: Project, queues: list[str], django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        run = services.run_request(project=project, method="fake", settings={"seconds": "0"})
    assert (run.slug, run.method, run.status, run.total) == ("fake-v1", "fake.v1", JobStatus.QUEUED, 5)
    assert run.settings == {"seconds": 0.0, "fit": 0.0, "refuse": False, "target": "graded"}
    assert queues == ["cpu"]


def test_the_same_request_again_does_nothing(project: Project) -> None:
    first = work_through(services.run_request(project=project, method="fake"))
    made = list(Highlight.objects.values_list("pk", "made"))
    second = services.run_request(project=project, method="fake.v1", settings={"seconds": 0})
    assert (second.pk, second.status, second.log) == (first.pk, JobStatus.DONE, first.log)
    assert processing.lots_process(BOTH) == 0
    assert list(Highlight.objects.values_list("pk", "made")) == made


def test_other_settings_are_another_run_kept_apart(project: Project) -> None:
    services.run_request(project=project, method="fake")
    other = services.run_request(project=project, method="fake", settings={"seconds": 0.001})
    assert other.slug.startswith("fake-v1-")
    processing.lots_process(BOTH)
    assert Highlight.objects.count() == 10
    assert Run.objects.filter(status=JobStatus.DONE).count() == 2


def test_where_nobody_chose_the_target_fits_the_scheme() -> None:
    pair = PairFactory(project=ProjectFactory(scheme=PRESETS["xparade"].to_json()))
    run = services.run_request(project=pair.project, method="fake")
    assert (run.slug, run.settings["target"]) == ("fake-v1", "new")
    other = services.run_request(project=pair.project, method="fake", settings={"target": "graded"})
    assert other.slug != "fake-v1"


def test_new_pairs_extend_the_run_and_only_they_are_done(project: Project) -> None:
    before = work_through(services.run_request(project=project, method="fake"))
    made = dict(Highlight.objects.values_list("pk", "made"))
    PairFactory(project=project, position=9)
    run = services.run_request(project=project, method="fake")
    assert (run.status, run.total, run.done) == (JobStatus.QUEUED, 6, 5)
    assert run.digest != before.digest
    assert work_through(run).done == 6
    assert {pk: at for pk, at in Highlight.objects.values_list("pk", "made") if pk in made} == made


def test_a_project_that_has_doubled_is_done_anew(project: Project) -> None:
    work_through(services.run_request(project=project, method="fake"))
    PairFactory.create_batch(5, project=project)
    run = services.run_request(project=project, method="fake")
    assert (run.total, run.done) == (10, 0)
    run = work_through(run)
    assert (run.status, run.done) == (JobStatus.DONE, 10)
    assert set(Lot.objects.values_list("digest", flat=True)) == {run.digest}


@pytest.mark.parametrize(
    ("method", "given", "said"),
    [
        ("no-such", {}, "there is no method 'no-such'"),
        ("fake", {"colour": "red"}, "There is no setting “colour”"),
        ("fake", {"seconds": "-1"}, "“seconds” must be a number of at least 0, not “-1”"),
    ],
)
def test_what_cannot_be_is_refused(project: Project, method: str, given: dict[str, str], said: str) -> None:
    with pytest.raises(Invalid, match=said):
        services.run_request(project=project, method=method, settings=given)
    assert not Run.objects.exists()


def test_a_project_without_pairs_is_refused() -> None:
    with pytest.raises(Invalid, match="no pairs"):
        services.run_request(project=ProjectFactory(), method="fake")


def test_pause_resume_cancel_and_back(project: Project) -> None:
    run = services.run_request(project=project, method="fake")
    assert services.run_pause(run=run).status == JobStatus.PAUSED
    assert processing.lots_process(BOTH) == 0
    with pytest.raises(Conflict):
        services.run_pause(run=run)
    assert services.run_resume(run=run).status == JobStatus.QUEUED
    with pytest.raises(Conflict):
        services.run_resume(run=run)
    assert services.run_cancel(run=run).status == JobStatus.CANCELLED
    assert processing.lots_process(BOTH) == 0
    with pytest.raises(Conflict):
        services.run_cancel(run=run)
    assert work_through(services.run_resume(run=run)).status == JobStatus.DONE
    with pytest.raises(Conflict, match="done"):
        services.run_resume(run=run)


def test_a_cancelled_run_asked_for_again_goes_on(project: Project) -> None:
    run = services.run_request(project=project, method="fake")
    services.run_cancel(run=run)
    assert services.run_request(project=project, method="fake").status == JobStatus.QUEUED


def test_retry_does_the_failed_pairs_alone(project: Project) -> None:
    broken = TextFactory(content="BROKEN text")
    PairFactory(project=project, a=broken, position=9)
    run = work_through(services.run_request(project=project, method="fake"))
    assert (run.done, run.failed) == (5, 1)
    made = dict(Highlight.objects.values_list("pk", "made"))
    type(broken).objects.filter(pk=broken.pk).update(content="whole  text")
    run = work_through(services.run_resume(run=run))
    assert (run.status, run.done, run.failed, run.total) == (JobStatus.DONE, 6, 0, 6)
    assert {pk: at for pk, at in Highlight.objects.values_list("pk", "made") if pk in made} == made


def test_retraining_replaces_what_was_said(project: Project) -> None:
    run = work_through(services.run_request(project=project, method="fake-learner"))
    assert Highlight.objects.values_list("scores_a", flat=True)[0][0] == 0
    submit_pairs(project, 2)
    assert automatic.untrained_pairs(run) == 2
    run = work_through(services.run_retrain(run=run))
    assert (run.status, run.done, automatic.untrained_pairs(run)) == (JobStatus.DONE, 5, 0)
    assert {scores[0] for scores in Highlight.objects.values_list("scores_a", flat=True)} == {0.4}
    assert Highlight.objects.count() == 5


def test_translations_that_came_later_are_learned_from_when_trained_again(project: Project) -> None:
    run = work_through(services.run_request(project=project, method="fake-learner"))
    project.pairs.update(translations={"b": ["Somebody translated this."]})
    assert services.run_retrain(run=run).digest != run.digest


def test_a_run_under_way_is_not_retrained(project: Project) -> None:
    run = services.run_request(project=project, method="fake")
    with pytest.raises(Conflict):
        services.run_retrain(run=run)
