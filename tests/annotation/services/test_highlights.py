"""Highlights: one row per pair and run, and none that does not fit its pair."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.errors import Invalid
from annotation.models import Annotation, Assignment, Dismissal, Highlight, Pair
from annotation.selectors.highlights import highlight_for, proposals_shown
from annotation.selectors.projects import options_of
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from annotation.services.highlights import HighlightInput, highlights_write, proposal_phrase
from tests.annotation.work import BIBLIOTHEK, LIBRARY, doc
from tests.factories import AssignmentFactory, PairFactory, TextFactory

pytestmark = pytest.mark.django_db


def said(pair: Pair, **change: Any) -> HighlightInput:
    values: dict[str, Any] = {
        "scores_a": [0.5] * len(pair.a.tokens),
        "scores_b": [0.25] * len(pair.b.tokens),
        "edges": [(0, 0), (1, 1)],
        "proposals": [{"id": "p1", "label": "3", "fragments": [LIBRARY, BIBLIOTHEK], "score": 0.9}],
    }
    return HighlightInput(pair=pair, **{**values, **change})


def test_a_second_highlight_of_a_pair_replaces_only_that_of_the_same_run() -> None:
    pair = PairFactory()
    highlights_write(run="one", method="default.v1", highlights=[said(pair)])
    highlights_write(run="two", method="default.v1", highlights=[said(pair)])
    written = highlights_write(run="one", method="default.v1", highlights=[said(pair, edges=[(2, 2)], seconds=0.5)])
    assert written == 1
    assert {(row.run, str(row.edges)) for row in Highlight.objects.all()} == {
        ("one", "[[2, 2]]"),
        ("two", "[[0, 0], [1, 1]]"),
    }


def test_proposals_keep_their_name_from_run_to_run() -> None:
    pair = PairFactory()
    for run, other in (("one", "p1"), ("two", "p9")):
        proposal = {"id": other, "label": "3", "fragments": [LIBRARY, BIBLIOTHEK], "score": 0.9}
        highlights_write(run=run, method="default.v1", highlights=[said(pair, proposals=[proposal])])
    names = {row.proposals[0]["id"] for row in Highlight.objects.all()}
    assert len(names) == 1 and names != {"p1"}


@pytest.mark.parametrize(
    "change",
    [
        {"scores_a": [0.5]},
        {"scores_b": [2.0] * 10},
        {"edges": [(0, 99)]},
        {"labels": {"a": ["new"]}},
        {"proposals": [{"label": "3", "fragments": [{"side": "a", "start": 5, "end": 11}]}]},
        {"proposals": [{"label": "3", "fragments": []}]},
        {"proposals": [{"label": "3"}]},
    ],
)
def test_what_does_not_fit_its_pair_is_refused_and_nothing_is_written(change: dict[str, Any]) -> None:
    pair, good = PairFactory(), PairFactory()
    with pytest.raises(Invalid) as refusal:
        highlights_write(run="one", method="default.v1", highlights=[said(good), said(pair, **change)])
    assert refusal.value.where == pair.external_id
    assert not Highlight.objects.exists()


def test_a_score_that_is_no_number_is_refused() -> None:
    pair = PairFactory()
    scores = [float("nan")] * len(pair.a.tokens)
    with pytest.raises(Invalid, match="score"):
        highlights_write(run="one", method="default.v1", highlights=[said(pair, scores_a=scores)])


def dismiss(assignment: Assignment, *proposals: str, base: int = 0) -> None:
    annotation_save(
        assignment=assignment, by=None, base=base, sent=AnnotationInput(spans=doc(), dismissed=list(proposals))
    )


def suggested(assignment: Assignment) -> list[str]:
    """The ids of what an assignment's annotator is shown."""
    options = options_of(assignment.pair.project)
    highlight = highlight_for(assignment, options)
    assert highlight is not None
    state = Annotation.objects.filter(assignment=assignment).first()
    return [each["id"] for each in proposals_shown(highlight, state.dismissed if state else [])]


def test_words_that_were_dismissed_three_times_are_no_longer_suggested() -> None:
    project = PairFactory().project
    pairs = [PairFactory(project=project) for _ in range(4)]
    work = [AssignmentFactory(pair=pair, highlights_shown=True) for pair in pairs]
    highlights_write(run="one", method="default.v1", highlights=[said(pair) for pair in pairs])
    [name] = suggested(work[0])
    for assignment in work[:2]:
        dismiss(assignment, name)
    assert suggested(work[3]) == [name]
    dismiss(work[2], name)
    assert suggested(work[3]) == []
    assert suggested(work[2]) == [name]  # where it was dismissed it can be restored
    dismiss(work[2], base=1)
    assert suggested(work[3]) == [name]


def test_what_another_project_dismisses_counts_there_alone() -> None:
    pairs = [PairFactory() for _ in range(4)]
    work = [AssignmentFactory(pair=pair, highlights_shown=True) for pair in pairs]
    highlights_write(run="one", method="default.v1", highlights=[said(pair) for pair in pairs])
    for assignment in work[:3]:
        dismiss(assignment, *suggested(assignment))
    assert len({pair.project_id for pair in pairs}) == 4
    assert len(suggested(work[3])) == 1


def test_highlights_of_before_phrases_were_kept_are_shown_and_dismissed_as_ever() -> None:
    pair = PairFactory()
    assignment = AssignmentFactory(pair=pair, highlights_shown=True)
    highlights_write(run="one", method="default.v1", highlights=[said(pair)])
    row = Highlight.objects.get()
    row.proposals = [{key: value for key, value in row.proposals[0].items() if key != "phrase"}]
    row.save()
    dismiss(assignment, *suggested(assignment))
    assert len(suggested(assignment)) == 1 and not Dismissal.objects.exists()


def test_the_same_words_are_the_same_phrase_whatever_their_case() -> None:
    pair = PairFactory(a=TextFactory(content="Zurück hoch. ZURÜCK  HOCH."))
    first, second = ({"side": "a", "start": 0, "end": 11}, {"side": "a", "start": 13, "end": 25})
    one, other = (proposal_phrase({"fragments": [part]}, pair) for part in (first, second))
    assert one == other != proposal_phrase({"fragments": [{**first, "end": 7}]}, pair)
