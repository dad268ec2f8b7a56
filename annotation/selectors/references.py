"""Reads about references (a pair's gold, as its annotator is shown it): who may see one, and who has seen it.

Two pairs with the same two texts, swapped or not, share their answer: seeing the reference of one reveals the other.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from django.db.models import Q, QuerySet

from annotation.models import (
    Annotation,
    Annotator,
    Assignment,
    Pair,
    Phase,
    Project,
    ReferenceView,
    Source,
    Status,
    User,
    Verdict,
)
from annotation.selectors.annotations import IS_GOLD, gold_of
from annotation.vocabulary import UNFINISHED

ShownPairs = Collection[int] | QuerySet[Pair, int]
"""The keys of pairs that a page shows, as a query if there may be many."""
_NO_ANNOTATOR = 0
_TEXTS = ("pair_id", "pair__mirror_id", "pair__a__digest", "pair__b__digest")


def same_texts(pair: Pair) -> Q:
    """Rows whose pair has the texts of `pair`: the pair itself, its mirror, and duplicates."""
    a, b = pair.a.digest, pair.b.digest
    straight, swapped = Q(pair__a__digest=a, pair__b__digest=b), Q(pair__a__digest=b, pair__b__digest=a)
    return Q(pair=pair) | Q(pair__mirror=pair) | (Q(pair__project=pair.project_id) & (straight | swapped))


def reference_of(assignment: Assignment) -> Annotation | None:
    """The reference of a submitted qualification pair; None in other phases, before submission and without gold."""
    if assignment.phase != Phase.QUALIFICATION or assignment.status != Status.DONE:
        return None
    return gold_of(assignment.pair)


def is_reference_withheld(assignment: Assignment) -> bool:
    """Whether this person still has to annotate the same texts in some phase, and could copy from the reference."""
    return assignment.pair_id in pairs_to_finish(assignment.annotator)


def pairs_to_finish(annotator: Annotator) -> set[int]:
    """A person's assigned pairs whose texts they have not finished in all their assignments."""
    rows = list(Assignment.objects.filter(annotator=annotator).order_by().values_list("status", *_TEXTS))
    to_do = [row for row in rows if row[0] in UNFINISHED]
    pairs = {pk for _status, pair, mirror, _a, _b in to_do for pk in (pair, mirror) if pk}
    texts = {_key(a, b) for _status, _pair, _mirror, a, b in to_do}
    return {pair for _status, pair, mirror, a, b in rows if {pair, mirror} & pairs or _key(a, b) in texts}


def reference_seen(assignment: Assignment) -> bool:
    """Whether the annotator of an assignment was shown the reference of its texts."""
    views = ReferenceView.objects.filter(annotator=assignment.annotator_id)
    return views.filter(same_texts(assignment.pair)).exists()


def references_unrecorded(project: Project, user: User, pairs: ShownPairs) -> set[tuple[int, int]]:
    """(annotator, pair): those of `pairs` with gold whose texts are in `user`'s own assignments, not recorded yet.

    Assignments of a membership that was ended count: it may be restored.
    """
    memberships = Annotator.objects.filter(Q(user=user) | Q(former_user=user), project=project)
    own: dict[int, tuple[set[int], set[frozenset[str]]]] = {}
    assignments = Assignment.objects.filter(annotator__in=memberships).order_by().values_list("annotator_id", *_TEXTS)
    for annotator, pair, mirror, a, b in assignments.distinct():
        keys, texts = own.setdefault(annotator, (set(), set()))
        keys.update(each for each in (pair, mirror) if each)
        texts.add(_key(a, b))
    if not own:
        return set()
    shown = Pair.objects.filter(project=project, pk__in=pairs, annotations__source=Source.GOLD).order_by()
    rows = shown.values_list("pk", "mirror_id", "a__digest", "b__digest").distinct()
    visible = {
        (annotator, pk)
        for pk, mirror, a, b in rows
        for annotator, (keys, texts) in own.items()
        if {pk, mirror} & keys or _key(a, b) in texts
    }
    recorded = ReferenceView.objects.filter(annotator__in=own, pair__in=pairs).values_list("annotator_id", "pair_id")
    return visible - set(recorded)


def submission_final(assignment: Assignment) -> bool:
    """Whether a submission is final: the first one counts if there is a reference to compare it with."""
    submitted = assignment.phase == Phase.QUALIFICATION and assignment.status == Status.DONE
    if submitted and Annotation.objects.filter(IS_GOLD).filter(same_texts(assignment.pair)).exists():
        return True
    return reference_seen(assignment)


@dataclass(frozen=True, slots=True)
class KnownReferences:
    """(annotator, pair) and (annotator, digests of a pair's texts) of references that a person knows."""

    pairs: set[tuple[int, int]] = field(default_factory=set)
    texts: set[tuple[int, frozenset[str]]] = field(default_factory=set)

    def add(self, annotator: int, pair: int, mirror: int | None, a: str, b: str) -> None:
        self.texts.add((annotator, _key(a, b)))
        self.pairs.update((annotator, each) for each in (pair, mirror) if each)

    def has(self, annotator: int, pair: Pair) -> bool:
        """Whether an annotator knows the reference of a pair, which may be unsaved."""
        return self.has_texts(annotator, pair.pk, pair.a.digest, pair.b.digest)

    def has_texts(self, annotator: int, pair: int | None, a: str, b: str) -> bool:
        """The same for a pair by its key, None if it is unsaved, and the digests of its texts."""
        return (annotator, pair) in self.pairs or (annotator, _key(a, b)) in self.texts


def known_references(project: Project) -> KnownReferences:
    """The references that people were shown, or may see at any time after submitting in the qualification."""
    shown = ReferenceView.objects.filter(pair__project=project)
    submitted = Assignment.objects.filter(
        pair__project=project,
        phase=Phase.QUALIFICATION,
        status=Status.DONE,
        pair__annotations__source=Source.GOLD,
        pair__annotations__verdict=Verdict.SUBMITTED,
    )
    references = KnownReferences()
    for rows in (shown, submitted):
        for row in rows.order_by().values_list("annotator_id", *_TEXTS).distinct():
            references.add(*row)
    return references


def submissions_final(project: Project, submitted: QuerySet[Assignment]) -> set[int]:
    """The keys of those of a project's submitted assignments of which `submission_final` is true; three queries."""
    shown, with_gold = KnownReferences(), KnownReferences()
    for row in ReferenceView.objects.filter(pair__project=project).values_list("annotator_id", *_TEXTS):
        shown.add(*row)
    for pair, mirror, a, b in Annotation.objects.filter(IS_GOLD, pair__project=project).values_list(*_TEXTS).distinct():
        with_gold.add(_NO_ANNOTATOR, pair, mirror, a, b)
    columns = ("pk", "phase", "annotator_id", "pair_id", "pair__a__digest", "pair__b__digest")
    return {
        pk
        for pk, phase, annotator, pair, a, b in submitted.order_by().values_list(*columns)
        if shown.has_texts(annotator, pair, a, b)
        or (phase == Phase.QUALIFICATION and with_gold.has_texts(_NO_ANNOTATOR, pair, a, b))
    }


def pairs_with_known_reference(project: Project) -> set[tuple[int, int]]:
    """(annotator, pair): pairs that must no longer be assigned to that person because they know the reference."""
    references = known_references(project)
    if not references.texts:
        return references.pairs
    by_texts: dict[frozenset[str], list[int]] = {}
    for pk, a, b in Pair.objects.filter(project=project).order_by().values_list("pk", "a__digest", "b__digest"):
        by_texts.setdefault(_key(a, b), []).append(pk)
    return references.pairs | {(annotator, pk) for annotator, key in references.texts for pk in by_texts[key]}


def _key(a: str, b: str) -> frozenset[str]:
    return frozenset((a, b))
