"""The benchmark of load: its table and its spans; the rest is measured by running it."""

from __future__ import annotations

from annotation.text.spans import parse_spans
from benchmarks.load import milliseconds, table
from benchmarks.serving import spans_of


def test_each_tool_is_a_column() -> None:
    measured = {
        "Diptych": {"save, ms": "6 / 10", "import, s": "5"},
        "Other": {"save, ms": "134 / 353", "import, s": "–"},
    }
    assert table(measured) == (
        "|  | Diptych | Other |\n| --- | --- | --- |\n| save, ms | 6 / 10 | 134 / 353 |\n| import, s | 5 | – |"
    )


def test_times_are_medians_and_percentiles() -> None:
    seconds = [number / 1000 for number in range(1, 101)]
    assert (milliseconds(seconds), milliseconds(seconds, 95)) == ("50.5", "96.0")


def test_twenty_different_spans_are_saved_however_long_the_texts_are() -> None:
    for words in (20, 400, 2_800):
        tokens = {side: [[6 * index, 6 * index + 5] for index in range(words)] for side in "ab"}
        spans = parse_spans(spans_of(tokens, ""))
        assert len({span.fragments for span in spans}) == 20
