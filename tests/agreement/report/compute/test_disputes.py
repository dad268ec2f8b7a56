"""What people disagree on, and where it costs most."""

from dataclasses import replace

import pytest

from agreement.metrics.documents import DocumentAnnotation, RatingQuestion
from agreement.report.compute.disputes import Cause, LikelyCause, disputed_documents, disputes, likely_cause
from agreement.report.compute.matched_spans import filter_disputes
from tests.agreement.metric_documents import collection, document, work


def test_runs_of_two_labels_sorted_by_cost() -> None:
    made = collection(document(1, work(0, ("00445", "00")), work(1, ("01440", "22"))))
    found = [(d.side, d.first, d.last, d.labels, d.cost) for d in disputes(made)]
    assert found == [(0, 4, 5, (5, 0), 5), (1, 0, 2, (0, 2), 4), (0, 1, 2, (0, 1), 1)]


def test_without_numbers_a_word_costs_one() -> None:
    made = collection(document(1, work(0, ("", "0011")), work(1, ("", "0022"))), graded=False)
    assert [(d.labels, d.cost, d.tokens) for d in disputes(made)] == [((1, 2), 2, 2)]


def test_filters() -> None:
    made = collection(
        document(1, work(0, ("300", "300"), linked=True), work(1, ("000", "000"))),
        document(2, work(0, ("000", "0")), work(1, ("044", "0"))),
    )
    found = disputes(made)
    assert len(found) == 3
    assert {d.linked for d in filter_disputes(found, pairs=frozenset({1}))} == {True}
    assert [d.pair for d in filter_disputes(found, linked=False)] == [2]
    assert [d.pair for d in filter_disputes(found, labels=(4, 0))] == [2]
    assert [d.pair for d in filter_disputes(found, labels=(0, 4), ordered=True)] == [2]
    assert filter_disputes(found, labels=(4, 0), ordered=True) == []
    assert {d.pair for d in filter_disputes(found, label=3)} == {1}
    assert [d.pair for d in filter_disputes(found, tenth=3)] == [2]
    assert len(filter_disputes(found, side=1)) == 1
    assert [d.pair for d in filter_disputes(found, least=2)] == [2]
    assert len(filter_disputes(found, annotator=1)) == 3
    assert filter_disputes(found, annotator=2) == []


def test_what_both_call_alike_is_found_too() -> None:
    made = collection(document(1, work(0, ("3304", "0")), work(1, ("3004", "0"))))
    assert [(d.side, d.first, d.last, d.labels) for d in disputes(made, alike=3)] == [(0, 0, 1, (3, 3))]
    assert [d.tokens for d in disputes(made, alike=0)] == [1, 1]
    assert sum(d.tokens for code in range(6) for d in disputes(made, alike=code)) + 1 == 5


@pytest.mark.parametrize(
    ("one", "other", "cause"),
    [
        (work(0, ("4400", "00")), work(1, ("4400", "00")), LikelyCause(Cause.SAME_LABELS)),
        (work(0, ("4400", "00")), work(1, ("0000", "00")), LikelyCause(Cause.NOTHING_MARKED, ("A2",))),
        (work(0, ("4044", "11")), work(1, ("4000", "00")), LikelyCause(Cause.NOTHING_MARKED_LATE, ("A2",))),
        (work(0, ("400004", "00")), work(1, ("004400", "00")), LikelyCause(Cause.DIFFERENT_WORDS)),
        (work(0, ("0444440", "00")), work(1, ("0040000", "04")), LikelyCause(Cause.LONGER_SPANS, ("A1",))),
        (
            work(0, ("0440022", "00")),
            work(1, ("0220033", "00")),
            LikelyCause(Cause.DIFFERENT_LABELS, labels=("4", "2")),
        ),
        (work(0, ("0444000", "00")), work(1, ("0044400", "00")), LikelyCause(Cause.DIFFERENT_BOUNDARIES)),
        (
            work(0, ("40404000", "00")),
            work(1, ("00000011", "11"), linked=True),
            LikelyCause(Cause.ONE_SIDED_SPANS, ("A1", "A2"), counts=(3, 0)),
        ),
    ],
)
def test_what_seems_to_be_behind(one: DocumentAnnotation, other: DocumentAnnotation, cause: LikelyCause) -> None:
    on = document(1, one, other)
    assert likely_cause(collection(on), on) == cause


def test_different_answers_are_a_dispute_and_no_difference_is_none() -> None:
    def answered(number: int, answer: str) -> DocumentAnnotation:
        return replace(work(number, ("44", "0")), answers={"q": answer} if answer else {})

    made = replace(
        collection(
            document(1, answered(0, "yes"), answered(1, "yes")),
            document(2, answered(0, "yes"), answered(1, "no")),
            document(3, answered(0, "yes"), answered(1, "")),
            document(4, answered(0, "yes"), replace(work(1, ("40", "0")), answers={"q": "yes"})),
        ),
        questions=(RatingQuestion("q", "Alike?", ("yes", "no"), None),),
    )
    rows = disputed_documents(made, disputes(made))
    assert [(row.pair, row.disputed, row.answers) for row in rows] == [
        (4, True, 0),
        (2, True, 1),
        (1, False, 0),
        (3, False, 0),
    ]
    assert [row.cause.cause for row in rows[1:3]] == [Cause.DIFFERENT_ANSWERS, Cause.SAME_LABELS]


def test_documents_most_disputed_first() -> None:
    made = collection(
        document(1, work(0, ("44", "0")), work(1, ("44", "0"))),
        document(2, work(0, ("50", "0")), work(1, ("01", "0"))),
        document(3, work(0, ("50", "0"))),
    )
    rows = disputed_documents(made, disputes(made))
    assert [row.pair for row in rows] == [2, 1], "a document of one person is no dispute"
    assert rows[0].iou[0] == 0
    assert rows[0].iou[1] is None
    assert rows[0].spans == (("A1", 1), ("A2", 1))
    assert rows[0].cost == 6
