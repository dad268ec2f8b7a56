"""Change over time, growth, and re-tests."""

import numpy as np
import pytest
from scipy import stats

from agreement.metrics.bootstrap import draws
from agreement.report.compute.drift import (
    MAX_DOCUMENTS,
    MIN_TREND_DOCUMENTS,
    NO_INTERVAL,
    POINTS,
    drifts,
    growth,
    repeats,
    tau_interval,
    trend,
)
from tests.agreement.metric_documents import collection, document, work


def test_a_trend_and_its_halves() -> None:
    found = trend(np.arange(10) / 10)
    assert found.documents == 10
    assert found.tau.value == pytest.approx(1)
    assert found.p is not None and found.p < 0.001
    assert found.first_half == pytest.approx(0.2)
    assert found.second_half == pytest.approx(0.7)


def test_too_few_documents_or_no_variation_are_not_tested() -> None:
    assert trend(np.arange(MIN_TREND_DOCUMENTS - 1) / 10).tau.value is None
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
    assert found[0].marked.tau.value == pytest.approx(-1)
    assert found[0].agreement.tau.value == pytest.approx(-1)
    assert found[1].agreement.tau.value == pytest.approx(1), "A2 worked the other way round"
    assert found[1].marked.tau.value is None, "A2 always marks everything"
    assert found[0].label is not None and found[0].label.first_half == 1


def test_agreement_as_it_grows() -> None:
    one = document(1, work(0, ("10", "")), work(1, ("10", ""), when=2.0))
    two = document(2, work(0, ("10", "")), work(1, ("01", ""), when=1.0))
    grown = growth(collection(one, two))
    assert [point.documents for point in grown] == [1, 2]
    assert [point.pair for point in grown] == [2, 1]
    first, second = (point.alpha.value for point in grown)
    assert first is not None and second is not None
    assert first < second, "the document on which they differ came in first"
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


def test_growth_of_much_work_is_thinned_and_ends_with_all_of_it() -> None:
    random = np.random.default_rng(3)
    many = [
        document(
            n, *(work(place, ("".join(map(str, random.integers(0, 2, 8))), ""), when=float(n)) for place in (0, 1))
        )
        for n in range(150)
    ]
    grown = growth(collection(*many))
    assert len(grown) <= POINTS and grown[-1].documents == 150 and grown[-1].pair == 149
    last = grown[-1].alpha
    assert last.interval is not None and last.value is not None
    assert last.interval[0] < last.value < last.interval[1]


def test_the_interval_of_tau_is_that_of_scipy_on_every_draw() -> None:
    values = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0, 8.0])
    found = tau_interval(values, 0.3)
    drawn = []
    for row in draws(len(values)):
        places = np.repeat(np.arange(len(values)), row)
        drawn.append(stats.kendalltau(places, values[places]).statistic)
    assert found.interval == pytest.approx(tuple(np.nanpercentile(drawn, [2.5, 97.5])))
    assert tau_interval(np.arange(MAX_DOCUMENTS + 1.0), 1.0).note == NO_INTERVAL


def test_labels_without_an_order_drift_by_their_shares() -> None:
    """A1 marks ever more of the second label; a scheme with one label only has no shares that could change."""
    texts = ["2" * n + "1" * (10 - n) for n in range(10)]
    documents = [document(n, work(0, ("", text), when=float(n))) for n, text in enumerate(texts)]
    (found,) = drifts(collection(*documents, people=("A1",), graded=False))
    assert found.label is None and list(found.shares) == ["new", "inferable"]
    assert found.shares["inferable"].tau.value == pytest.approx(1)
    assert found.shares["new"].tau.value == pytest.approx(-1)
    assert found.shares["new"].first_half == pytest.approx(0.8)
