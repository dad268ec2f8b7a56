"""A project as records, pair by pair: the input of every format's writer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import F, QuerySet, TextField
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast
from django.utils.translation import gettext, gettext_noop, override

from annotation.formats.record import AnnotationRecord, Origin, PairRecord, StoredRanges, TextRecord
from annotation.formats.xparade.names import EMPTY_COMMENTS, NameLookup, rename_in_metadata
from annotation.models import Annotation, Annotator, Assignment, Pair, Project, Text
from annotation.selectors.annotations import IS_GOLD
from annotation.selectors.highlights import highlights_seen
from annotation.text.spans import parse_spans
from annotation.vocabulary import Status

BATCH = 200
FORMER = "former"
"""Stands for someone who is not named: who has left, or withdrawn their consent."""
REASSIGNED = gettext_noop("Reassigned to %(alias)s")
"""The reason of work that is reassigned to someone, as it is written in the language of who does it."""
PUBLIC_NAME = re.compile(r"(annotator)?\d+")


def published_names(project: Project) -> dict[int, str]:
    """The public names of annotators by id."""
    people = Annotator.objects.filter(project=project).order_by("pk")
    return assign_published_names(list(people.values_list("pk", "alias", "published_as")))


def assign_published_names(people: Sequence[tuple[int, str, str]]) -> dict[int, str]:
    """As `published_names`, of people with alias and earlier public name ('' for none), in the order of joining.

    A name that was published stays. Otherwise an alias that is already a number ('3', 'annotator1', as in published
    sources) is kept if nobody has it; any other might be a person's name, and the next free number takes its place.
    """
    names = {pk: before for pk, _alias, before in people if before}
    taken = set(names.values())
    for pk, alias, before in people:
        if not before and PUBLIC_NAME.fullmatch(alias) and alias not in taken:
            names[pk] = alias
            taken.add(alias)
    number = 0
    for pk, _alias, _before in people:
        if pk not in names:
            number += 1
            while f"annotator{number}" in taken:
                number += 1
            names[pk] = f"annotator{number}"
    return names


def published_aliases(project: Project) -> dict[str, str]:
    """As `published_names`, by alias."""
    aliases = project_aliases(project)
    return {aliases[pk]: name for pk, name in published_names(project).items()}


def reason_renamed(reason: str, called: Mapping[str, str]) -> str:
    """Why work was reassigned ('Reassigned to Anna'), with another name. `called`: names by alias.

    It is only changed if it is exactly what this program writes in one of its languages. Call it for assignments that
    were reassigned; any other reason is in the annotator's own words.
    """
    for before, after in _reassigned():
        alias = reason[len(before) : len(reason) - len(after)]
        if alias in called and reason == before + alias + after:
            return before + called[alias] + after
    return reason


def reasons_of_reassigned(project: Project) -> QuerySet[Annotation]:
    """The work whose reason this program wrote: it was reassigned."""
    return Annotation.objects.filter(pair__project=project, assignment__status=Status.REASSIGNED)


@cache
def _reassigned() -> list[tuple[str, str]]:
    """What REASSIGNED says before and after the name, in every language."""
    pairs = []
    for language, _name in settings.LANGUAGES:
        with override(language):
            before, _gap, after = gettext(REASSIGNED).partition("%(alias)s")
        pairs.append((before, after))
    return pairs


def annotators_by_source(project: Project) -> Callable[[object], int | None]:
    """A function from a name in a source to the annotator's key, by the aliases that people have or had.

    Leading zeros of numbers are ignored.
    """
    now = project_aliases(project)
    earlier = Annotator.history.filter(project=project.pk, id__in=list(now)).values_list("alias", "id").distinct()
    exactly = dict(earlier) | {alias: pk for pk, alias in now.items()}
    numbers = {_unpadded(alias): pk for alias, pk in exactly.items()}
    return lambda name: exactly.get(str(name), numbers.get(_unpadded(str(name))))


def _unpadded(name: str) -> str:
    return name.lstrip("0") if name.isdecimal() else name


def project_aliases(project: Project) -> dict[int, str]:
    """Annotators under the project's own aliases."""
    return dict(Annotator.objects.filter(project=project).values_list("pk", "alias"))


def pair_records(
    project: Project,
    *,
    gold: int | None,
    names: Mapping[int, str],
    submitted_only: bool,
    without_gold: Collection[int] = (),
) -> Iterator[PairRecord]:
    """The pairs of a project in order, each with its annotations and the gold of version `gold` (None: no gold).

    `names` are the annotators whose work is in them. `without_gold`: pairs whose gold is omitted. `submitted_only`:
    only work with a verdict; otherwise also open assignments and work in progress. Pairs are read in batches, so that
    memory does not grow with the project.
    """
    shown_highlights = highlights_seen(project)
    called = {alias: names.get(pk, FORMER) for pk, alias in project_aliases(project).items()}
    who: Callable[[object], int | None] | None = None

    def name_of(name: object) -> str | None:
        nonlocal who
        who = who or annotators_by_source(project)
        return names.get(who(name) or 0)

    keys = list(Pair.objects.filter(project=project).order_by("position", "pk").values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        pairs = Pair.objects.annotate(mirror_name=F("mirror__external_id")).in_bulk(batch)
        texts = _texts(pairs.values())
        annotations = _annotation_records(batch, names, called, submitted_only, shown_highlights)
        decided = _gold([key for key in batch if key not in without_gold], gold)
        people = _people(decided.values(), names)
        for key in batch:
            yield _record(pairs[key], texts, annotations.get(key, []), decided.get(key), people, name_of)


def _people(gold: Iterable[Annotation], names: Mapping[int, str]) -> dict[int, str]:
    """Who made the annotations that the gold is based on."""
    origins = [origin for annotation in gold for origin in annotation.provenance.values()]
    keys = {key for origin in origins for key in origin.get("annotations", ())}
    rows = Annotation.objects.filter(pk__in=keys).values_list("pk", "assignment__annotator")
    return {pk: names[person] for pk, person in rows if person in names}


def _origin(provenance: Mapping[str, Any], people: Mapping[int, str]) -> Origin:
    """Where a gold span comes from, without the name of an adjudicator, which is private."""
    annotators = {people[key] for key in provenance.get("annotations", ()) if key in people}
    return Origin(str(provenance.get("rule", "")), tuple(sorted(annotators)))


def _record(
    pair: Any,
    texts: Mapping[int, TextRecord],
    annotations: list[AnnotationRecord],
    gold: Annotation | None,
    people: Mapping[int, str],
    name_of: NameLookup,
) -> PairRecord:
    """`pair` is a Pair with the name of its mirror, `texts` are by key."""
    return PairRecord(
        id=pair.external_id,
        a=texts[pair.a_id],
        b=texts[pair.b_id],
        statement=None if pair.statement_id is None else texts[pair.statement_id],
        split=pair.split,
        mirror=pair.mirror_name or "",
        metadata=rename_in_metadata(pair.metadata, name_of) if EMPTY_COMMENTS in pair.metadata else pair.metadata,
        # Translations that a model made here are not part of the data.
        translations=pair.supplied_translations,
        annotations=annotations,
        gold=None if gold is None else gold.parsed_spans,
        gold_answers={} if gold is None else gold.answers,
        origins={key: _origin(value, people) for key, value in gold.provenance.items()} if gold else {},
        where=f"pair '{pair.external_id[:80]}'",
    )


def _texts(pairs: Iterable[Pair]) -> dict[int, TextRecord]:
    """By key: texts with their tokens. Spans lie on these, even if a later tokenizer would split it differently."""
    keys = {key for pair in pairs for key in (pair.a_id, pair.b_id, pair.statement_id) if key is not None}
    rows = Text.objects.filter(pk__in=keys).order_by().annotate(ranges=Cast("tokens", TextField()))
    return {
        pk: TextRecord(language, content, StoredRanges(ranges), tokenizer)
        for pk, language, content, ranges, tokenizer in rows.values_list(
            "pk", "language", "content", "ranges", "tokenizer"
        )
    }


_OF_ASSIGNMENT = ("pair_id", "annotator_id", "phase", "round", "status", "seen")
_OF_ANNOTATION = (
    "guideline__version",
    "verdict",
    "reason",
    "comment",
    "answers",
    "active_seconds",
    "spans",
    "revision",
)


def _annotation_records(
    pairs: Sequence[int],
    names: Mapping[int, str],
    called: Mapping[str, str],
    submitted_only: bool,
    shown_highlights: Combinable,
) -> dict[int, list[AnnotationRecord]]:
    assignments = (
        Assignment.objects.filter(pair__in=pairs, annotator__in=list(names))
        .annotate(seen=shown_highlights)
        .order_by("annotator_id", "phase", "round")
    )
    result: dict[int, list[AnnotationRecord]] = defaultdict(list)
    for row in assignments.values_list(*_OF_ASSIGNMENT, *(f"annotation__{column}" for column in _OF_ANNOTATION)):
        pair, annotator, phase, number, status, shown, *content = row
        guideline, verdict, reason, comment, answers, seconds, spans, revision = content
        # An assignment that was not started has no annotation, so no verdict either.
        if submitted_only and not verdict:
            continue
        record = AnnotationRecord(
            names[annotator], phase=phase, round=number, status=status, verdict=verdict or "", highlights=shown
        )
        if verdict is not None:
            record.guideline, record.comment = guideline, comment
            record.reason = reason_renamed(reason, called) if status == Status.REASSIGNED else reason
            record.answers, record.active_seconds = answers, seconds
            record.spans, record.revision = parse_spans(spans), revision
        result[pair].append(record)
    return result


def _gold(pairs: Sequence[int], version: int | None) -> dict[int, Annotation]:
    if version is None:
        return {}
    annotations = Annotation.objects.filter(IS_GOLD, pair__in=pairs, gold_version=version)
    return {annotation.pair_id: annotation for annotation in annotations}
