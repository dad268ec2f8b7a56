"""Highlights against gold, on pairs small enough to count by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from agreement.management.commands.evaluate_prelabels import score_as_text
from agreement.prelabel_eval.panels import run_panel
from agreement.prelabel_eval.scores import prelabel_scores
from agreement.selectors import gold_newest
from annotation.errors import Invalid, NotFound
from annotation.models import Annotation, Highlight, Pair, Project, Source
from annotation.selectors.highlights import highlight_runs
from annotation.services.highlights import HighlightInput, highlights_write
from annotation.services.imports import import_files
from annotation.text.schemes import PRESETS
from tests.annotation.formats.samples import lines
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory

pytestmark = pytest.mark.django_db


def row(number: int, *, split: str = "") -> dict[str, Any]:
    """A line of token labels; side A ends with punctuation that has no label."""
    data = {
        "id": f"p{number}",
        "text_a": "one two three .",
        "text_b": "eins zwei",
        "labels_a": [0.0, 0.4, 1.0, -1.0],
        "labels_b": [0.0, 0.2],
        "language_a": "en",
        "language_b": "de",
    }
    return data | ({"split": split} if split else {})


def graded(tmp_path: Path, *rows: dict[str, Any]) -> Project:
    import_files(slug="towns", paths=[lines(tmp_path / "gold.jsonl", *rows)], format="rsd")
    return Project.objects.get(slug="towns")


def parade(tmp_path: Path, splits: Sequence[str]) -> Project:
    """Pairs of four tokens on side B: same, inferable, new, same ('.')."""
    rows = [
        {
            "id": f"x{number}",
            "a": {"language": "en", "text": "One."},
            "b": {"language": "es", "text": "a b c .", "tokens": [[0, 1], [2, 3], [4, 5], [6, 7]]},
            "split": split,
            "gold": {
                "spans": [
                    {"label": "inferable", "fragments": [{"side": "b", "start": 2, "end": 3}]},
                    {"label": "new", "fragments": [{"side": "b", "start": 4, "end": 5}], "id": "n"},
                ]
            },
        }
        for number, split in enumerate(splits)
    ]
    import_files(slug="parade", paths=[lines(tmp_path / "pairs.jsonl", *rows)])
    return Project.objects.get(slug="parade")


def highlight(
    project: Project,
    scores: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    run: str = "default-v1",
    labels: dict[str, Any] | None = None,
    proposals: Mapping[str, Sequence[Sequence[tuple[str, int, int]]]] | None = None,
    predicted: Sequence[str] = (),
) -> None:
    pairs = {pair.external_id: pair for pair in Pair.objects.filter(project=project).select_related("a", "b")}
    suggested = {
        name: [
            {
                "label": pairs[name].project.labels.keys[-1],
                "origin": "accepted",
                "fragments": [dict(zip(("side", "start", "end"), part, strict=True)) for part in parts],
                **({"predicted": predicted[n]} if predicted else {}),
            }
            for n, parts in enumerate(each)
        ]
        for name, each in (proposals or {}).items()
    }
    made = [
        HighlightInput(pairs[name], a, b, labels=labels or {}, proposals=suggested.get(name, ()), seconds=0.5)
        for name, (a, b) in scores.items()
    ]
    highlights_write(run=run, method=run.replace("-", "."), highlights=made)


def test_correlations_pool_all_tokens_of_both_sides_without_punctuation(tmp_path: Path) -> None:
    project = graded(tmp_path, row(1), row(2))
    highlight(project, {"p1": ([0.1, 0.2, 0.3, 1.0], [0.4, 0.5]), "p2": ([0.1, 0.9, 0.8, 1.0], [0.2, 0.1])})
    (score,) = prelabel_scores(project)
    gold = [0, 2, 5, 0, 1] * 2
    given = [0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0.9, 0.8, 0.2, 0.1]
    assert (score.documents, score.tokens) == (2, 10)
    assert score.spearman.value == pytest.approx(stats.spearmanr(given, gold).statistic)
    assert score.kendall.value == pytest.approx(stats.kendalltau(given, gold).statistic)
    assert (score.run, score.method, score.seconds) == ("default-v1", "default.v1", 0.5)
    assert [part.tokens for part in score.position] == [4, 2, 4, 0, 0]


def test_punctuation_that_the_source_scores_counts(tmp_path: Path) -> None:
    project = graded(tmp_path, row(1) | {"labels_a": [0.0, -1.0, 1.0, 0.0]})
    highlight(project, {"p1": ([0.1, 0.2, 0.3, 0.9], [0.4, 0.5])})
    (score,) = prelabel_scores(project)
    assert score.tokens == 5
    assert score.spearman.value == pytest.approx(stats.spearmanr([0.1, 0.3, 0.9, 0.4, 0.5], [0, 5, 0, 0, 1]).statistic)


def test_the_threshold_is_chosen_on_dev_and_test_is_reported(tmp_path: Path) -> None:
    project = parade(tmp_path, ["dev", "test", "train"])
    dev, test = [0.1, 0.2, 0.7, 0.3], [0.1, 0.8, 0.6, 0.9]
    highlight(project, {"x0": ([0, 0], dev), "x1": ([0, 0], test), "x2": ([0, 0], [0.0, 0.0, 1.0, 0.0])})
    new = prelabel_scores(project)[0].new
    assert (new.threshold, new.chosen_on, new.reported_on) == (0.7, "dev", "test")
    # Of test, the inferable token and the full stop are taken as new, the new one is not.
    assert (new.counts.hits, new.counts.alarms, new.counts.misses) == (0, 2, 1)
    assert prelabel_scores(project)[0].documents == 3


def test_new_ranks_above_inferable_and_only_the_marked_side_counts(tmp_path: Path) -> None:
    project = parade(tmp_path, ["", ""])
    highlight(project, {"x0": ([0.9, 0.9], [0.1, 0.5, 0.8, 0.2]), "x1": ([0.9, 0.9], [0.2, 0.5, 0.8, 0.1])})
    (score,) = prelabel_scores(project)
    assert score.tokens == 6
    assert score.spearman.value == pytest.approx(
        stats.spearmanr([0.1, 0.5, 0.8, 0.2, 0.5, 0.8], [0, 1, 2] * 2).statistic
    )
    assert score.new.chosen_on == "the other of 5 folds" and score.new.counts.f1 == 1.0
    assert {label: each.f1 for label, each in score.labels.items()} == {"same": 1.0, "inferable": 1.0, "new": 1.0}


def test_a_method_that_names_labels_is_taken_at_its_word(tmp_path: Path) -> None:
    project = parade(tmp_path, [""])
    highlight(project, {"x0": ([0, 0], [0.0, 0.5, 1.0, 0.0])}, labels={"b": ["new", "inferable", "new", "same"]})
    (score,) = prelabel_scores(project)
    assert score.confusion["same"] == {"same": 1, "inferable": 0, "new": 1}
    assert (score.labels["new"].precision, score.labels["new"].recall) == (0.5, 1.0)
    assert score.predicted and score.grades is None
    # Same: one of two found, nothing else taken for it. New: one found, one too many. Inferable: as it should be.
    assert score.macro_f1 == pytest.approx((2 / 3 + 1 + 2 / 3) / 3)


def test_grades_are_compared_where_both_mark(tmp_path: Path) -> None:
    project = graded(tmp_path, row(1))
    given = {"a": ["1", "3", "2", "4"], "b": ["0", "1"]}  # gold: 0 2 5 -, 0 1; '-' is punctuation
    highlight(project, {"p1": ([0.1, 0.4, 1.0, 1.0], [0.0, 0.2])}, labels=given)
    grades = prelabel_scores(project)[0].to_json()["grades"]
    assert grades == {"tokens": 3, "exact": pytest.approx(1 / 3), "within_one": pytest.approx(2 / 3)}


def test_labels_of_accepted_suggestions_that_were_kept_are_counted(tmp_path: Path) -> None:
    project = parade(tmp_path, [""])
    first, second = [("b", 2, 3)], [("b", 4, 5)]
    suggested = {"x0": [first, second]}
    scores = {"x0": ([0.0, 0.0], [0.0, 0.5, 1.0, 0.0])}
    highlight(project, scores, proposals=suggested, predicted=["new", "inferable"])
    (pair,) = project.pairs.all()
    kept = spanned("new", first, predicted="new")
    changed = spanned("new", second, predicted="inferable")
    for name, spans in (("k", [kept]), ("c", [kept, changed]), ("m", [spanned("new", first)])):
        assignment = AssignmentFactory(pair=pair, annotator=AnnotatorFactory(project=project, alias=name))
        stored = {"v": 1, "spans": [{**span, "id": str(n)} for n, span in enumerate(spans)]}
        Annotation.objects.create(source=Source.HUMAN, pair=pair, assignment=assignment, spans=stored)
    (score,) = prelabel_scores(project)
    assert score.to_json()["accepted"] == {"spans": 3, "kept": 2}
    assert "Predicted labels kept: 2 of 3 accepted suggestions." in score_as_text(score)
    panel = run_panel(project, highlight_runs(project)[0], gold_newest(project) or 0)
    assert panel["kept"] == "Of 3 suggestions accepted with a predicted label, 2 kept that label."


def spanned(label: str, fragments: Sequence[tuple[str, int, int]], **more: str) -> dict[str, Any]:
    parts = [dict(zip(("side", "start", "end"), part, strict=True)) for part in fragments]
    return {"label": label, "origin": "accepted", "comment": "", "fragments": parts, **more}


def test_in_a_graded_scheme_every_label_above_0_is_new(tmp_path: Path) -> None:
    project = graded(tmp_path, row(1), row(2))
    perfect = ([0.0, 0.4, 1.0, 1.0], [0.0, 0.2])
    highlight(project, {"p1": perfect, "p2": perfect})
    (score,) = prelabel_scores(project)
    assert score.new.counts.f1 == 1.0 and score.new.threshold == 0.2
    assert list(score.labels) == ["0", "1", "2", "3", "4", "5"]
    assert {row: dict(cells)[row] for row, cells in score.confusion.items()} == {
        "0": 4, "1": 2, "2": 2, "3": 0, "4": 0, "5": 2,
    }  # fmt: skip


def test_intervals_hold_the_point_and_are_the_same_twice(tmp_path: Path) -> None:
    project = graded(tmp_path, *(row(number) for number in range(12)))
    random = np.random.default_rng(3)
    highlight(project, {f"p{number}": (random.random(4).tolist(), random.random(2).tolist()) for number in range(12)})
    first, second = prelabel_scores(project)[0], prelabel_scores(project)[0]
    for estimate in (first.spearman, first.kendall, first.new.f1):
        low, high = estimate.interval or (9.0, -9.0)
        assert low <= (estimate.value or 0) <= high
    assert first.to_json() == second.to_json()


def test_only_pairs_with_gold_and_a_highlight_count_and_runs_stay_apart(tmp_path: Path) -> None:
    project = graded(tmp_path, row(1), row(2))
    PairFactory(project=project, external_id="no gold")
    highlight(project, {"p1": ([0.1, 0.2, 0.3, 1.0], [0.4, 0.5])}, run="simalign-v1")
    highlight(project, {"p1": ([0.1] * 4, [0.1] * 2), "p2": ([0.1] * 4, [0.1] * 2)})
    by_method = {score.method: score for score in prelabel_scores(project)}
    assert {method: score.documents for method, score in by_method.items()} == {"simalign.v1": 1, "default.v1": 2}
    assert by_method["default.v1"].spearman.value is None
    for name in ("simalign", "simalign.v1"):
        assert [score.method for score in prelabel_scores(project, method=name)] == ["simalign.v1"]


def test_what_cannot_be_scored_is_refused_in_words(tmp_path: Path) -> None:
    project = graded(tmp_path, row(1))
    with pytest.raises(NotFound, match="This method has not pre-labelled"):
        prelabel_scores(project)
    bare = PairFactory().project
    with pytest.raises(Invalid, match="no gold to score"):
        prelabel_scores(bare)
    assert not Highlight.objects.exists()


def test_suggestions_are_scored_as_they_are_underlined(tmp_path: Path) -> None:
    """'one two three .' and 'eins zwei': two, three and zwei are marked; suggested are 'one two' and 'zwei'."""
    project = graded(tmp_path, row(1), row(2))
    scores = {name: ([0.0, 0.0, 0.0, 0.0], [0.0, 0.0]) for name in ("p1", "p2")}
    highlight(project, scores, proposals={"p1": [[("a", 0, 7)], [("b", 5, 9)]]})
    (score,) = prelabel_scores(project)
    # Of ten tokens with gold, three are underlined and two of these marked; six are marked.
    assert score.to_json()["suggestions"] == {
        "share": 0.3,
        "precision": pytest.approx(2 / 3),
        "recall": pytest.approx(1 / 3),
        "per_pair": 1.0,
        "two_sided": None,
    }


def test_of_linked_spans_that_a_suggestion_touches_those_touched_on_both_sides_by_one_are_counted(
    tmp_path: Path,
) -> None:
    link = {
        "label": "3",
        "fragments": [{"side": "a", "start": 0, "end": 3}, {"side": "b", "start": 0, "end": 4}],
    }
    rows = [
        {
            "id": f"p{number}",
            "a": {"language": "en", "text": "one two"},
            "b": {"language": "de", "text": "eins zwei"},
            "gold": {"spans": [link]},
        }
        for number in range(4)
    ]
    import_files(slug="links", paths=[lines(tmp_path / "pairs.jsonl", *rows)], scheme=PRESETS["graded"].to_json())
    project = Project.objects.get(slug="links")
    proposals = {
        "p0": [[("a", 0, 3), ("b", 0, 4)]],
        "p1": [[("a", 0, 3)], [("b", 0, 4)]],
        "p2": [[("a", 4, 7), ("b", 0, 4)]],
        "p3": [[("a", 4, 7)]],
    }
    highlight(project, {name: ([0.0] * 2, [0.0] * 2) for name in proposals}, proposals=proposals)
    (score,) = prelabel_scores(project)
    assert score.suggestions.two_sided == pytest.approx(1 / 3)
    # Of four spans, the first is suggested as it is, the second but for one side; the others in other words.
    assert (score.suggestions.as_is, score.suggestions.one_change) == (0.25, 0.25)
