"""A project as records: complete for its own archive, submitted work under public names for publication."""

from __future__ import annotations

import pytest

from annotation.formats.record import Origin
from annotation.models import Annotation, Source, Status
from annotation.selectors.export_records import pair_records, project_aliases, published_names
from tests.annotation.writes import gold_write
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def test_public_names_are_numbers() -> None:
    project = ProjectFactory()
    people = [AnnotatorFactory(project=project, alias=alias) for alias in ("anna", "3", "annotator1", "bruno")]
    assert [published_names(project)[person.pk] for person in people] == ["annotator2", "3", "annotator1", "annotator3"]
    assert project_aliases(project)[people[0].pk] == "anna"


def test_pairs_come_in_order_with_the_gold_of_the_version_asked_for() -> None:
    project = ProjectFactory()
    second, first = PairFactory(project=project, position=7), PairFactory(project=project, position=3)
    first.mirror = second
    first.save()
    gold_write(pair=second, version=2, spans=[], provenance={})
    records = list(pair_records(project, gold=2, names={}, submitted_only=True))
    assert [(record.id, record.gold) for record in records] == [(first.external_id, None), (second.external_id, [])]
    assert records[0].mirror == second.external_id
    assert records[0].a.tokens == [tuple(token) for token in first.a.tokens]
    assert next(pair_records(project, gold=None, names={}, submitted_only=True)).gold is None


def test_gold_says_whose_annotations_it_is_based_on_and_not_who_decided() -> None:
    assignment = AssignmentFactory()
    pair = assignment.pair
    made = Annotation.objects.create(source=Source.HUMAN, pair=pair, assignment=assignment)
    provenance = {"s1": {"annotations": [made.pk], "rule": "hand", "by": "giulietta"}}
    gold_write(pair=pair, version=1, spans=[], provenance=provenance)
    (record,) = pair_records(pair.project, gold=1, names={assignment.annotator_id: "annotator7"}, submitted_only=True)
    assert record.origins == {"s1": Origin("hand", ("annotator7",))}


@pytest.mark.parametrize(("submitted_only", "verdicts"), [(True, ["submitted"]), (False, ["submitted", "", ""])])
def test_unsubmitted_work_is_only_in_one_s_own_records(submitted_only: bool, verdicts: list[str]) -> None:
    pair = PairFactory()
    for status, verdict in ((Status.DONE, "submitted"), (Status.STARTED, ""), (Status.OPEN, None)):
        assignment = AssignmentFactory(pair=pair, status=status)
        if verdict is not None:
            Annotation.objects.create(source=Source.HUMAN, pair=pair, assignment=assignment, verdict=verdict)
    (record,) = pair_records(
        pair.project, gold=None, names=project_aliases(pair.project), submitted_only=submitted_only
    )
    assert [item.verdict for item in record.annotations] == verdicts
