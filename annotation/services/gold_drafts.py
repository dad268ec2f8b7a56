"""Writes of gold that a person is still making: saved as work is, under a revision, and no gold before it is closed.

A draft is an annotation of source 'gold' without a verdict; every read of gold leaves it out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from annotation.models import Annotation, Pair, Source, User, Verdict
from annotation.services.annotations import Origins, annotation_count, annotation_keep, newer, write_revision
from annotation.services.checks import Work
from annotation.text.spans import Span, document


@transaction.atomic
def gold_draft_save(*, pair: Pair, version: int, by: User, base: int, work: Work, origins: Origins) -> Annotation:
    """Keep `work` as the next revision of a pair's draft after `base`. Raises as `annotation_save` does."""
    locked = _lock(pair)
    annotation = _current(locked, version) or Annotation(source=Source.GOLD, pair=locked, gold_version=version)
    annotation_keep(annotation, by=by, base=base, work=work, origins=origins)
    return annotation


@transaction.atomic
def gold_draft_settle(
    *,
    pair: Pair,
    version: int,
    by: User,
    base: int,
    begun: Sequence[Span],
    answers: Mapping[str, str],
    origins: Origins,
) -> Annotation:
    """Say that revision `base` of a draft is right; where nobody saved one (base 0), `begun` and `answers` are.

    What was decided is kept as a revision of its own, with who decided it. Raises Conflict for a newer revision.
    """
    locked = _lock(pair)
    annotation = _current(locked, version)
    if annotation is None:
        annotation = gold_draft_begin(
            pair=locked, version=version, by=by, spans=begun, answers=answers, origins=origins(begun, Annotation())
        )
    elif base != annotation.revision:
        raise newer(annotation)
    annotation.verdict = Verdict.SUBMITTED
    write_revision(annotation, by)
    annotation.verdict = Verdict.NONE
    annotation.save(update_fields=["verdict"])
    return annotation


@transaction.atomic
def gold_draft_begin(
    *, pair: Pair, version: int, by: User, spans: Sequence[Span], answers: Mapping[str, str], origins: Mapping[str, Any]
) -> Annotation:
    """Make a pair's draft from what is there already: what is agreed, or an earlier decision."""
    annotation = Annotation(source=Source.GOLD, pair=pair, gold_version=version)
    annotation.spans, annotation.answers, annotation.provenance = document(spans), dict(answers), dict(origins)
    annotation_count(annotation, spans)
    write_revision(annotation, by)
    return annotation


def gold_drafts_move(*, pairs: Sequence[int], version: int, to: int) -> None:
    """Give drafts another version's number, because one was made in between."""
    Annotation.objects.filter(source=Source.GOLD, gold_version=version, pair__in=pairs).update(gold_version=to)


def gold_drafts_close(*, pairs: Sequence[int], version: int) -> None:
    """Drafts whose version is made are gold from now on."""
    Annotation.objects.filter(source=Source.GOLD, gold_version=version, pair__in=pairs).update(
        verdict=Verdict.SUBMITTED
    )


def _lock(pair: Pair) -> Pair:
    """The pair again, its row held until the transaction ends: two who adjudicate it queue."""
    return Pair.objects.select_for_update(of=("self",)).select_related("a", "b", "project").get(pk=pair.pk)


def _current(pair: Pair, version: int) -> Annotation | None:
    annotation = Annotation.objects.filter(pair=pair, source=Source.GOLD, gold_version=version).first()
    if annotation is not None:
        annotation.pair = pair  # its texts are read already
    return annotation
