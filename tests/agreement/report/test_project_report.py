"""The report of a project: what is left out, what is said, and its stable shape."""

import json
from dataclasses import replace

import pytest

from agreement.report.project_report import agreement_report
from annotation.display_names import PHASE_NAMES
from tests.agreement.work import Marks, pair, project, submit

pytestmark = pytest.mark.django_db


def test_a_document_in_which_someone_marked_nothing_is_left_out_and_shown_beside() -> None:
    made, (one, two) = project()
    both: list[Marks] = [[("4", [0, 1], [0])], [("2", [2], [])]]
    for marks in both:
        on = pair(made)
        submit(on, one, marks)
        submit(on, two, marks)
    empty = pair(made)
    submit(empty, one, [("5", [0], [])])
    submit(empty, two)
    submit(pair(made), one, [("5", [0], [])])
    report = agreement_report(made)
    assert (report.figures.documents, report.excluded, report.single) == (2, 1, 1)
    assert "One more document had only one annotator and was not used." in report.methods
    submit(pair(made), two, [("5", [0], [])])
    assert "A further 2 documents had only one annotator and were not used." in agreement_report(made).methods
    assert report.figures.annotators["A1"].spans == 2
    assert report.figures.sides["a"]["iou"].value == 1
    assert report.figures.sides["b"]["iou"].documents == 1, "in the second nobody marked side B"
    assert report.with_empty is not None
    assert report.with_empty.documents == 3
    assert report.with_empty.sides["a"]["iou"].value == pytest.approx(2 / 3)
    assert report.figures.exact.count == 2
    assert report.figures.exact.spearman.value == pytest.approx(1)


def test_where_every_token_has_a_label_nothing_is_left_out() -> None:
    made, (one, two) = project("xparade")
    on = pair(made)
    submit(on, one, [("new", [], [0, 1])])
    submit(on, two)
    report = agreement_report(made)
    assert (report.figures.documents, report.excluded, report.with_empty) == (1, 0, None)
    body = report.to_json()
    assert body["sides"]["a"] is None
    assert body["sides"]["b"]["iou"] == 0
    assert body["alpha"]["ordinal"] is None and body["alpha"]["ordinal_ci"] is None
    assert body["exact"]["spearman"] is None


def test_the_stable_shape() -> None:
    made, (one, two) = project()
    for label in ("1", "3", "5"):
        on = pair(made)
        submit(on, one, [(label, [0, 1], [0, 1])])
        submit(on, two, [(label, [0], [0, 1])])
    body = agreement_report(made).to_json()
    json.dumps(body, allow_nan=False)
    assert list(body)[:9] == [
        "documents", "left_out", "annotators", "sides", "exact", "fuzzy", "alpha", "macro_f1", "label_f1"
    ]  # fmt: skip
    assert body["documents"] == 3
    assert list(body["annotators"]) == ["A1", "A2"]
    assert {"spans", "tokens"} <= set(body["annotators"]["A1"])
    assert body["annotators"]["A1"]["tokens"] == 12
    for figure in ("iou", "f1"):
        low, high = body["sides"]["a"][f"{figure}_ci"]
        assert 0 <= low <= body["sides"]["a"][figure] <= high <= 1
    assert list(body["fuzzy"]) == ["50", "75", "90"]
    assert body["fuzzy"]["75"]["count"] == 3
    assert body["fuzzy"]["75"]["spearman"] == pytest.approx(1)
    assert body["fuzzy"]["90"] == {
        "count": 0, "spearman": None, "spearman_ci": None, "spearman_note": "no two spans matched"
    }  # fmt: skip
    assert set(body["alpha"]) >= {"nominal", "nominal_ci", "ordinal", "ordinal_ci", "interval", "interval_ci"}
    assert set(body["macro_f1"]) >= {"mean", "mean_ci", "sd", "sd_ci"}
    assert list(body["label_f1"]) == ["0", "1", "2", "3", "4", "5"]
    assert body["label_f1"]["2"]["mean"] is None, "nobody gave it"


def test_breakdowns(monkeypatch: pytest.MonkeyPatch) -> None:
    made, people = project("graded", "A1", "A2", "A3")
    for split in ("dev", "test"):
        on = pair(made, split=split)
        for person in people:
            submit(on, person, [("3", [0], [0]), ("1", [3], [])])
        submit(on, people[0], [("3", [0], [0])], phase="trial")
        submit(on, people[1], [("3", [0], [0])], phase="trial")
    report = agreement_report(made)
    assert [row.people for row in report.annotator_pairs] == [("A1", "A2"), ("A1", "A3"), ("A2", "A3")]
    assert [row.name for row in report.splits] == ["dev", "test"]
    assert [row.name for row in report.phases] == ["trial", "main"]
    monkeypatch.setitem(PHASE_NAMES, "trial", "practice")
    (phases,) = [table for table in report.tables if table.key == "phases"]
    assert [str(row[0]) for row in phases.rows] == ["practice", "main"]
    assert "of the practice phase" in replace(report, phase="trial").methods
    assert [row["name"] for row in report.to_json()["phases"]] == ["trial", "main"], "the key is in data"
    assert report.language_pairs == []
    assert {row.name: row.matched.count for row in report.kinds} == {"linked": 6, "one-sided": 6}
    assert report.figures.majority["A1"].value == 1
    assert [estimate.value for estimate in report.position][:2] == [1, None]


def test_a_kind_of_span_that_nobody_marked_has_no_row() -> None:
    made, people = project()
    on = pair(made)
    for person in people:
        submit(on, person, [("3", [0], [0])])
    report = agreement_report(made)

    def rows(key: str) -> list[str]:
        return [str(row[0]) for table in report.tables if table.key == key for row in table.rows]

    assert rows("kinds") == ["linked"] and "one-sided, IoU ≥ 0.50" not in rows("matched")
    assert report.to_json()["span_kinds"]["one-sided"]["matched"]["count"] == 0, "others' programs still find it"
    on = pair(made)
    submit(on, people[0], [("3", [], [0])])
    submit(on, people[1], [("3", [0], [])])
    report = agreement_report(made)
    assert rows("kinds") == ["linked", "one-sided"], "and one on which nobody agrees has"


def test_nothing_submitted_and_nothing_marked() -> None:
    made, (one, two) = project()
    report = agreement_report(made)
    assert report.headline == "Agreement can't be computed yet: no document has been submitted by two annotators."
    json.dumps(report.to_json(), allow_nan=False)
    on = pair(made)
    submit(on, one)
    submit(on, two)
    report = agreement_report(made)
    assert (report.figures.documents, report.excluded) == (0, 1)
    assert report.with_empty is not None
    assert report.with_empty.alpha["nominal"].value is None
    json.dumps(report.to_json(), allow_nan=False)


def test_the_methods_say_what_was_done() -> None:
    made, (one, two) = project("xparade-extended")
    on = pair(made)
    submit(on, one, [("connotation", [], [0])])
    submit(on, two, [("inferable", [], [0])])
    report = agreement_report(made)
    assert report.figures.alpha["nominal"].value == 1
    assert "The label 'connotation' was counted as 'inferable'." in report.methods
    assert "95% percentile bootstrap intervals over documents (1,000 resamples" in report.methods
    assert "slip" not in report.methods and "Spearman's correlation" not in report.methods


def test_statistics() -> None:
    made, (one, two) = project("xparade")
    on = pair(made)
    submit(on, one, [("new", [], [0, 1]), ("inferable", [], [3])])
    submit(on, two)
    found = agreement_report(made).statistics
    tokens = len(on.b.tokens)
    assert found.pairs == 1
    assert (found.languages["b DE"].tokens, found.languages["b DE"].shortest) == (tokens, tokens)
    counted = found.labels["all"]
    assert (counted["new"].tokens, counted["new"].spans, counted["new"].sentences) == (2, 1, 1)
    assert (counted["same"].tokens, counted["same"].spans) == (2 * tokens - 3, 3)
