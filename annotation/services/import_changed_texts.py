"""Pairs whose text has changed in the source since an earlier import: they are new pairs, beside the existing ones."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from annotation.formats.fields import MAX_ID_LENGTH
from annotation.formats.record import PairRecord
from annotation.models import Pair, Project
from annotation.services.import_target import BATCH

_DIGITS = 8


def rename_changed_pairs(project: Project, records: Sequence[PairRecord]) -> tuple[list[PairRecord], int]:
    """The records, with new ids for those whose pair is in the project with other texts, and how many those are.

    The new id is the old one with a digest of the texts, so that importing the same file again finds the new pair. A
    pair that names a renamed one as its mirror names it by its new id. Languages and tokens are not compared: with the
    same texts and others of these, a pair is refused.
    """
    stored_texts = _texts_of(project, [record.id for record in records])
    changed = {
        record.id: _new_id(record)
        for record in records
        if record.id in stored_texts and stored_texts[record.id] != _texts(record)
    }
    if not changed:
        return list(records), 0
    return [
        replace(record, id=changed.get(record.id, record.id), mirror=changed.get(record.mirror, record.mirror))
        for record in records
    ], len(changed)


def _texts(record: PairRecord) -> tuple[str, str, str]:
    return record.a.text, record.b.text, record.statement.text if record.statement else ""


def _new_id(record: PairRecord) -> str:
    digest = hashlib.sha256("\0".join(_texts(record)).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{record.id[: MAX_ID_LENGTH - _DIGITS - 1]}~{digest}"


def _texts_of(project: Project, ids: Sequence[str]) -> dict[str, tuple[str, str, str]]:
    texts: dict[str, tuple[str, str, str]] = {}
    if project._state.adding:
        return texts
    columns = ("external_id", "a__content", "b__content", "statement__content")
    for start in range(0, len(ids), BATCH):
        rows = Pair.objects.filter(project=project, external_id__in=ids[start : start + BATCH])
        texts.update({name: (a, b, statement or "") for name, a, b, statement in rows.values_list(*columns)})
    return texts
