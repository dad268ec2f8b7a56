"""A project as records, pair by pair: the input of every format's writer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.formats.record import AnnotationRecord, Origin, PairRecord, TextRecord
from annotation.models import Annotation, Annotator, Assignment, Pair, Project, Text
from annotation.selectors.annotations import IS_GOLD
from annotation.text.spans import parse_document

BATCH = 200
_LEFT_OUT = [f"{text}__{column}" for text in ("a", "b", "statement") for column in ("sentences", "paragraphs")]
"""Columns that no format writes."""
_NUMBER = re.compile(r"(annotator)?\d+")


def published_names(project: Project) -> dict[int, str]:
    """The public names of annotators by id: numbers in the order in which they joined.

    An alias that is already a number ('3', 'annotator1', as in published sources) is kept; any other might be a
    person's name.
    """
    people = list(Annotator.objects.filter(project=project).order_by("pk").values_list("pk", "alias"))
    names = {pk: alias for pk, alias in people if _NUMBER.fullmatch(alias)}
    taken = set(names.values())
    number = 0
    for pk, _ in people:
        if pk not in names:
            number += 1
            while f"annotator{number}" in taken:
                number += 1
            names[pk] = f"annotator{number}"
    return names


def own_names(project: Project) -> dict[int, str]:
    """Annotators under the project's own aliases."""
    return dict(Annotator.objects.filter(project=project).values_list("pk", "alias"))


def pair_records(
    project: Project, *, gold: int | None, names: Mapping[int, str], submitted_only: bool
) -> Iterator[PairRecord]:
    """The pairs of a project in order, each with its annotations and the gold of version `gold` (None: no gold).

    `submitted_only`: only work with a verdict; otherwise also open assignments and work in progress. Pairs are read in
    batches, so that memory does not grow with the project.
    """
    keys = list(Pair.objects.filter(project=project).order_by("position", "pk").values_list("pk", flat=True))
    for at in range(0, len(keys), BATCH):
        batch = keys[at : at + BATCH]
        pairs = Pair.objects.select_related("a", "b", "statement", "mirror").defer(*_LEFT_OUT).in_bulk(batch)
        work = _work(batch, names, submitted_only)
        decided = _gold(batch, gold)
        people = _people(decided.values(), names)
        for key in batch:
            yield _record(pairs[key], work.get(key, []), decided.get(key), people)


def _people(gold: Iterable[Annotation], names: Mapping[int, str]) -> dict[int, str]:
    """Who made the annotations that the gold is based on."""
    origins = [origin for annotation in gold for origin in annotation.provenance.values()]
    keys = {key for origin in origins for key in origin.get("annotations", ())}
    found = Annotation.objects.filter(pk__in=keys).values_list("pk", "assignment__annotator")
    return {pk: names[person] for pk, person in found if person in names}


def _origin(provenance: Mapping[str, Any], people: Mapping[int, str]) -> Origin:
    """Without the name of an adjudicator, which is private."""
    annotators = {people[key] for key in provenance.get("annotations", ()) if key in people}
    return Origin(str(provenance.get("rule", "")), tuple(sorted(annotators)))


def _record(pair: Pair, work: list[AnnotationRecord], gold: Annotation | None, people: Mapping[int, str]) -> PairRecord:
    return PairRecord(
        id=pair.external_id,
        a=_text(pair.a),
        b=_text(pair.b),
        statement=None if pair.statement is None else _text(pair.statement),
        split=pair.split,
        mirror="" if pair.mirror is None else pair.mirror.external_id,
        metadata=pair.metadata,
        # Translations that a model made here are not part of the data.
        translations=pair.supplied_translations,
        annotations=work,
        gold=None if gold is None else gold.parsed_spans,
        gold_answers={} if gold is None else gold.answers,
        origins={key: _origin(value, people) for key, value in gold.provenance.items()} if gold else {},
        where=f"pair {pair.pk}",
    )


def _text(text: Text) -> TextRecord:
    """The text with its tokens: spans lie on these, even if a later tokenizer would split it differently."""
    return TextRecord(text.language, text.content, [(start, end) for start, end in text.tokens], text.tokenizer)


def _work(pairs: Sequence[int], names: Mapping[int, str], submitted_only: bool) -> dict[int, list[AnnotationRecord]]:
    found = Assignment.objects.filter(pair__in=pairs).select_related("annotation__guideline")
    result: dict[int, list[AnnotationRecord]] = defaultdict(list)
    for assignment in found.order_by("annotator_id", "phase", "round"):
        annotation: Annotation | None = getattr(assignment, "annotation", None)
        if submitted_only and (annotation is None or not annotation.verdict):
            continue
        record = AnnotationRecord(
            names[assignment.annotator_id],
            phase=assignment.phase,
            round=assignment.round,
            status=assignment.status,
            highlights=assignment.highlights_shown,
        )
        if annotation is None:
            record.verdict = ""
        else:
            _fill(record, annotation)
        result[assignment.pair_id].append(record)
    return result


def _fill(record: AnnotationRecord, annotation: Annotation) -> None:
    record.guideline = annotation.guideline.version if annotation.guideline else None
    record.verdict, record.reason, record.comment = annotation.verdict, annotation.reason, annotation.comment
    record.answers, record.active_seconds = annotation.answers, annotation.active_seconds
    record.spans, record.revision = parse_document(annotation.spans), annotation.revision


def _gold(pairs: Sequence[int], version: int | None) -> dict[int, Annotation]:
    if version is None:
        return {}
    found = Annotation.objects.filter(IS_GOLD, pair__in=pairs, gold_version=version)
    return {annotation.pair_id: annotation for annotation in found}
