"""How a run is worked through: claim a lot, fit or load the model, predict, hand in, until nothing is left.

Called by the Celery task, by the worker's own look for work, and by `prelabel --wait`; all do the same.
"""

from __future__ import annotations

import logging
import os
import platform
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from importlib import metadata
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now

from annotation.models import Pair
from annotation.services.highlights import HighlightInput, highlight_check
from assist import modelstore
from assist.inputs import highlight_input, pair_inputs, read_pairs
from assist.lots import Handed, Lost, log_line, lot_beat, lot_claim, lot_give_back, lot_hand_in, lots_prioritise
from assist.methods.base import Method, Result, create
from assist.models import ACTIVE, Lot, LotStatus, Run, RunStatus

logger = logging.getLogger(__name__)

WORKER = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:6]}"
"""This process, as claims name it; never the same again, so that a restarted worker does not own a dead one's lots."""
PRIORITISE_SECONDS = 20

stopping = threading.Event()
"""Set when this process is told to end: work stops at the next step and its lot is given back."""

looking = threading.Event()
"""Set where a thread of this process looks for work by itself; `wake` has it look at once."""
wake = threading.Event()

_busy = threading.Lock()


def work(queues: Iterable[str], *, stop: Callable[[], bool] = lambda: False, run: Run | None = None) -> int:
    """Do lots until none can be claimed, or `stop` says so; returns how many were handed in.

    One thread of a process works at a time: whoever comes second leaves the work to the first.
    """
    if not _busy.acquire(blocking=False):
        return 0
    handed, prioritised = 0, 0.0
    try:
        while not stop():
            if time.monotonic() - prioritised > PRIORITISE_SECONDS:
                for active in Run.objects.defer("training").filter(status__in=ACTIVE):
                    lots_prioritise(active)
                prioritised = time.monotonic()
            lot = lot_claim(WORKER, queues, run)
            if lot is None:
                break
            handed += lot_do(lot, stop)
    finally:
        _busy.release()
    return handed


class Heart:
    """Beats for a lot from a thread of its own while `with` lasts; what a method reports to, and what stops it."""

    def __init__(self, lot: Lot, stop: Callable[[], bool]) -> None:
        self.lot = lot
        self.stop = stop
        self.lost: Lost | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"heart of lot {lot.pk}", daemon=True)

    def __enter__(self) -> Heart:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._ended.wait(settings.PRELABEL_STALE_SECONDS / 6):
                try:
                    lot_beat(self.lot)
                except Lost as lost:
                    self.lost = lost
                    return
                except Exception as error:
                    # A database that is away for a moment costs a beat, not the lot.
                    logger.warning("lot %s: no heartbeat: %s", self.lot.pk, error)
        finally:
            if not connection.in_atomic_block:
                connection.close()

    def progress(self, done: int, total: int, what: str) -> None:
        """Given to methods: raises Lost where going on would be in vain."""
        self.check()

    def check(self) -> None:
        if self.lost is not None:
            raise self.lost
        if self.stop():
            raise Lost("the worker was told to stop")


def lot_do(lot: Lot, stop: Callable[[], bool] = lambda: False) -> bool:
    """Do a claimed lot and hand it in; returns whether it was. A run that cannot be fitted fails as a whole."""
    try:
        with Heart(lot, stop) as heart:
            try:
                method, model = _model(lot.run, heart)
            except Lost:
                raise
            except Exception as error:
                logger.exception("run %s: fitting failed", lot.run)
                run_fail(lot.run, f"{type(error).__name__}: {error}")
                return False
            made = _predict(lot, method, model, heart)
        lot_hand_in(lot, made)
        return True
    except Lost as lost:
        logger.info("run %s, lot %s: %s", lot.run.slug, lot.ordinal, lost)
        lot_give_back(lot)
        return False


def run_fail(run: Run, why: str) -> None:
    """End a run with an error; its lots wait for a retry."""
    with transaction.atomic():
        Lot.objects.filter(run=run, status=LotStatus.CLAIMED).update(status=LotStatus.WAITING, claimed_by="")
        Run.objects.filter(pk=run.pk, status__in=(*ACTIVE, RunStatus.PAUSED)).update(
            status=RunStatus.FAILED, error=why, finished=Now()
        )
        log_line(run, f"failed: {why}")


def _model(run: Run, heart: Heart) -> tuple[Method[Any, Any], Any]:
    """The run's method and its fitted model."""
    method = create(run.method, run.settings)

    def fit() -> Any:
        heart.check()
        pairs = read_pairs(run.training.get("pairs", []))
        inputs = pair_inputs(pairs, run.project.labels, run.training.get("annotations", []))
        log_line(run, f"fitting on {len(pairs)} pairs ({WORKER})")
        began = time.monotonic()
        model = method.fit(inputs, heart.progress)
        log_line(run, f"fitted in {time.monotonic() - began:.1f} s")
        Run.objects.filter(pk=run.pk).update(report=method.report(model), versions=versions(method))
        return model

    return method, modelstore.fitted(f"{run.project.slug}.{run.slug}", run.digest, fit)


def _predict(lot: Lot, method: Method[Any, Any], model: Any, heart: Heart) -> Handed:
    """Predict a lot's pairs together; where that fails, one by one, so that the pair it fails on is named."""
    pairs = read_pairs(lot.pairs)
    inputs = pair_inputs(pairs, lot.run.project.labels)
    highlights: list[HighlightInput] = []
    failures: dict[int, str] = {}
    try:
        highlights = _highlights(lot.run, pairs, method.predict(model, inputs, heart.progress))
    except Lost:
        raise
    except Exception as error:
        logger.warning("run %s, lot %s: %s; its pairs are tried one by one", lot.run.slug, lot.ordinal, error)
        for pair, one in zip(pairs, inputs, strict=True):
            heart.check()
            try:
                highlights.extend(_highlights(lot.run, [pair], method.predict(model, [one], heart.progress)))
            except Lost:
                raise
            except Exception as reason:
                failures[pair.pk] = f"{type(reason).__name__}: {reason}"[:500]
    return Handed(highlights, failures, lot.run.digest)


def _highlights(run: Run, pairs: Sequence[Pair], results: Sequence[Result]) -> list[HighlightInput]:
    """Results as highlights, checked. Raises where a method gave fewer results, or others, than it was asked for."""
    if [result.id for result in results] != [str(pair.pk) for pair in pairs]:
        raise ValueError(f"{run.method} gave {len(results)} results for {len(pairs)} pairs, or in another order")
    made = [highlight_input(pair, result, run.project.labels) for pair, result in zip(pairs, results, strict=True)]
    for each in made:
        highlight_check(each)
    return made


def versions(method: Method[Any, Any]) -> dict[str, str]:
    """What did the work: the method's version, Python's and the packages', so that a result can be made again."""
    packages = ["numpy", "scipy", "scikit-learn", *(["torch", "transformers"] if method.gpu else [])]
    return {
        "method": method.slug(),
        "python": platform.python_version(),
        **{package: metadata.version(package) for package in packages},
    }
