"""Change over time, growth, and re-tests."""

import numpy as np
import pytest

from agreement.report.drift import ENOUGH, drifts, growth, repeats, trend
from tests.agreement.made import collection, document, work


def test_a_trend_and_its_halves() -> None:
    found = trend(np.arange(10) / 10)
    assert found.documents == 10
    assert found.tau == pytest.approx(1)
    assert found.p is not None and found.p < 0.001
    assert found.first_half == pytest.approx(0.2)
    assert found.second_half == pytest.approx(0.7)


def test_too_few_documents_or_no_variation_are_not_tested() -> None:
    assert trend(np.arange(ENOUGH - 1) / 10).tau is None
    assert trend(np.ones(20)).p is None
    assert trend(np.full(4, np.nan)).documents == 0
    assert trend(np.zeros(0)).second_half is None


def test_an_annotators_own_order_counts() -> None:
    """A1 marks less and less; the documents stand in another order than the work was done."""
    marks = ["1111111111"[:n] + "0" * (10 - n) for n in range(10, 0, -1)]
    documents = [
        document(n, work(0, (text, ""), when=float(n)), work(1, ("1" * 10, ""), when=float(-n)))
        for n, text in enumerate(marks)
    ]
    found = drifts(collection(*documents[::-1]))
    assert [drift.name for drift in found] == ["A1", "A2"]
    assert found[0].marked.tau == pytest.approx(-1)
    assert found[0].agreement.tau == pytest.approx(-1)
    assert found[1].agreement.tau == pytest.approx(1), "A2 worked the other way round"
    assert found[1].marked.tau is None, "A2 always marks everything"
    assert found[0].label is not None and found[0].label.first_half == 1


def test_agreement_as_it_grows() -> None:
    one = document(1, work(0, ("10", "")), work(1, ("10", ""), when=2.0))
    two = document(2, work(0, ("10", "")), work(1, ("01", ""), when=1.0))
    grown = growth(collection(one, two))
    assert [n for n, _ in grown] == [1, 2]
    assert grown[0][1] < grown[1][1], "the document on which they differ came in first"
    assert growth(collection()) == []


def test_the_same_person_again() -> None:
    made = collection(
        document(1, work(0, ("40", "4")), work(0, ("40", "0"), round=1), work(1, ("00", "0"))),
        document(2, work(1, ("40", "0"))),
    )
    (row,) = repeats(made, resamples=20)
    assert (row.name, row.documents) == ("A1", 1)
    assert row.sides["a"]["iou"].value == 1
    assert row.sides["b"]["iou"].value == 0
    assert repeats(made.first_round()) == []
