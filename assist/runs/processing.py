"""Processing of runs: claim a lot, fit or load the model, predict, save, until no lot is left.

Called by the Celery task, by the worker's own look for work, and by `prelabel --wait`; all do the same.
"""

from __future__ import annotations

import logging
import platform
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from importlib import metadata
from typing import Any

from django.db import InterfaceError, OperationalError, transaction
from django.db.models.functions import Now

from annotation.errors import DomainError
from annotation.log_context import log_context, log_duration
from annotation.models import ACTIVE_JOB, JobStatus, Pair
from annotation.phrases import Phrase
from annotation.progress import OnProgress
from annotation.services.claims import WORKER, ClaimLost, Heartbeat, claim_give_back, job_name
from annotation.services.highlights import HighlightInput, highlight_check
from annotation.services.jobs import error_message
from assist.methods.base import Method, MethodError, Result, RunEnds, create
from assist.methods.translate import Translate
from assist.models import Lot, LotStatus, Run
from assist.phrases.run_phrases import FAILED, FITTED, FITTING, FITTING_PART, METHOD_FAILED
from assist.runs import modelstore
from assist.runs.lots import (
    LotResult,
    log_line,
    lot_claim,
    lot_finish,
    lot_heartbeat,
    lot_release,
    lots_prioritise,
    run_ended,
)
from assist.runs.method_inputs import highlight_input, pair_inputs, read_pairs, word_lists
from assist.runs.run_context import method_prepare, outcomes
from assist.runs.selectors import missing_packages_note, pair_languages
from assist.runs.translation import translate_pairs

logger = logging.getLogger(__name__)

PRIORITISE_SECONDS = 20
FIT_SECONDS = 10
"""Seconds between lines on the progress of fitting, at least."""
MAX_FAILURE_LENGTH = 500

_busy: set[str] = set()
"""The methods that a thread of this process is working on."""
_claiming = threading.Lock()


def lots_process(queues: Iterable[str], *, stop: Callable[[], bool] = lambda: False, run: Run | None = None) -> int:
    """Process lots until none can be claimed or `stop` returns True; returns the number finished.

    Several threads of a process may work at a time, each on another method: a model is fitted and kept once, and a
    method that is stuck does not hold up the others. A database error is raised, with the lot given back.
    """
    finished, prioritised = 0, 0.0
    while not stop():
        if time.monotonic() - prioritised > PRIORITISE_SECONDS:
            for active in Run.objects.defer("training").filter(status__in=ACTIVE_JOB):
                lots_prioritise(active)
            prioritised = time.monotonic()
        with _claiming:
            lot = lot_claim(WORKER, queues, run, without=_busy)
            if lot is None:
                break
            _busy.add(lot.run.method)
        try:
            finished += lot_process(lot, stop)
        finally:
            _busy.discard(lot.run.method)
    return finished


def lot_process(lot: Lot, stop: Callable[[], bool] = lambda: False) -> bool:
    """Process a claimed lot and save its results; returns whether they were saved. If fitting fails, the run fails."""
    with log_context(run=lot.run_id, job=job_name(lot)), log_duration(logger, "lot"):
        return _process(lot, stop)


def _process(lot: Lot, stop: Callable[[], bool]) -> bool:
    try:
        with Heartbeat(lot, stop, renew=lot_heartbeat) as heartbeat:
            try:
                method, model = _model(lot.run, heartbeat)
            except (ClaimLost, OperationalError, InterfaceError):
                raise
            except Exception as error:
                why = str(error) if isinstance(error, MethodError) else error_message(error, lot)
                run_fail(lot.run, why)
                return False
            try:
                results = _predict(lot, method, model, heartbeat)
            except RunEnds as end:
                run_fail(lot.run, str(end))
                return False
        lot_finish(lot, results)
        return True
    except ClaimLost as lost:
        logger.info("run %s, lot %s: %s", lot.run.slug, lot.ordinal, lost)
        lot_release(lot)
        return False
    except (OperationalError, InterfaceError) as error:
        claim_give_back(lot, error, status=LotStatus.WAITING)
        raise


def _progress(heartbeat: Heartbeat) -> OnProgress:
    """The `on_progress` of methods: raises ClaimLost if there is no point in going on."""

    def on_progress(done: int, total: int, what: str) -> None:
        heartbeat.check()

    return on_progress


def _fit_progress(run: Run, heartbeat: Heartbeat) -> OnProgress:
    """The `on_progress` of fitting: also a line in the log for each tenth, unless the last one is just written."""
    began = last = time.monotonic()
    tenths = 0

    def on_progress(done: int, total: int, what: str) -> None:
        nonlocal last, tenths
        heartbeat.check()
        now = time.monotonic()
        if (reached := 10 * done // max(1, total)) > tenths and reached < 10 and now - last >= FIT_SECONDS:
            tenths, last = reached, now
            log_line(run, FITTING_PART.with_params(percent=str(10 * reached), seconds=f"{now - began:.0f}").text())

    return on_progress


def run_fail(run: Run, why: str) -> None:
    """End a run with an error; its lots wait for a retry."""
    with transaction.atomic():
        claimed = Lot.objects.filter(run=run, status=LotStatus.CLAIMED)
        claimed.update(status=LotStatus.WAITING, claimed_by="", heartbeat=None, attempts=0)
        active = Run.objects.filter(pk=run.pk, status__in=(*ACTIVE_JOB, JobStatus.PAUSED))
        failed = active.update(status=JobStatus.FAILED, error=why, finished=Now())
        log_line(run, FAILED.with_params(why=why).text())
        if failed:
            run_ended(run)


def _model(run: Run, heartbeat: Heartbeat) -> tuple[Method[Any, Any], Any]:
    """The run's method and its fitted model."""
    method = create(run.method, run.settings)
    if reason := missing_packages_note(type(method)):
        raise MethodError(Phrase(reason))

    def fit() -> Any:
        heartbeat.check()
        if reason := method.unavailable(pair_languages(run.project)):
            raise MethodError(reason)
        pairs = read_pairs(run.training.get("pairs", []))
        inputs = pair_inputs(pairs, run.project.labels, run.training.get("annotations", []))
        log_line(run, FITTING.with_params(n=str(len(pairs)), worker=WORKER).text())
        began = time.monotonic()
        method.lists = word_lists(run.training)
        method_prepare(method, run)
        model = method.fit(inputs, _fit_progress(run, heartbeat))
        log_line(run, FITTED.with_params(seconds=f"{time.monotonic() - began:.1f}").text())
        Run.objects.filter(pk=run.pk).update(report=method.report(model), versions=versions(method))
        return model

    return method, modelstore.fitted_model(f"{run.project.slug}.{run.slug}", run.digest, fit)


def _predict(lot: Lot, method: Method[Any, Any], model: Any, heartbeat: Heartbeat) -> LotResult:
    """Predict a lot's pairs together; if that fails, one by one, to find the pair that it fails on."""
    pairs = read_pairs(lot.pairs)
    try:
        return _result(lot.run, method, model, pairs, heartbeat)
    except (ClaimLost, RunEnds):
        raise
    except Exception as error:
        logger.warning("run %s, lot %s: %s; its pairs are tried one by one", lot.run.slug, lot.ordinal, error)
    whole = LotResult(lot.run.digest)
    for pair in pairs:
        heartbeat.check()
        try:
            whole.add(_result(lot.run, method, model, [pair], heartbeat))
        except (ClaimLost, RunEnds):
            raise
        except Exception as reason:
            whole.failures[pair.pk] = _failure(lot.run, pair, reason)
    return whole


def _result(run: Run, method: Method[Any, Any], model: Any, pairs: Sequence[Pair], heartbeat: Heartbeat) -> LotResult:
    """The method's results for some pairs."""
    scheme, on_progress = run.project.labels, _progress(heartbeat)
    if isinstance(method, Translate):
        translations, translated = translate_pairs(method, model, pairs, scheme, on_progress)
        return LotResult(run.digest, translations=translations, translated=translated)
    method_prepare(method, run)
    results = method.predict(model, pair_inputs(pairs, scheme), on_progress)
    return LotResult(
        run.digest,
        highlights=_highlights(run, pairs, results),
        outcomes=outcomes(run, method, pairs, results),
        empty=[pair.pk for pair, result in zip(pairs, results, strict=True) if result.empty],
    )


def _failure(run: Run, pair: Pair, error: Exception) -> Phrase:
    """Why a pair failed; details that only a programmer can use go to the log."""
    if isinstance(error, MethodError | DomainError):
        text = str(error)
        if isinstance(error, MethodError) and len(text) <= MAX_FAILURE_LENGTH:
            return error.phrase
        return Phrase(text[:MAX_FAILURE_LENGTH])
    logger.error("run %s, pair %s failed", run.slug, pair.external_id, exc_info=error)
    return METHOD_FAILED


def _highlights(run: Run, pairs: Sequence[Pair], results: Sequence[Result]) -> list[HighlightInput]:
    """Results as checked highlights. Raises ValueError if the method returned results for other pairs."""
    if [result.id for result in results] != [str(pair.pk) for pair in pairs]:
        raise ValueError(f"{run.method} gave {len(results)} results for {len(pairs)} pairs, or in another order")
    filled = [(pair, result) for pair, result in zip(pairs, results, strict=True) if not result.empty]
    highlights = [highlight_input(pair, result, run.project.labels) for pair, result in filled]
    for each in highlights:
        highlight_check(each)
    return highlights


def versions(method: Method[Any, Any]) -> dict[str, str]:
    """The versions of the method, Python and packages, so that results can be reproduced."""
    packages = ["numpy", "scipy", "scikit-learn", *method.packages]
    return {
        "method": method.slug(),
        "python": platform.python_version(),
        **{package: metadata.version(package) for package in packages},
    }
