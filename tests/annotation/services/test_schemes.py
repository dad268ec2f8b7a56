"""Changes of a scheme while work exists: nothing recorded becomes invalid, in no revision and under no race."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from annotation.errors import Conflict, Invalid
from annotation.models import Annotation, Assignment, Project
from annotation.selectors.schemes import labels_in_history, scheme_revision, scheme_usage
from annotation.services import annotations as saving
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from annotation.services.schemes import ConfirmationNeeded, SchemeRefused, scheme_change, scheme_read
from annotation.text.schemes import PRESETS, Scheme
from tests.annotation.work import BIBLIOTHEK, LIBRARY, NOTHING, doc, span
from tests.factories import AssignmentFactory, PairFactory

pytestmark = pytest.mark.django_db
GRADED = PRESETS["graded"]


@pytest.fixture
def assignment() -> Assignment:
    made: Assignment = AssignmentFactory()
    return made


def change(project: Project, scheme: Scheme, **more: Any) -> Project:
    base = scheme_revision(Project.objects.get(pk=project.pk).scheme)
    return scheme_change(project=project, scheme=scheme.to_json(), base=base, **more)


def save(assignment: Assignment, base: int, *spans: dict[str, Any]) -> Annotation:
    fresh = Assignment.objects.select_related("annotator__project", "pair").get(pk=assignment.pk)
    return annotation_save(assignment=fresh, by=None, base=base, sent=AnnotationInput(spans=doc(*spans)))


def without(*keys: str) -> Scheme:
    return replace(GRADED, labels=tuple(label for label in GRADED.labels if label.key not in keys))


def test_a_label_of_an_earlier_revision_stays_too(assignment: Assignment) -> None:
    project = assignment.pair.project
    save(assignment, 0, span(LIBRARY, label="2"))
    save(assignment, 1, span(LIBRARY, label="3"))
    assert scheme_usage(project).labels == {"3": 1}
    assert labels_in_history(project, ["2", "3", "4"]) == {"2": 1, "3": 2}
    with pytest.raises(SchemeRefused, match="the label '2' is in use"):
        change(project, without("2"))
    with pytest.raises(ConfirmationNeeded, match="no saved work uses"):
        change(project, without("5"))
    assert change(project, without("5"), confirmed=True).labels.keys == ["1", "2", "3", "4"]


def test_a_label_of_any_letters_is_found_in_the_history() -> None:
    odd = 'é "ŋ\\'
    scheme = json.loads(json.dumps(GRADED.to_json()).replace('"key": "4"', f'"key": {json.dumps(odd)}'))
    assignment = AssignmentFactory(pair=PairFactory(project__scheme=scheme))
    project = assignment.pair.project
    save(assignment, 0, span(LIBRARY, label=odd))
    assert labels_in_history(project, [odd]) == {odd: 2}


def test_shapes_that_spans_have_stay_allowed(assignment: Assignment) -> None:
    project = assignment.pair.project
    save(assignment, 0, span(LIBRARY, BIBLIOTHEK))
    with pytest.raises(Invalid, match="1 pair has spans that would no longer be allowed"):
        change(project, replace(GRADED, links=False))
    assert not change(project, replace(GRADED, overlap=False)).labels.overlap
    save(assignment, 1, span(LIBRARY))
    with pytest.raises(Invalid, match="1 pair"):  # the earlier revision still links
        change(project, replace(GRADED, links=False))


def test_a_refused_scheme_changes_nothing_and_an_unchanged_one_writes_nothing(assignment: Assignment) -> None:
    project = assignment.pair.project
    before = project.history.count()
    change(project, GRADED)
    invalid: tuple[Any, ...] = ({"name": "x"}, [], None, {**GRADED.to_json(), "extra": 1})
    for bad in invalid:
        with pytest.raises(SchemeRefused):
            scheme_change(project=project, scheme=bad, base=scheme_revision(project.scheme))
    with pytest.raises(Conflict, match="Someone else has changed the scheme"):
        scheme_change(project=project, scheme=GRADED.to_json(), base="older")
    assert project.history.count() == before
    change(project, replace(GRADED, name="Ours"))
    assert project.history.count() == before + 1


def test_a_save_that_was_checked_before_the_scheme_changed_is_checked_again(
    assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = assignment.pair.project
    lock = saving._lock

    def changed(row: Assignment) -> Any:
        change(project, without("5"), confirmed=True)
        return lock(row)

    monkeypatch.setattr(saving, "_lock", changed)
    with pytest.raises(Invalid, match="'5' is not one of the scheme's labels"):
        save(assignment, 0, span(NOTHING, label="5"))
    assert not Annotation.objects.exists()


def test_the_usage_takes_as_many_queries_for_one_pair_as_for_many(
    assignment: Assignment, django_assert_num_queries: Any
) -> None:
    project = assignment.pair.project
    for more in (0, 20):
        for _ in range(more):
            save(AssignmentFactory(pair=PairFactory(project=project)), 0, span(LIBRARY))
        with django_assert_num_queries(4):
            assert scheme_usage(project).annotations == more


def test_a_refusal_names_everything_that_is_wrong() -> None:
    labels = [{"key": "new", "name": ""}, {"key": "old", "name": "Old", "colour": "pink"}]
    with pytest.raises(SchemeRefused) as refused:
        scheme_read({"name": "Towns", "labels": labels, "questions": [{"key": "q", "text": "Alike?", "type": "vote"}]})
    where = ("scheme.labels[0].name", "scheme.labels[1].colour", "scheme.questions[0].type")
    assert [each in refused.value.message for each in where] == [True] * 3
    assert refused.value.where in where
    assert len(refused.value.phrases) == 3
