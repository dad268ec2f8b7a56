"""Alpha: against the krippendorff package and nltk, by its properties, and its edge cases."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from nltk.metrics.agreement import AnnotationTask

from agreement.metrics import alpha as module
from agreement.metrics.alpha import DISTANCES, Distance, alpha, alpha_of, coincidences, one_against_rest
from agreement.metrics.arrays import MISSING, Ints
from tests.agreement.metrics.strategies import answers

VALUES = np.array([0.0, 1.0, 4.0])


def of(codes: Ints, documents: Ints, distance: Distance) -> float:
    return float(alpha_of(coincidences(codes, documents, 3, 5).sum(axis=0), VALUES, distance))


@pytest.mark.parametrize("distance", DISTANCES)
def test_the_example_of_the_literature(distance: Distance) -> None:
    """Krippendorff (2011), example C: four observers, twelve units."""
    given_values = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ]
    codes = np.array(given_values) - 1
    matrix = coincidences(codes, np.zeros(12, dtype=np.int64), 5)[0]
    expected = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849}[distance]
    values = np.arange(1.0, 6.0)
    assert round(float(alpha_of(matrix, values, distance)), 3) == expected
    assert round(alpha(codes, values, distance) or 0.0, 3) == expected


@given(answers())
def test_coincidences_give_what_the_package_gives(drawn: tuple[Ints, Ints]) -> None:
    codes, documents = drawn
    data = np.where(codes == MISSING, np.nan, VALUES[codes])
    for distance in DISTANCES:
        own, point = of(codes, documents, distance), alpha(codes, VALUES, distance)
        if point is None:
            assert np.isnan(own)
        else:
            package = krippendorff.alpha(data, value_domain=VALUES, level_of_measurement=distance)
            assert own == pytest.approx(package, abs=1e-9)
            assert point == pytest.approx(package, abs=1e-9)


@given(answers(missing=False))
def test_nominal_alpha_is_nltks(drawn: tuple[Ints, Ints]) -> None:
    codes, documents = drawn
    if len(np.unique(codes)) < 2:
        return
    rows = [(a, u, int(codes[a, u])) for a in range(len(codes)) for u in range(codes.shape[1])]
    assert of(codes, documents, "nominal") == pytest.approx(AnnotationTask(rows).alpha(), abs=1e-9)


@given(answers())
def test_the_order_of_annotators_and_units_does_not_matter(drawn: tuple[Ints, Ints]) -> None:
    codes, documents = drawn
    turned = coincidences(codes[::-1, ::-1], documents[::-1], 3, 5)
    assert turned == pytest.approx(coincidences(codes, documents, 3, 5))


@given(answers())
def test_nominal_alpha_is_blind_to_names(drawn: tuple[Ints, Ints]) -> None:
    codes, documents = drawn
    renamed = np.where(codes == MISSING, MISSING, (codes + 1) % 3)
    assert of(renamed, documents, "nominal") == pytest.approx(of(codes, documents, "nominal"), nan_ok=True)


@given(answers())
def test_alpha_is_never_above_one(drawn: tuple[Ints, Ints]) -> None:
    codes, documents = drawn
    for distance in DISTANCES:
        value = of(codes, documents, distance)
        assert np.isnan(value) or -1 - 1e-9 <= value <= 1 + 1e-9


def test_full_agreement_is_one() -> None:
    codes = np.array([[0, 1, 2], [0, 1, 2]])
    for distance in DISTANCES:
        assert of(codes, np.zeros(3, dtype=np.int64), distance) == pytest.approx(1)


def test_one_label_only_is_undefined() -> None:
    codes = np.zeros((2, 5), dtype=np.int64)
    assert alpha(codes, VALUES, "nominal") is None
    assert np.isnan(of(codes, np.zeros(5, dtype=np.int64), "nominal"))


def test_an_annotator_with_no_shared_unit_changes_nothing() -> None:
    codes = np.array([[0, 1, 2, 0, MISSING], [0, 1, 1, 0, MISSING], [MISSING, MISSING, MISSING, MISSING, 2]])
    assert alpha(codes, VALUES, "ordinal") == pytest.approx(alpha(codes[:2, :4], VALUES, "ordinal") or 0)


def test_no_units_are_undefined() -> None:
    empty = np.zeros((2, 0), dtype=np.int64)
    assert alpha(empty, VALUES, "nominal") is None
    assert coincidences(empty, np.zeros(0, dtype=np.int64), 3, 2).shape == (2, 3, 3)


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    codes = random.integers(-1, 3, (4, 500))
    documents = np.sort(random.integers(0, 7, 500))
    whole = coincidences(codes, documents, 3, 7)
    point = alpha(codes, VALUES, "ordinal")
    monkeypatch.setattr(module, "BLOCK", 37)
    monkeypatch.setattr(module, "PACKAGE_UNITS", 37)
    assert coincidences(codes, documents, 3, 7) == pytest.approx(whole)
    assert alpha(codes, VALUES, "ordinal") == pytest.approx(point or 0, abs=1e-9)


@given(answers())
def test_one_label_against_the_rest_is_alpha_of_having_it(drawn: tuple[Ints, Ints]) -> None:
    codes, documents = drawn
    matrix = coincidences(codes, documents, 3, 5).sum(axis=0)
    for label in range(3):
        own = float(alpha_of(one_against_rest(matrix, label), np.arange(2.0), "nominal"))
        has = np.where(codes == MISSING, MISSING, codes == label)
        point = alpha(has, np.arange(2.0), "nominal")
        assert np.isnan(own) if point is None else own == pytest.approx(point, abs=1e-9)
