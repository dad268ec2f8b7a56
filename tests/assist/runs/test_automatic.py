"""What a project has done by itself: new pairs, and training again; and what it leaves alone."""

from __future__ import annotations

import pytest

from annotation.errors import Invalid
from annotation.models import Project
from assist.runs import automatic, services
from assist.runs.prelabel_options import PrelabelOptions
from tests.assist.finished_work import submit_pairs, work_through
from tests.factories import PairFactory, ProjectFactory

pytestmark = pytest.mark.usefixtures("fakes", "notified")


def test_a_project_says_that_new_pairs_are_done_by_themselves(project: Project) -> None:
    assert automatic.prelabel_automatically() == []
    automatic.project_prelabel(project=project, options=PrelabelOptions(automatic=True, method="fake"))
    (run,) = automatic.prelabel_automatically()
    assert automatic.prelabel_automatically() == []
    work_through(run)
    PairFactory(project=project, position=9)
    assert automatic.prelabel_automatically() == [run]
    assert work_through(run).done == 6
    assert automatic.prelabel_automatically() == []


def test_by_themselves_neither_cancelled_runs_nor_empty_projects_are_touched(project: Project) -> None:
    options = PrelabelOptions(automatic=True, method="fake")
    automatic.project_prelabel(project=project, options=options)
    automatic.project_prelabel(project=ProjectFactory(), options=options)
    (run,) = automatic.prelabel_automatically()
    services.run_cancel(run=run)
    PairFactory(project=project, position=9)
    assert automatic.prelabel_automatically() == []


def test_what_learns_is_retrained_when_enough_new_work_came_in(project: Project) -> None:
    options = PrelabelOptions(automatic=True, method="fake-learner", retrain_after=3)
    automatic.project_prelabel(project=project, options=options)
    (run,) = automatic.prelabel_automatically()
    work_through(run)
    submit_pairs(project, 2)
    assert automatic.prelabel_automatically() == []
    submit_pairs(project, 3)
    assert automatic.prelabel_automatically() == [run]
    work_through(run)
    assert automatic.prelabel_automatically() == []


def test_a_project_with_settings_gone_bad_does_not_stop_the_others(project: Project) -> None:
    bad = PairFactory().project
    bad.settings = {"prelabel": {"automatic": True, "method": "gone"}}
    bad.save()
    automatic.project_prelabel(project=project, options=PrelabelOptions(automatic=True, method="fake"))
    assert [run.project for run in automatic.prelabel_automatically()] == [project]


def test_a_method_that_is_not_there_cannot_be_made_the_project_s(project: Project) -> None:
    with pytest.raises(Invalid):
        automatic.project_prelabel(project=project, options=PrelabelOptions(method="gone"))


def test_a_method_that_makes_translations_is_not_run_automatically(project: Project) -> None:
    with pytest.raises(Invalid, match="makes translations, not pre-labels"):
        automatic.project_prelabel(project=project, options=PrelabelOptions(automatic=True, method="translate"))
    assert not PrelabelOptions.of(Project.objects.get().settings).automatic
