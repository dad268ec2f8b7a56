"""The spans behind a number."""

from agreement.report.marks import marks, matches
from tests.agreement.made import collection, document, work

MADE = collection(
    document(1, work(0, ("3300", "33"), linked=True), work(1, ("3300", "30"), linked=True)),
    document(2, work(0, ("0400", "00")), work(1, ("0500", "00"))),
)


def test_spans_by_person_label_and_kind() -> None:
    assert [(mark.pair, mark.annotators, mark.labels) for mark in marks(MADE)] == [
        (1, (0,), (3,)), (1, (1,), (3,)), (2, (0,), (4,)), (2, (1,), (5,))
    ]  # fmt: skip
    assert [mark.pair for mark in marks(MADE, annotator=0)] == [1, 2]
    assert [mark.labels for mark in marks(MADE, label=5)] == [(5,)]
    assert {mark.pair for mark in marks(MADE, kind="linked")} == {1}
    assert {mark.pair for mark in marks(MADE, kind="one-sided")} == {2}
    assert marks(MADE, broken=True) == []
    assert marks(MADE)[0].tokens == ((0, 1), (0, 1))


def test_matched_pairs_with_other_labels_come_first() -> None:
    found = matches(MADE, 50)
    assert [(mark.pair, mark.labels, mark.similarity) for mark in found] == [(2, (4, 5), 1.0), (1, (3, 3), 0.75)]
    assert [mark.pair for mark in matches(MADE, None)] == [2], "the second word of side B is only the first's"
    assert [mark.pair for mark in matches(MADE, 90)] == [2]
    assert [mark.pair for mark in matches(MADE, 50, kind="linked")] == [1]
