"""Lots: parts of a run's pairs, claimed like all jobs (`annotation.services.claims`) and finished once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Max, QuerySet, Value
from django.db.models.functions import Concat, Length, Now
from django.utils import timezone

from annotation.models import ACTIVE_JOB, Annotator, Assignment, Highlight, JobStatus, Pair, Status
from annotation.models.webhooks import EventType
from annotation.phrases import Phrase
from annotation.services.claims import ClaimLost, claim_finish, claim_next, claim_release, claim_renew
from annotation.services.highlights import HighlightInput, highlights_delete, highlights_write
from annotation.services.translations import TranslationInput, translations_write
from annotation.services.webhook_events import events_write
from assist.models import OUTCOME_COUNTS, LlmOutcome, Lot, LotStatus, MethodOutput, Queue, Run, TranslatedText
from assist.phrases.run_phrases import ABANDONED, DIED, DONE, SOME_FAILED, SPLIT, TAKEN_OVER

LOT_CHARACTERS = 60_000
"""A lot takes the default method a few seconds, so that little is lost when a worker is killed."""
GPU_LOT = 4
"""How many times larger lots for a GPU are, to keep it busy."""
NEXT_PAIRS = 5
"""This many of each annotator's next pairs come before all others."""
CRASHES_BEFORE_SPLIT = 2
OPEN_STATUSES = (LotStatus.WAITING, LotStatus.CLAIMED)


def log_line(run: Run, text: str) -> None:
    """Append a line to the run's log; safe if others append at the same time."""
    line = f"{timezone.now():%Y-%m-%d %H:%M:%S} {text}\n"
    Run.objects.filter(pk=run.pk).update(log=Concat(F("log"), Value(line), output_field=models.TextField()))


def lots_create(run: Run, pairs: Sequence[int]) -> int:
    """Divide the pairs with these keys into lots, in order; returns the number of pairs."""
    lengths = dict(
        Pair.objects.filter(project=run.project_id).values_list("pk", Length("a__content") + Length("b__content"))
    )
    last = run.lots.aggregate(last=Max("ordinal"))["last"]
    ordinal = 0 if last is None else last + 1
    larger = GPU_LOT if run.queue == Queue.GPU else 1
    most_pairs, most_characters = settings.PRELABEL_LOT_PAIRS * larger, LOT_CHARACTERS * larger
    lots: list[Lot] = []
    pks: list[int] = []
    size = 0
    for pk in pairs:
        length = lengths.get(pk, 0)
        if pks and (len(pks) >= most_pairs or size + length > most_characters):
            lots.append(Lot(run=run, ordinal=ordinal + len(lots), pairs=pks))
            pks, size = [], 0
        pks.append(pk)
        size += length
    if pks:
        lots.append(Lot(run=run, ordinal=ordinal + len(lots), pairs=pks))
    Lot.objects.bulk_create(lots, batch_size=500)
    return len(pairs)


def next_pairs(project: int) -> set[int]:
    """The keys of the pairs that the project's annotators will open next.

    Two short queries for each annotator: workers ask again and again, and a project may have millions of assignments.
    """
    pairs: set[int] = set()
    for annotator in Annotator.objects.filter(project=project).order_by().values_list("pk", flat=True):
        rows: list[tuple[int, int, int]] = []
        for status in (Status.OPEN, Status.STARTED):
            own = Assignment.objects.filter(annotator=annotator, status=status).order_by("order", "pk")
            rows += own.values_list("order", "pk", "pair")[:NEXT_PAIRS]
        pairs.update(pair for _, _, pair in sorted(rows)[:NEXT_PAIRS])
    return pairs


def lots_prioritise(run: Run) -> None:
    """Put waiting lots with a pair that an annotator will open next first; the others keep their order."""
    next_up = next_pairs(run.project_id)
    waiting = Lot.objects.filter(run=run, status=LotStatus.WAITING).values_list("pk", "priority", "pairs")
    to_update: dict[int, list[int]] = {0: [], 1: []}
    for pk, priority, pairs in waiting:
        right = 0 if next_up.intersection(pairs) else 1
        if right != priority:
            to_update[right].append(pk)
    for priority, pks in to_update.items():
        if pks:
            Lot.objects.filter(pk__in=pks, status=LotStatus.WAITING).update(priority=priority)


def unfinished_lots(queues: Iterable[str], run: Run | None = None, without: Iterable[str] = ()) -> QuerySet[Lot]:
    """Lots that are waiting or claimed, most urgent first, excluding the methods in `without`."""
    lots = Lot.objects.filter(status__in=OPEN_STATUSES, run__status__in=ACTIVE_JOB, run__queue__in=list(queues))
    if run is not None:
        lots = lots.filter(run=run)
    return lots.exclude(run__method__in=list(without)).order_by("priority", "run__requested", "run", "ordinal")


def lot_claim(worker: str, queues: Iterable[str], run: Run | None = None, without: Iterable[str] = ()) -> Lot | None:
    """The next lot, now claimed by `worker`; None when there is nothing to do."""
    return claim_next(
        unfinished_lots(queues, run, without).select_related("run__project"),
        worker=worker,
        give_up=_give_up,
        max_attempts=CRASHES_BEFORE_SPLIT,
        on_claim=_mark_claimed,
        status=LotStatus.CLAIMED,
        finished=None,
    )


def _mark_claimed(lot: Lot, silent: str) -> None:
    if silent:
        log_line(lot.run, TAKEN_OVER.with_params(lot=str(lot.ordinal), worker=silent).text())
    Run.objects.filter(pk=lot.run_id, started=None).update(started=Now())
    Run.objects.filter(pk=lot.run_id, status=JobStatus.QUEUED).update(status=JobStatus.RUNNING)


def _give_up(lot: Lot) -> bool:
    """Handle a lot whose workers keep dying: split it into single pairs, and finally fail the pair that kills them.

    Returns whether this dealt with the lot, so that another must be claimed.
    """
    if len(lot.pairs) > 1:
        last = Lot.objects.filter(run=lot.run_id).aggregate(last=Max("ordinal"))["last"]
        Lot.objects.bulk_create(
            Lot(run=lot.run, ordinal=last + 1 + index, priority=lot.priority, pairs=[pk])
            for index, pk in enumerate(lot.pairs)
        )
        lot.delete()
        log_line(lot.run, SPLIT.with_params(lot=str(lot.ordinal), n=str(lot.attempts)).text())
        return True
    if lot.attempts >= settings.JOB_ATTEMPTS:
        why = DIED.with_params(n=str(lot.attempts))
        failures = {str(pk): why.to_json() for pk in lot.pairs}
        claim_finish(lot, status=LotStatus.FAILED, failures=failures, finished=Now())
        Run.objects.filter(pk=lot.run_id).update(failed=F("failed") + len(failures))
        log_line(lot.run, ABANDONED.with_params(lot=str(lot.ordinal), why=why).text())
        run_finalize(lot.run)
        return True
    return False


def lot_heartbeat(lot: Lot) -> None:
    """Renew the worker's claim. Raises ClaimLost if it has lost the lot, or the run was cancelled."""
    claim_renew(lot)
    if Run.objects.filter(pk=lot.run_id, status__in=(JobStatus.CANCELLED, JobStatus.FAILED)).exists():
        raise ClaimLost("the run was ended")


@dataclass(frozen=True)
class LotResult:
    """A worker's results for a lot: highlights or translations, and the reason for each pair (by key) that failed.

    `translated` are translations that were not made before; `outcomes` say how good a language model's answers were.
    `empty` are pairs (by key) that the method has nothing to say about: they are done, and have no highlight.
    """

    digest: str
    highlights: list[HighlightInput] = field(default_factory=list)
    translations: list[TranslationInput] = field(default_factory=list)
    translated: list[TranslatedText] = field(default_factory=list)
    outcomes: list[LlmOutcome] = field(default_factory=list)
    failures: dict[int, Phrase] = field(default_factory=dict)
    empty: list[int] = field(default_factory=list)

    def add(self, other: LotResult) -> None:
        """Add the results of some of the lot's pairs."""
        self.highlights.extend(other.highlights)
        self.translations.extend(other.translations)
        self.translated.extend(other.translated)
        self.outcomes.extend(other.outcomes)
        self.failures.update(other.failures)
        self.empty.extend(other.empty)


def lot_finish(lot: Lot, result: LotResult) -> None:
    """Save a lot's results and update the run's counts, in one transaction and only if this worker still has the claim.

    Raises ClaimLost (and writes nothing) otherwise: the worker that has the lot now writes the same.
    """
    failures = {str(pk): why.to_json() for pk, why in result.failures.items()}
    with transaction.atomic():
        # Everywhere a lot's row is locked before its run's, so that no two workers wait for each other.
        claim_finish(lot, status=LotStatus.DONE, failures=failures, finished=Now(), digest=result.digest)
        # All workers of a run need its row: it is held only after what takes longest, which is about this lot's pairs.
        highlights_write(run=lot.run.slug, method=lot.run.method, highlights=result.highlights)
        highlights_delete(run=lot.run.slug, pairs=result.empty)
        run = _locked_run(lot.run)
        if run.status in (JobStatus.CANCELLED, JobStatus.FAILED):
            raise ClaimLost(f"lot {lot.ordinal}: the run was ended")
        translations_write(translations=result.translations)
        TranslatedText.objects.bulk_create(result.translated, ignore_conflicts=True)
        LlmOutcome.objects.bulk_create(
            result.outcomes, update_conflicts=True, unique_fields=["run", "pair"], update_fields=OUTCOME_COUNTS
        )
        # Pairs deleted meanwhile count as done: nothing is left to do for them.
        done = len(lot.pairs) - len(failures)
        Run.objects.filter(pk=run.pk).update(done=F("done") + done, failed=F("failed") + len(failures))
        if failures:
            params = {"lot": str(lot.ordinal), "n": str(len(failures)), "of": str(len(lot.pairs))}
            log_line(run, SOME_FAILED.with_params(**params).text())
        run_finalize(run)


def lot_release(lot: Lot) -> None:
    """Release a lot that the worker will not finish, so that another can claim it at once. See `claim_release`."""
    claim_release(lot, status=LotStatus.WAITING)


def _locked_run(run: Run) -> Run:
    """The run's row, locked, so that the last lot to finish sees all the others."""
    return Run.objects.defer("training").select_for_update().get(pk=run.pk)


def run_finalize(run: Run) -> None:
    """Mark a run as done if it has no open lots. Call it in the transaction that finished a lot."""
    if not Lot.objects.filter(run=run, status__in=OPEN_STATUSES).exists():
        ended = Run.objects.filter(pk=run.pk, status__in=(*ACTIVE_JOB, JobStatus.PAUSED))
        if ended.update(status=JobStatus.DONE, finished=Now()):
            # One that has nothing to show, as a projection without labelled pairs, must not replace one that has.
            some = Highlight.objects.filter(run=run.slug, pair__project=run.project_id)
            if run.gives != MethodOutput.HIGHLIGHTS or some.exists():
                Run.objects.filter(pk=run.pk, first_finished=None, done__gt=0).update(first_finished=Now())
            now = Run.objects.only("done", "failed").get(pk=run.pk)
            log_line(run, DONE.with_params(n=str(now.done), failed=str(now.failed)).text())
            run_ended(run)


def run_ended(run: Run) -> None:
    """The event of a run that is done or failed. Call it in the transaction that ended it."""
    now = (
        Run.objects.select_related("project")
        .only("slug", "method", "status", "done", "failed", "project")
        .get(pk=run.pk)
    )
    about = {"run": now.slug, "method": now.method, "status": now.status, "done": now.done, "failed": now.failed}
    events_write(project=now.project, events={EventType.RUN: about})


def lots_reset(run: Run) -> None:
    """Set every lot of the run back to waiting, without a claim."""
    Lot.objects.filter(run=run).update(
        status=LotStatus.WAITING, claimed_by="", heartbeat=None, finished=None, attempts=0, failures={}
    )
