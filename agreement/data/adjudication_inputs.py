"""Turns annotations into cases, as rules and adjudicators see a pair: the bridge from rows to adjudication."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from agreement.adjudication.base import Case, Vote
from agreement.selectors import withdrawals
from annotation.models import Annotation, Pair, Project, Source, Status
from annotation.selectors.annotations import annotation_list
from annotation.selectors.pairs import pair_list

UNUSED_ANNOTATION_FIELDS = ("read_paragraphs", "dismissed", "label_counts", "provenance", "unmarked")
"""Fields that neither rules nor adjudicators use; their JSON is not loaded and parsed."""
UNUSED_PAIR_FIELDS = ("metadata", "a__sentences", "a__paragraphs", "b__sentences", "b__paragraphs")


def submitted_annotations(
    project: Project, phase: str, pairs: Iterable[int] | None = None
) -> dict[int, list[Annotation]]:
    """The submitted annotations of a phase, by pair, in the order of the pairs.

    Without those of people who withdrew their consent, on whom no gold can rest any more, without re-tests by the same
    person, and without reassigned work, which someone else does instead. The pairs' texts are not loaded. `pairs`: only
    these.
    """
    annotations = (
        annotation_list(project, source=Source.HUMAN, phase=phase).filter(assignment__round=0).exclude(verdict="")
    )
    annotations = annotations.exclude(assignment__status=Status.REASSIGNED)
    annotations = annotations.exclude(assignment__annotator__in=list(withdrawals(project)))
    annotations = (
        annotations.select_related(None).select_related("assignment__annotator").defer(*UNUSED_ANNOTATION_FIELDS)
    )
    if pairs is not None:
        annotations = annotations.filter(pair__in=list(pairs))
    by_pair: dict[int, list[Annotation]] = defaultdict(list)
    for annotation in annotations:
        by_pair[annotation.pair_id].append(annotation)
    return dict(by_pair)


def annotator_of(annotation: Annotation) -> int:
    """The key of the membership of whoever made an annotation; 0 for the gold."""
    return annotation.assignment.annotator_id if annotation.assignment else 0


def cases_of(project: Project, phase: str) -> dict[int, tuple[Pair, Case]]:
    """Every submitted pair of a phase with its annotations; each text is read once."""
    submitted = submitted_annotations(project, phase)
    pairs = {pair.pk: pair for pair in pair_list(project).filter(pk__in=submitted).defer(*UNUSED_PAIR_FIELDS)}
    for pair in pairs.values():
        pair.project = project
    return {pk: (pairs[pk], case_of(pairs[pk], annotations)) for pk, annotations in submitted.items()}


def case_of(pair: Pair, annotations: Sequence[Annotation]) -> Case:
    """A pair's annotations as a rule sees them."""
    votes = tuple(
        Vote(
            annotation.pk,
            annotation.assignment.annotator.alias if annotation.assignment else "",
            tuple(annotation.parsed_spans),
            annotation.verdict,
            annotation.answers,
        )
        for annotation in annotations
    )
    return Case(pair.external_id, votes, {"a": pair.a.tokens, "b": pair.b.tokens}, pair.project.labels)
