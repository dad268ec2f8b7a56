"""Imports: what a format was read into becomes rows, all of it or nothing, and a second time without duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Max

from annotation import formats
from annotation.formats.fields import LONGEST_ALIAS, LONGEST_ID, LONGEST_LANGUAGE, LONGEST_SPLIT
from annotation.formats.record import FormatError, PairRecord, Reading, Rejection, TextRecord
from annotation.formats.source import unstorable
from annotation.models import Guideline, Pair, Project, Text, User
from annotation.services.import_report import ImportRefused, ImportReport
from annotation.services.import_work import fold_labels, import_gold, import_work, work_problems
from annotation.services.projects import project_create
from annotation.services.texts import BATCH, texts_create


def import_files(
    *,
    slug: str,
    paths: Sequence[Path],
    format: str = "",
    options: Mapping[str, str] | None = None,
    scheme: Mapping[str, Any] | None = None,
    dry_run: bool = False,
    by: User | None = None,
) -> ImportReport:
    """Read `paths` and import them. Raises ImportRefused naming everything that is wrong, and then changes nothing."""
    try:
        reading = formats.read(format, paths, options)
    except FormatError as error:
        raise ImportRefused(error.rejections) from error
    return import_pairs(slug=slug, reading=reading, scheme=scheme, dry_run=dry_run, by=by)


def import_pairs(
    *,
    slug: str,
    reading: Reading,
    scheme: Mapping[str, Any] | None = None,
    dry_run: bool = False,
    by: User | None = None,
) -> ImportReport:
    """Write a reading into the project `slug`, in one transaction; `dry_run` undoes it and reports the same.

    A project that is not there is made, led by `by`, with `scheme` or else the format's. A pair that is there under
    its id with the same texts is kept, and gets the annotations, the gold and the translations that it has not yet;
    nothing that is there is changed. Raises ImportRefused for a pair that is there with other texts, for an id that
    stands twice, and for spans that labels or texts forbid.
    """
    with transaction.atomic():
        project = Project.objects.select_for_update().filter(slug=slug).first()
        report = ImportReport(slug, project is None, dry_run, oddities=reading.oddities.copy())
        if project is None:
            made_of = scheme if scheme is not None else reading.scheme.to_json()
            project = project_create(name=slug, slug=slug, scheme=made_of, lead=by)
            report.project = project.slug
        _write(project, reading, report)
        if dry_run:
            transaction.set_rollback(True)
    return report


def _write(project: Project, reading: Reading, report: ImportReport) -> None:
    records = reading.records
    rejections = [*_twice(records), *_unstorable(records)]
    there = _pairs_by_id(project, [record.id for record in records])
    for record in records:
        known = there.get(record.id)
        if known is not None and (what := _differs(known, record)):
            rejections.append(
                Rejection(
                    record.where,
                    f"'{record.id}' is in the project with another {what}; give it another id, or import it elsewhere",
                )
            )
    if rejections:
        raise ImportRefused(rejections)
    scheme = project.labels
    fold_labels(records, scheme, reading.folds, report)
    new = [record for record in records if record.id not in there]
    report.pairs_new, report.pairs_known = len(new), len(records) - len(new)
    _add_translations(there, records)
    there.update(_create_pairs(project, new))
    _keep_guidelines(project, reading.guidelines)
    named = {record.mirror for record in records if record.mirror} - there.keys()
    _link_mirrors({**_pairs_by_id(project, sorted(named)), **there}, records)
    if problems := work_problems(records, there, scheme):
        raise ImportRefused(problems)
    import_work(project, records, there, report)
    import_gold(records, there, report)


def _twice(records: Iterable[PairRecord]) -> list[Rejection]:
    first: dict[str, str] = {}
    rejections = []
    for record in records:
        if record.id in first:
            reason = f"the id '{record.id}' stands twice; first in {first[record.id]}"
            rejections.append(Rejection(record.where, reason))
        else:
            first[record.id] = record.where
    return rejections


def _unstorable(records: Iterable[PairRecord]) -> list[Rejection]:
    """What no row could hold, whichever format it came from: names that are too long, texts that are no Unicode."""
    rejections = []
    for record in records:
        named = [("id", record.id, LONGEST_ID), ("split", record.split, LONGEST_SPLIT)]
        for text in filter(None, (record.a, record.b, record.statement)):
            named += [("language", text.language, LONGEST_LANGUAGE), ("text", text.text, 0)]
        named += [("translation", text, 0) for texts in record.translations.values() for text in texts]
        named += [("annotator", item.annotator, LONGEST_ALIAS) for item in record.annotations]
        for name, value, longest in named:
            problem = unstorable(value)
            if longest and len(value) > longest:
                problem = f"{len(value)} characters; at most {longest} can be kept"
            if problem:
                rejections.append(Rejection(record.where, f"{name}: {problem}"))
    return rejections


def _pairs_by_id(project: Project, ids: Sequence[str]) -> dict[str, Pair]:
    found: dict[str, Pair] = {}
    for at in range(0, len(ids), BATCH):
        pairs = Pair.objects.filter(project=project, external_id__in=ids[at : at + BATCH])
        for pair in pairs.select_related("a", "b", "statement"):
            pair.project = project  # one project, read once
            found[pair.external_id] = pair
    return found


def _differs(pair: Pair, record: PairRecord) -> str:
    """Which text of a known pair the record contradicts; '' for none."""
    sides: tuple[tuple[str, Text | None, TextRecord | None], ...] = (
        ("text on side A", pair.a, record.a),
        ("text on side B", pair.b, record.b),
        ("statement", pair.statement, record.statement),
    )
    for name, text, given in sides:
        if text is None or given is None:
            if (text is None) != (given is None):
                return name
        elif (text.language, text.content) != (given.language, given.text):
            return name
        elif given.tokens is not None and [list(token) for token in given.tokens] != text.tokens:
            return f"cut of the {name} into tokens"
    return ""


def _create_pairs(project: Project, records: Sequence[PairRecord]) -> dict[str, Pair]:
    last = Pair.objects.filter(project=project).aggregate(last=Max("position"))["last"]
    position = 0 if last is None else last + 1
    made: dict[str, Pair] = {}
    for at in range(0, len(records), BATCH):
        batch = records[at : at + BATCH]
        texts = texts_create(records=[text for record in batch for text in (record.a, record.b)])
        spoken = [record.statement for record in batch if record.statement is not None]
        statements = iter(texts_create(records=spoken))
        pairs = [
            Pair(
                project=project,
                a=texts[2 * index],
                b=texts[2 * index + 1],
                statement=next(statements) if record.statement is not None else None,
                external_id=record.id,
                split=record.split,
                metadata=record.metadata,
                translations=record.translations,
                position=position + at + index,
            )
            for index, record in enumerate(batch)
        ]
        made.update({pair.external_id: pair for pair in Pair.objects.bulk_create(pairs, batch_size=BATCH)})
    return made


def _add_translations(there: Mapping[str, Pair], records: Iterable[PairRecord]) -> None:
    """Translations that came later than their pair: of a side that has none yet."""
    given: list[Pair] = []
    for record in records:
        pair = there.get(record.id)
        if pair is not None and record.translations.keys() - pair.translations.keys():
            pair.translations = {**record.translations, **pair.translations}
            given.append(pair)
    Pair.objects.bulk_update(given, ["translations"], batch_size=BATCH)


def _keep_guidelines(project: Project, guidelines: Mapping[int, str]) -> None:
    """The guidelines that came along, where the project has none of its own."""
    if not Guideline.objects.filter(project=project).exists():
        rows = [Guideline(project=project, version=version, text=text) for version, text in guidelines.items()]
        Guideline.objects.bulk_create(rows)


def _link_mirrors(pairs: Mapping[str, Pair], records: Iterable[PairRecord]) -> None:
    """Tie each pair to the one it names as its mirror, both ways, where that one is there and neither has one yet."""
    linked: dict[int, Pair] = {}
    for record in records:
        pair, mirror = pairs[record.id], pairs.get(record.mirror)
        if mirror is not None and mirror.pk != pair.pk and pair.mirror_id is None and mirror.mirror_id is None:
            pair.mirror, mirror.mirror = mirror, pair
            linked.update({pair.pk: pair, mirror.pk: mirror})
    Pair.objects.bulk_update(linked.values(), ["mirror"], batch_size=BATCH)
