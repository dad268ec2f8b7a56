"""Spans of two annotators that are the same, exactly or nearly."""

from hypothesis import given
from hypothesis import strategies as st

from agreement.metrics.matching import THRESHOLDS, TokenSpan, label_table, span_pairs

tokens = st.frozensets(st.integers(0, 6), max_size=5)
spans = st.lists(st.builds(TokenSpan, st.integers(1, 3), tokens, tokens), max_size=6)


def span(label: int, a: str = "", b: str = "") -> TokenSpan:
    return TokenSpan(label, frozenset(map(int, a)), frozenset(map(int, b)))


def test_the_mean_of_both_sides_decides() -> None:
    (matched,) = span_pairs([span(2, "0123", "01")], [span(4, "01", "01")])
    assert matched.similarity == 0.75
    assert [matched.reaches(percent) for percent in THRESHOLDS] == [True, True, False]
    assert matched.labels == (2, 4)
    assert not matched.exact


def test_a_side_on_which_neither_has_a_token_counts_one() -> None:
    (matched,) = span_pairs([span(1, "", "0")], [span(1, "", "012")])
    assert matched.similarity == (1 + 1 / 3) / 2


def test_no_rounding_decides() -> None:
    """1/3 and 2/3 make one half, in whole numbers."""
    (matched,) = span_pairs([span(1, "012", "012")], [span(1, "0", "01")])
    assert matched.reaches(50)
    assert not matched.reaches(51)


def test_spans_that_share_no_token_do_not_meet_even_when_alike() -> None:
    assert span_pairs([span(1, "0"), span(1)], [span(1, "1"), span(1)]) == []


def test_every_pair_counts_and_broken_spans_match_nothing() -> None:
    matched = span_pairs([span(3, "01"), span(5, "01"), span(1)], [span(4, "01"), span(1)])
    assert [(pair.one, pair.other, pair.exact) for pair in matched] == [(0, 0, True), (1, 0, True)]
    table = label_table(matched, 6)
    assert table[3, 4] == table[5, 4] == 1
    assert table.sum() == 2


def test_an_annotator_without_spans() -> None:
    assert span_pairs([], [span(1, "0")]) == []


@given(spans, spans)
def test_symmetry_and_bounds(one: list[TokenSpan], other: list[TokenSpan]) -> None:
    forth, back = span_pairs(one, other), span_pairs(other, one)
    assert {(m.one, m.other, m.similarity) for m in forth} == {(m.other, m.one, m.similarity) for m in back}
    for matched in forth:
        assert 0 < matched.similarity <= 1
        assert matched.exact == (matched.similarity == 1)
        assert matched.reaches(90) <= matched.reaches(75) <= matched.reaches(50)
