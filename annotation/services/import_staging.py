"""An import's staging area: an invisible project that collects its rows, written and removed in short transactions.

Everything that an import writes before it takes effect belongs to this project, including the texts: however the import
ends, `staging_discard` removes all of it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction

from annotation.formats.record import PairRecord
from annotation.models import Annotation, Annotator, Assignment, Guideline, Pair, Project, Revision
from annotation.models.imports import Import, LinkKind, StagedLink
from annotation.services.import_assignments import revisions
from annotation.services.import_prepare import ImportBatch
from annotation.services.import_target import ImportTarget, pair_keys
from annotation.services.project_archive.staged import staged_rows_remove
from annotation.services.texts import texts_remove_unused, texts_write

BATCH = 400
REMOVED_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Staging:
    """The project, its people by alias, and by version the guidelines that annotations name."""

    project: Project
    people: Mapping[str, Annotator]
    guidelines: Mapping[int, Guideline]


@transaction.atomic
def staging_begin(
    *, row: Import, target: ImportTarget, aliases: Iterable[str], guidelines: Mapping[int, str]
) -> Staging:
    """Create the project in which `row` collects its rows, with its people, and guidelines if the target has none."""
    project = Project(slug=f"~import-{uuid.uuid4().hex}", name=str(row), scheme=target.project.scheme, staged=True)
    # In bulk: staged rows need no history.
    Project.with_staged.bulk_create([project])
    Import.objects.filter(pk=row.pk).update(staging=project)
    people = Annotator.objects.bulk_create(
        [Annotator(project=project, alias=alias) for alias in aliases], batch_size=BATCH
    )
    by_version = target.guidelines
    if not by_version:
        created = [Guideline(project=project, version=version, text=text) for version, text in guidelines.items()]
        by_version = {guideline.version: guideline for guideline in Guideline.objects.bulk_create(created)}
    return Staging(project, {person.alias: person for person in people}, by_version)


@transaction.atomic
def staging_write(*, staging: Staging, batch: ImportBatch) -> None:
    """Write the rows of a batch."""
    if not batch.pairs:
        return
    texts_write(texts=batch.texts)
    for pair in batch.pairs:
        pair.project = staging.project
        # Assigned again: only now do the texts have their keys.
        pair.a, pair.b, pair.statement = pair.a, pair.b, pair.statement
    Pair.objects.bulk_create(batch.pairs, batch_size=BATCH)
    Assignment.objects.bulk_create(batch.assignments, batch_size=BATCH)
    Annotation.objects.bulk_create([*batch.annotations, *batch.gold], batch_size=BATCH)
    Revision.objects.bulk_create(revisions(batch.annotations), batch_size=BATCH)
    _link(staging.project, [(kind, row.pk, target) for kind, row, target in batch.links])


def staging_link_mirrors(*, staging: Staging, target: ImportTarget, records: Sequence[PairRecord]) -> None:
    """Link pairs that become each other's mirrors: a record names the other, and neither has a mirror yet."""
    named = [(record.id, record.mirror) for record in records if record.mirror]
    if not named:
        return
    keys = pair_keys(target.project, sorted({name for both in named for name in both}))
    copies = StagedLink.objects.filter(project=staging.project, kind=LinkKind.PAIR).values("staged")
    new = Pair.objects.filter(project=staging.project).exclude(pk__in=copies)
    keys.update({name: (pk, None) for name, pk in new.values_list("external_id", "pk")})
    taken = {pk for pk, mirror in keys.values() if mirror is not None}
    links: list[tuple[LinkKind, int, int]] = []
    for name, other in named:
        if other not in keys:
            continue
        one, two = keys[name][0], keys[other][0]
        if one != two and not {one, two} & taken:
            taken |= {one, two}
            links += [(LinkKind.MIRROR, one, two), (LinkKind.MIRROR, two, one)]
    for start in range(0, len(links), BATCH):
        _link(staging.project, links[start : start + BATCH])


def _link(project: Project, links: Iterable[tuple[LinkKind, int, int]]) -> None:
    rows = [StagedLink(project=project, kind=kind, staged=staged, target=target) for kind, staged, target in links]
    StagedLink.objects.bulk_create(rows, batch_size=BATCH)


def staging_discard(*, project: Project) -> None:
    """Remove a staged project and everything left in it, a few pairs at a time. It can be repeated and interrupted."""
    assert project.staged
    staged_rows_remove(project=project)
    while rows := list(Pair.objects.filter(project=project).order_by("pk")[:REMOVED_AT_ONCE].values_list(*_USES)):
        keys = [row[0] for row in rows]
        with transaction.atomic():
            _delete(Revision.objects.filter(annotation__pair__in=keys))
            _delete(Annotation.objects.filter(pair__in=keys))
            _delete(Assignment.objects.filter(pair__in=keys))
            _delete(Pair.objects.filter(pk__in=keys))
            texts_remove_unused(texts={text for row in rows for text in row[1:] if text is not None})
    with transaction.atomic():
        Import.objects.filter(staging=project).update(staging=None)
        _delete(StagedLink.objects.filter(project=project))
        _delete(Annotator.objects.filter(project=project))
        _delete(Guideline.objects.filter(project=project))
        _delete(Project.with_staged.filter(pk=project.pk))


_USES = ("pk", "a_id", "b_id", "statement_id")


def _delete(rows: models.QuerySet[Any]) -> None:
    """Delete rows that nothing else refers to, without loading them and without a history."""
    rows.order_by()._raw_delete(rows.db)
