"""Lots: one worker at a time, lost by silence, finished once, priorities, and what happens to those that kill."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.models import Highlight, JobStatus, Project, Status
from annotation.phrases import Phrase
from annotation.services.claims import ClaimLost
from assist.models import Lot, LotStatus, Queue, Run
from assist.runs import lots, services
from assist.runs.lots import LotResult, lot_claim, lot_finish, lot_heartbeat, lot_release
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory

pytestmark = pytest.mark.usefixtures("fakes", "notified")
BOTH = Queue.values


@pytest.fixture
def run(project: Project, settings: Settings) -> Run:
    settings.PRELABEL_LOT_PAIRS = 2
    return services.run_request(project=project, method="fake")


def silence(lot: Lot) -> None:
    Lot.objects.filter(pk=lot.pk).update(heartbeat=timezone.now() - timedelta(seconds=31))


def test_lots_hold_every_pair_once_in_order(run: Run, project: Project) -> None:
    held = [lot.pairs for lot in run.lots.order_by("ordinal")]
    assert [len(pairs) for pairs in held] == [2, 2, 1]
    assert [pk for pairs in held for pk in pairs] == list(
        project.pairs.order_by("position").values_list("pk", flat=True)
    )


def test_long_texts_make_small_lots(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lots, "LOT_CHARACTERS", 150)
    run = services.run_request(project=project, method="fake")
    assert [len(lot.pairs) for lot in run.lots.order_by("ordinal")] == [1, 1, 1, 1, 1]


def test_lots_for_a_gpu_are_larger(project: Project, settings: Settings) -> None:
    settings.PRELABEL_LOT_PAIRS = 1
    run = services.run_request(project=project, method="fake-encoder")
    assert [len(lot.pairs) for lot in run.lots.order_by("ordinal")] == [4, 1]


def test_no_lot_is_claimed_twice(run: Run) -> None:
    claimed = [lot_claim(worker, BOTH) for worker in ("one", "two", "one", "two")]
    assert [lot and (lot.ordinal, lot.claimed_by) for lot in claimed] == [(0, "one"), (1, "two"), (2, "one"), None]
    run.refresh_from_db()
    assert run.status == JobStatus.RUNNING
    assert run.started is not None


def test_a_queue_has_only_its_own_lots(run: Run) -> None:
    assert lot_claim("one", [Queue.GPU]) is None
    assert lot_claim("one", [Queue.CPU]) is not None


def test_a_silent_worker_loses_its_lot_and_cannot_hand_it_in(run: Run) -> None:
    lost = lot_claim("one", BOTH)
    assert lost is not None
    silence(lost)
    taken = lot_claim("two", BOTH)
    assert taken is not None
    assert (taken.pk, taken.attempts) == (lost.pk, 2)
    run.refresh_from_db()
    assert "taken over, one stopped responding" in run.log
    with pytest.raises(ClaimLost):
        lot_heartbeat(lost)
    with pytest.raises(ClaimLost):
        lot_finish(lost, LotResult(run.digest))
    run.refresh_from_db()
    assert run.done == 0
    lot_finish(taken, LotResult(run.digest))
    run.refresh_from_db()
    assert run.done == 2


def test_a_beating_worker_keeps_its_lot(run: Run) -> None:
    lot = lot_claim("one", BOTH)
    assert lot is not None
    silence(lot)
    lot_heartbeat(lot)
    other = lot_claim("two", BOTH)
    assert other is not None
    assert other.pk != lot.pk


def test_a_lot_given_back_is_free_at_once_and_counts_no_attempt(run: Run) -> None:
    lot = lot_claim("one", BOTH)
    assert lot is not None
    lot_release(lot)
    again = lot_claim("two", BOTH)
    assert again is not None
    assert (again.pk, again.attempts) == (lot.pk, 1)


def test_a_lot_that_kills_is_split_and_its_pairs_are_at_last_named(run: Run, settings: Settings) -> None:
    Lot.objects.filter(run=run, ordinal__gt=0).delete()
    for _ in range(2):
        lot = lot_claim("doomed", BOTH)
        assert lot is not None
        silence(lot)
    first = lot_claim("doomed", BOTH)
    assert first is not None
    assert sorted(len(lot.pairs) for lot in run.lots.all()) == [1, 1]
    Lot.objects.filter(pk=first.pk).update(attempts=settings.JOB_ATTEMPTS)
    first.refresh_from_db()
    silence(first)
    other = lot_claim("brave", BOTH)
    assert other is not None
    assert other.pairs != first.pairs
    first.refresh_from_db()
    assert first.status == LotStatus.FAILED
    assert list(first.failures) == [str(first.pairs[0])]
    lot_finish(other, LotResult(run.digest))
    run.refresh_from_db()
    assert (run.status, run.failed) == (JobStatus.DONE, 1)


def test_the_last_lot_ends_the_run(run: Run) -> None:
    while lot := lot_claim("one", BOTH):
        lot_finish(lot, LotResult(run.digest, failures={lot.pairs[0]: Phrase("why")}))
    run.refresh_from_db()
    assert (run.status, run.done, run.failed) == (JobStatus.DONE, 2, 3)
    assert run.finished is not None


def test_results_for_a_cancelled_run_are_dropped(run: Run) -> None:
    lot = lot_claim("one", BOTH)
    assert lot is not None
    services.run_cancel(run=run)
    with pytest.raises(ClaimLost):
        lot_heartbeat(lot)
    with pytest.raises(ClaimLost):
        lot_finish(lot, LotResult(run.digest))
    assert not Highlight.objects.exists()
    assert not Lot.objects.filter(status=LotStatus.DONE).exists()


def test_a_paused_run_gives_no_lots_and_keeps_finished_results(run: Run) -> None:
    lot = lot_claim("one", BOTH)
    assert lot is not None
    services.run_pause(run=run)
    assert lot_claim("two", BOTH) is None
    lot_heartbeat(lot)
    lot_finish(lot, LotResult(run.digest))
    run.refresh_from_db()
    assert (run.status, run.done) == (JobStatus.PAUSED, 2)


def test_the_next_pairs_are_the_first_of_each_annotator_started_or_not(
    project: Project, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(lots, "NEXT_PAIRS", 2)
    statuses = (Status.DONE, Status.OPEN, Status.STARTED, Status.OPEN)
    pairs = list(project.pairs.order_by("position"))
    for annotator in AnnotatorFactory.create_batch(2, project=project):
        order = pairs if annotator.pk % 2 else pairs[::-1]
        for number, (pair, status) in enumerate(zip(order, statuses, strict=False)):
            AssignmentFactory(pair=pair, annotator=annotator, order=number, status=status)
    with django_assert_num_queries(5):
        found = lots.next_pairs(project.pk)
    assert found == {each.pk for each in (*pairs[1:3], *pairs[::-1][1:3])}


def test_the_next_pairs_of_annotators_come_first(run: Run, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lots, "NEXT_PAIRS", 1)
    annotator = AnnotatorFactory(project=project)
    for order, pair in enumerate(project.pairs.order_by("position")):
        AssignmentFactory(pair=pair, annotator=annotator, order=order, status=Status.OPEN if order > 2 else Status.DONE)
    lots.lots_prioritise(run)
    assert list(run.lots.order_by("ordinal").values_list("priority", flat=True)) == [1, 0, 1]
    annotator.assignments.filter(order=3).update(status=Status.DONE)
    lots.lots_prioritise(run)
    assert list(run.lots.order_by("ordinal").values_list("priority", flat=True)) == [1, 1, 0]
    lot = lot_claim("one", BOTH)
    assert lot is not None
    assert lot.ordinal == 2


def test_a_new_run_begins_with_them(project: Project, settings: Settings) -> None:
    settings.PRELABEL_LOT_PAIRS = 2
    last = project.pairs.get(external_id="pair-4")
    AssignmentFactory(pair=last)
    run = services.run_request(project=project, method="fake")
    assert [lot.pairs[0] == last.pk for lot in run.lots.order_by("priority", "ordinal")] == [True, False, False]


def test_an_older_run_comes_first(run: Run) -> None:
    younger = services.run_request(project=PairFactory().project, method="fake")
    Run.objects.filter(pk=younger.pk).update(requested=F("requested") + timedelta(seconds=1))
    assert [lot.run_id for _ in range(4) if (lot := lot_claim("one", BOTH))] == [run.pk] * 3 + [younger.pk]
