"""The spans behind a number."""

from agreement.report.compute.matched_spans import marks, matches, passages, sentences_with
from agreement.report.compute.statistics import statistics
from tests.agreement.metric_documents import collection, document, work

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


def test_passages_are_the_counts_of_labels() -> None:
    """Of every label: as many words as have it, as many sentences; in a partition as many spans as runs."""
    parted = collection(
        document(1, work(0, ("", "0110")), work(1, ("", "1100"))),
        document(2, work(0, ("", "2222")), work(1, ("", "0202"))),
        graded=False,
    )
    for made in (MADE, parted):
        for code, label in enumerate(made.labels):
            counted, found = statistics(made).labels["all"][label], passages(made, label=code)
            assert sum(len(tokens) for mark in found for tokens in mark.tokens) == counted.tokens
            assert sentences_with(made, found) == counted.sentences
            assert len(found) == counted.spans or not made.partition
    marked = [tokens for mark in passages(parted, annotator=0) for tokens in mark.tokens if tokens]
    assert marked == [(1, 2), (0, 1, 2, 3)]
