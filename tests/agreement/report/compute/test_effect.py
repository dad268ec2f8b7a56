"""With highlights against without."""

import numpy as np
import pytest

from agreement.metrics.documents import Collection
from agreement.report.compute.effect import Highlights, Outcomes, highlights_of, means_of, size_of
from tests.agreement.metric_documents import collection, document, work


def highlights(compared: Collection) -> Highlights | None:
    """The effects in a collection that is read at once."""
    outcomes = Outcomes(compared)
    outcomes.add(compared)
    return highlights_of(outcomes)


def with_highlights(quicker: int) -> Collection:
    """40 documents by two people, every second one with highlights, which save so many seconds."""
    random = np.random.default_rng(4)
    documents = []
    for n in range(40):
        shown = n % 2 == 0
        seconds = [int(random.integers(300, 400)) - (quicker if shown else 0) for _ in range(2)]
        annotations = [
            work(place, ("4400", "0"), highlights=shown, seconds=seconds[place], accepted=int(shown))
            for place in (0, 1)
        ]
        documents.append(document(n, *annotations))
    return collection(*documents)


def test_cohens_d_of_sums_is_cohens_d() -> None:
    without, with_them = np.array([1.0, 2.0, 4.0]), np.array([3.0, 5.0, 7.0, 8.0])
    sums = np.array([[len(group), group.sum(), (group**2).sum()] for group in (without, with_them)])
    assert means_of(sums) == pytest.approx([without.mean(), with_them.mean()])
    pooled = (2 * without.var(ddof=1) + 3 * with_them.var(ddof=1)) / 5
    assert float(size_of(sums)) == pytest.approx((with_them.mean() - without.mean()) / np.sqrt(pooled))


def test_a_real_difference_is_found_and_the_rest_is_not() -> None:
    found = highlights(with_highlights(quicker=120))
    assert found is not None
    by_name = {effect.name: effect for effect in found.effects}
    minutes = by_name["active minutes"]
    assert minutes.difference.value == pytest.approx(-2, abs=0.4)
    assert minutes.size.value is not None and minutes.size.value < -2
    assert found.accepted.value == 1
    assert by_name["spans"].difference.value == 0
    assert by_name["IoU of two annotators"].with_them.value == 1
    assert found.differing == ("active minutes",)


def test_chance_is_no_difference() -> None:
    found = highlights(with_highlights(quicker=0))
    assert found is not None and found.differing == ()


def test_shown_to_all_or_to_too_few_there_is_nothing_to_compare() -> None:
    assert highlights(collection(document(1, work(0, ("4", "")), work(1, ("4", ""))))) is None
    assert highlights(collection()) is None


def test_nothing_is_kept_where_it_is_known_that_there_is_nothing_to_compare() -> None:
    block = with_highlights(quicker=120)
    kept, none = Outcomes(block), Outcomes(block, compared=False)
    for outcomes in (kept, none):
        outcomes.add(block)
    assert highlights_of(kept) == highlights(block)
    assert highlights_of(none) is None
    assert (none.shown, none.hidden, none.documents) == (kept.shown, kept.hidden, kept.documents)
