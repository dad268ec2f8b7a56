"""Predicted labels that a client sends: those of no suggestion are dropped, those that were true once are kept."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.errors import Invalid
from annotation.models import Annotation, Assignment, Highlight
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from tests.annotation.work import LIBRARY, NOTHING, doc, span
from tests.factories import AssignmentFactory, PairFactory

pytestmark = pytest.mark.django_db


def suggest(assignment: Assignment, fragment: dict[str, Any], predicted: str, run: str = "run") -> Highlight:
    proposal = {"id": run, "label": predicted, "fragments": [fragment], "predicted": predicted}
    return Highlight.objects.create(
        pair=assignment.pair, run=run, method="learned.v1", scores_a=[], scores_b=[], edges=[], proposals=[proposal]
    )


def saved(assignment: Assignment, *spans: dict[str, Any], base: int = 0) -> list[str]:
    annotation = annotation_save(assignment=assignment, by=None, base=base, sent=AnnotationInput(doc(*spans)))
    return [each.get("predicted", "") for each in Annotation.objects.get(pk=annotation.pk).spans["spans"]]


def test_a_label_that_a_suggestion_of_these_words_has_is_kept() -> None:
    assignment = AssignmentFactory()
    suggest(assignment, LIBRARY, "4")
    suggest(assignment, NOTHING, "2", run="other")
    assert saved(assignment, span(LIBRARY, predicted="4"), span(NOTHING, id="s2", predicted="2")) == ["4", "2"]


@pytest.mark.parametrize(("fragment", "predicted"), [(LIBRARY, "5"), (NOTHING, "4")])
def test_a_label_of_no_suggestion_of_these_words_is_dropped(fragment: dict[str, Any], predicted: str) -> None:
    assignment = AssignmentFactory()
    suggest(assignment, LIBRARY, "4")
    assert saved(assignment, span(fragment, predicted=predicted)) == [""]


def test_a_suggestion_of_another_pair_or_none_makes_no_label_true() -> None:
    assignment = AssignmentFactory()
    suggest(AssignmentFactory(pair=PairFactory(project=assignment.pair.project)), LIBRARY, "4")
    assert saved(assignment, span(LIBRARY, predicted="4")) == [""]


def test_what_was_true_when_it_was_saved_stays() -> None:
    assignment = AssignmentFactory()
    highlight = suggest(assignment, LIBRARY, "4")
    assert saved(assignment, span(LIBRARY, predicted="4")) == ["4"]
    highlight.delete()
    again = span(LIBRARY, label="5", predicted="4")
    assert saved(assignment, again, base=1) == ["4"]
    assert saved(assignment, again, span(NOTHING, id="s2", predicted="4"), base=2) == ["4", ""]


def test_a_repeated_save_of_an_untrue_label_is_no_conflict() -> None:
    assignment = AssignmentFactory()
    for _ in range(2):
        assert saved(assignment, span(LIBRARY, predicted="4")) == [""]


@pytest.mark.parametrize("field", ["predicted", "label"])
def test_a_long_value_is_cut_in_the_refusal(field: str) -> None:
    value = "x" * 5_000
    wrong = span(LIBRARY, **{field: value})
    with pytest.raises(Invalid) as refused:
        annotation_save(assignment=AssignmentFactory(), by=None, base=0, sent=AnnotationInput(doc(wrong)))
    assert len(refused.value.message) < 400 and "x" * 60 + "…" in refused.value.message
