"""The papers' own tables."""

from agreement.report.compute.figures import figures
from agreement.report.render.papers import paper_table
from tests.agreement.metric_documents import collection, document, work

NAMES = {"a": "EN", "b": "DE"}


def test_as_in_swissgov() -> None:
    made = collection(document(1, work(0, ("4400", "40"), linked=True), work(1, ("4000", "40"), linked=True)))
    rows = {row[0]: row[1] for row in paper_table(figures(made), NAMES, partition=False).rows}
    assert rows["spans, A1"] == "1"
    assert rows["marked tokens, A1"] == "3"
    assert (rows["mean IoU, EN"], rows["mean F1, DE"]) == ("50.00", "100.00")
    assert (rows["IoU ≥ 0.75, matches"], rows["IoU ≥ 0.90, matches"]) == ("1", "0")
    assert rows["exact match, Spearman's ρ"] == "–"


def test_as_in_xparade() -> None:
    made = collection(
        document(1, work(0, ("", "0012")), work(1, ("", "0011"))),
        document(2, work(0, ("", "0")), work(1, ("", "0"))),
        graded=False,
    )
    table = paper_table(figures(made), NAMES, partition=True)
    assert table.columns == ("", "Krippendorff's α", "macro F1", "same", "new", "inferable")
    assert table.rows == (("EN–DE", "0.667", "55.6 ± 0.0", "100.0 ± 0.0", "66.7 ± 0.0", "0.0 ± 0.0"),)


def test_nothing_shared_is_no_table() -> None:
    assert paper_table(figures(collection()), NAMES, partition=False).rows == ()
    assert paper_table(figures(collection(graded=False)), NAMES, partition=True).rows == ()
