"""Highlights: one row per pair and run, and none that does not fit its pair."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.errors import Invalid
from annotation.models import Highlight, Pair
from annotation.services.highlights import HighlightInput, highlights_write
from tests.annotation.work import BIBLIOTHEK, LIBRARY
from tests.factories import PairFactory

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
