"""A run is worked through: one highlight per pair, broken pairs named, stopped when told, once a process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from annotation.models import Highlight, JobStatus, Project
from annotation.services.claims import WORKER, ClaimLost, Heartbeat
from assist.models import Lot, LotStatus, Queue, Run
from assist.phrases.run_phrases import translated_last_line
from assist.runs import lots, processing, services
from assist.runs.selectors import run_failures
from tests.assist.fake import Fake
from tests.factories import PairFactory, TextFactory

pytestmark = pytest.mark.usefixtures("fakes", "notified")
BOTH = Queue.values


def soon(happens: Callable[[], object]) -> bool:
    """Whether it happens while one waits: at once on a quiet machine, given a minute on a busy one."""
    for _ in range(1200):
        if happens():
            return True
        time.sleep(0.05)
    return False


def test_every_pair_gets_one_highlight(project: Project, settings: Settings) -> None:
    settings.PRELABEL_LOT_PAIRS = 2
    run = services.run_request(project=project, method="fake")
    assert processing.lots_process(BOTH) == 3
    run.refresh_from_db()
    assert (run.status, run.done, run.failed) == (JobStatus.DONE, 5, 0)
    rows = Highlight.objects.filter(run="fake-v1", method="fake.v1").order_by("pair__position")
    assert [row.pair.external_id for row in rows] == [f"pair-{n}" for n in range(5)]
    assert set(run.lots.values_list("digest", flat=True)) == {run.digest}
    assert run.report["fitted on"] == 5
    assert run.versions["method"] == "fake.v1"
    assert "fitted in" in run.log


def fit_in_steps(self: Fake, pairs: Any, on_progress: Any = None) -> dict[str, Any]:
    for done in range(41):
        on_progress(done, 40, "training")
    return {"pairs": [], "gold": []}


def test_the_log_says_how_far_fitting_is(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fake, "fit", fit_in_steps)
    monkeypatch.setattr(processing, "FIT_SECONDS", 0)
    run = services.run_request(project=project, method="fake")
    processing.lots_process(BOTH)
    run.refresh_from_db()
    said = [line.partition("fitting: ")[2] for line in run.log.splitlines() if "fitting: " in line]
    assert said == [f"{percent} percent done after 0 s" for percent in range(10, 100, 10)]
    assert translated_last_line(run.log) == "done: 5 pairs, 0 failed" and translated_last_line("") == ""


def test_lines_on_fitting_do_not_follow_each_other_quickly(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fake, "fit", fit_in_steps)
    run = services.run_request(project=project, method="fake")
    processing.lots_process(BOTH)
    run.refresh_from_db()
    assert run.status == JobStatus.DONE and "fitting: " not in run.log


def test_a_broken_pair_is_named_and_the_others_are_done(project: Project, caplog: pytest.LogCaptureFixture) -> None:
    PairFactory(project=project, a=TextFactory(content="BROKEN text"), external_id="broken", position=9)
    PairFactory(project=project, a=TextFactory(content="SHORT text"), external_id="short", position=10)
    run = services.run_request(project=project, method="fake")
    processing.lots_process(BOTH)
    run.refresh_from_db()
    assert (run.status, run.done, run.failed) == (JobStatus.DONE, 5, 2)
    assert Highlight.objects.count() == 5
    named = {failure.pair: str(failure.why) for failure in run_failures(run)}
    said = "The method failed on this pair. Ask your server administrator to check the log."
    assert named["broken"] == said
    (logged,) = [record for record in caplog.records if "pair broken failed" in record.getMessage()]
    assert logged.exc_info and str(logged.exc_info[1]) == "this text cannot be read"
    assert "tokens" in named["short"]


def test_a_run_that_cannot_be_fitted_fails_and_says_why(project: Project) -> None:
    run = services.run_request(project=project, method="fake", settings={"refuse": "yes"})
    processing.lots_process(BOTH)
    run.refresh_from_db()
    assert (run.status, run.error) == (JobStatus.FAILED, "there is nothing to learn from")
    assert set(run.lots.values_list("status", flat=True)) == {LotStatus.WAITING}


def test_a_worker_told_to_stop_gives_its_lot_back(project: Project) -> None:
    services.run_request(project=project, method="fake")
    told = iter((False, True, True))
    assert processing.lots_process(BOTH, stop=lambda: next(told)) == 0
    assert list(Lot.objects.values_list("status", "attempts")) == [(LotStatus.WAITING, 0)]
    assert processing.lots_process(BOTH) == 1


def test_a_method_has_one_thread_of_a_process_and_another_method_goes_on(project: Project) -> None:
    stuck = services.run_request(project=project, method="fake")
    other = services.run_request(project=project, method="fake-learner")
    processing._busy.add(stuck.method)
    try:
        assert processing.lots_process(BOTH) == 1
    finally:
        processing._busy.clear()
    other.refresh_from_db()
    assert other.status == JobStatus.DONE
    assert processing.lots_process(BOTH) == 1


def test_results_of_a_lot_lost_during_work_are_not_saved(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    run = services.run_request(project=project, method="fake")
    lot = lots.lot_claim(WORKER, BOTH)
    assert lot is not None
    Lot.objects.filter(pk=lot.pk).update(claimed_by="another")
    assert not processing.lot_process(lot)
    assert not Highlight.objects.exists()
    run.refresh_from_db()
    assert run.done == 0
    assert run.lots.get().claimed_by == "another"


def test_pairs_deleted_meanwhile_do_not_stop_a_run(project: Project) -> None:
    run = services.run_request(project=project, method="fake")
    project.pairs.filter(external_id="pair-3").delete()
    processing.lots_process(BOTH)
    run.refresh_from_db()
    assert run.status == JobStatus.DONE
    assert Highlight.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_the_claim_is_renewed_while_a_method_works(settings: Settings, fakes: None) -> None:
    settings.JOB_LEASE_SECONDS = 0.3
    run = services.run_request(project=PairFactory().project, method="fake", settings={"seconds": 0.5})
    lot = lots.lot_claim(WORKER, BOTH)
    assert lot is not None
    before = lot.heartbeat
    with Heartbeat(lot, renew=lots.lot_heartbeat) as heartbeat:
        assert soon(lambda: Lot.objects.get(pk=lot.pk).heartbeat != before)
        heartbeat.check()
    services.run_cancel(run=run)
    with Heartbeat(lot, renew=lots.lot_heartbeat) as heartbeat:
        assert soon(lambda: heartbeat.lost)
        with pytest.raises(ClaimLost):
            processing._progress(heartbeat)(0, 1, "")


def test_queues_are_kept_apart(project: Project) -> None:
    services.run_request(project=project, method="fake-encoder")
    assert processing.lots_process([Queue.CPU]) == 0
    assert processing.lots_process([Queue.GPU]) == 1
    assert Run.objects.get().status == JobStatus.DONE
