"""Writes of manually decided gold: saved like annotations, under a revision, but not gold until the version is closed.

A draft is an annotation of source 'gold' without a verdict; every read of gold excludes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.models import Annotation, Pair, Source, User, Verdict
from annotation.selectors.projects import guideline_current_id
from annotation.services.annotation_checks import ValidAnnotation, recheck
from annotation.services.annotations import (
    Origins,
    annotation_count,
    apply_annotation_input,
    newer_revision_conflict,
    write_revision,
)
from annotation.text.spans import Span, spans_document


@transaction.atomic
def gold_draft_save(
    *, pair: Pair, version: int, by: User, base: int, checked: ValidAnnotation, origins: Origins
) -> Annotation:
    """Save checked work as the next revision of a pair's draft after `base`. Raises as `annotation_save` does."""
    locked = _lock(pair)
    checked = recheck(checked, pair.project, lambda: locked)
    annotation = _current(locked, version) or Annotation(source=Source.GOLD, pair=locked, gold_version=version)
    guideline = guideline_current_id(locked.project_id)
    apply_annotation_input(annotation, by=by, base=base, checked=checked, guideline=guideline, origins=origins)
    return annotation


@transaction.atomic
def gold_draft_at_revision(
    *,
    pair: Pair,
    version: int,
    by: User,
    base: int,
    initial: Sequence[Span],
    answers: Mapping[str, str],
    origins: Origins,
) -> Annotation:
    """Revision `base` of a draft; if none was saved (base 0), one is created from `initial` and `answers`.

    Raises Conflict for another revision.
    """
    locked = _lock(pair)
    annotation = _current(locked, version)
    if annotation is None and base == 0:
        return gold_draft_create(
            pair=locked, version=version, by=by, spans=initial, answers=answers, origins=origins(initial, Annotation())
        )
    if annotation is None or base != annotation.revision:
        raise newer_revision_conflict(annotation or Annotation(pair=locked))
    return annotation


@transaction.atomic
def gold_draft_decide(*, annotation: Annotation, by: User, provenance: Mapping[str, Any]) -> Annotation:
    """Confirm a draft as the decision: a new revision that records who decided it. The caller has locked the pair."""
    # The revision is a submission; the row is no one's, and has no verdict.
    annotation.verdict = Verdict.SUBMITTED
    write_revision(annotation, by)
    annotation.verdict, annotation.provenance = Verdict.NONE, dict(provenance)
    annotation.decided, annotation.decided_by = timezone.now(), by
    annotation.save()
    return annotation


@transaction.atomic
def gold_draft_reopen(*, annotation: Annotation, version: int, by: User) -> Annotation:
    """Reopen a decision in the draft of `version`: its row, or a copy of the one in an earlier version.

    The caller has locked the pair.
    """
    annotation.decided, annotation.decided_by = None, None
    annotation.save(update_fields=["decided", "decided_by"])
    if annotation.gold_version == version:
        return annotation
    return gold_draft_create(
        pair=_lock(annotation.pair),
        version=version,
        by=by,
        spans=annotation.parsed_spans,
        answers=annotation.answers,
        origins=annotation.provenance,
        unmarked=annotation.unmarked,
        comment=annotation.comment,
    )


@transaction.atomic
def gold_draft_create(
    *,
    pair: Pair,
    version: int,
    by: User,
    spans: Sequence[Span],
    answers: Mapping[str, str],
    origins: Mapping[str, Any],
    unmarked: Sequence[str] = (),
    comment: str = "",
) -> Annotation:
    """Create a pair's draft from what already exists: what is agreed, or an earlier decision."""
    annotation = Annotation(source=Source.GOLD, pair=pair, gold_version=version)
    annotation.spans, annotation.answers, annotation.provenance = spans_document(spans), dict(answers), dict(origins)
    annotation.unmarked, annotation.comment = list(unmarked), comment
    annotation_count(annotation, spans)
    write_revision(annotation, by)
    return annotation


@transaction.atomic
def gold_draft_delete(*, annotation: Annotation) -> None:
    """Delete a draft with its revisions. A page that still has it open is refused when it saves the next revision."""
    _lock(annotation.pair)
    annotation.delete()


def gold_drafts_move(*, pairs: Sequence[int], version: int, to: int) -> None:
    """Give drafts another version number, because a version was created in the meantime."""
    Annotation.objects.filter(source=Source.GOLD, gold_version=version, pair__in=pairs).update(gold_version=to)


def _lock(pair: Pair) -> Pair:
    """The pair, read again and locked until the end of the transaction: two adjudicators of it wait for each other."""
    return Pair.objects.select_for_update(of=("self",)).select_related("a", "b", "project").get(pk=pair.pk)


def _current(pair: Pair, version: int) -> Annotation | None:
    annotation = Annotation.objects.filter(pair=pair, source=Source.GOLD, gold_version=version).first()
    if annotation is not None:
        annotation.pair = pair  # its texts are loaded already
    return annotation
