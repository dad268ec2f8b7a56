"""Highlights that nobody stored are scored as a run's are."""

from __future__ import annotations

from pathlib import Path

import pytest

from agreement.prelabel_eval.scores import prelabel_scores
from annotation.models import Highlight
from annotation.selectors.gold_scorer import gold_scorer
from tests.agreement.prelabel_eval.test_scores import graded, highlight, row
from tests.factories import PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db
SCORES = {"p1": ([0.1, 0.2, 0.3, 0.4], [0.4, 0.5]), "p2": ([0.9, 0.8, 0.2, 0.1], [0.1, 0.3])}


def test_figures_are_those_of_the_same_highlights_as_a_run(tmp_path: Path) -> None:
    project = graded(tmp_path, row(1), row(2), row(3))
    highlight(project, SCORES)
    scorer = gold_scorer(project)
    assert scorer.pairs() == list(project.pairs.order_by("position").values_list("pk", flat=True))
    made = [
        Highlight(pair=pair, scores_a=a, scores_b=b, seconds=0.5)
        for pair in project.pairs.filter(external_id__in=SCORES).select_related("a", "b").order_by("position")
        for a, b in [SCORES[pair.external_id]]
    ]
    before = Highlight.objects.count()
    found = scorer.score(made)
    (score,) = prelabel_scores(project, resamples=300)
    expected = score.to_json()
    for name in ("spearman", "spearman_ci", "kendall", "documents", "tokens", "new", "labels", "seconds_per_pair"):
        assert found[name] == expected[name], name
    assert found["documents"] == 2 and Highlight.objects.count() == before


def test_a_project_without_gold_has_nothing_to_score() -> None:
    project = ProjectFactory()
    PairFactory(project=project)
    scorer = gold_scorer(project)
    assert scorer.pairs() == []
    with pytest.raises(ValueError, match="has no gold"):
        scorer.score([])
