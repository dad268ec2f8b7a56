"""Set-theoretic compositionality: cases worked by hand, and a second implementation that follows the text literally."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from assist.encoder_choice.compositionality import (
    MARGINS,
    MEASURES,
    EncoderMeasures,
    Floats,
    Histogram,
    angles,
    compositionality_scores,
    measure_encoder,
    sentences,
)
from assist.encoder_choice.tables import Operator, Sample

PLAIN: dict[str, Callable[[Floats, Floats], float]] = {
    "cosine": lambda x, y: float(x @ y) / math.sqrt(float(x @ x) * float(y @ y)),
    "dot": lambda x, y: float(sum(x * y)),
    "l1": lambda x, y: -float(sum(abs(x - y))),
    "l2": lambda x, y: -math.dist(x, y),
    "ned": lambda x, y: -0.5 * float(np.var(x - y)) / float(np.var(x) + np.var(y)),
}


def random_samples(seed: int, count: int = 4) -> tuple[list[Sample], list[dict[str, Floats]]]:
    """Samples of each operator and the vectors of two encoders, of different widths."""
    rng = np.random.default_rng(seed)
    operators: Sequence[Operator] = ("overlap", "difference", "union")
    samples = [Sample(f"a{n}", f"b{n}", f"{each}{n}", each) for each in operators for n in range(count)]
    texts = sentences(samples)
    return samples, [{text: rng.normal(size=width) for text in texts} for width in (5, 9)]


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_the_measures_are_those_of_plain_formulas(name: str) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 6, 4))
    expected = [PLAIN[name](*rows) for rows in zip(x, y, strict=True)]
    assert MEASURES[name](x, y) == pytest.approx(expected)


def test_vectors_without_length_or_variance_have_similarity_zero() -> None:
    nothing, ones = np.zeros((1, 3)), np.ones((1, 3))
    assert MEASURES["cosine"](nothing, ones).tolist() == [0.0]
    assert MEASURES["ned"](nothing, ones).tolist() == [0.0]


@pytest.mark.parametrize("name", sorted(MEASURES))
@pytest.mark.long
def test_a_grid_of_margins_gives_the_same_shares(name: str) -> None:
    samples, encoders = random_samples(2)
    scores = compositionality_scores([measure_encoder(samples, vectors) for vectors in encoders])
    similarity = PLAIN[name]
    c1: list[list[tuple[float, float]]] = []
    c3: list[list[tuple[float, float]]] = []
    c4: list[list[float]] = []
    for vectors in encoders:
        first, third, fourth = [], [], []
        for sample in samples:
            a, b, x = vectors[sample.a], vectors[sample.b], vectors[sample.target]
            if sample.operator == "overlap":
                first.append((similarity(a, x) - similarity(a, b), similarity(b, x) - similarity(a, b)))
            elif sample.operator == "difference":
                third.append((similarity(a, x) - similarity(b, x), similarity(a, b) - similarity(b, x)))
                fourth.append(similarity(a - b, x) - similarity(a - b, b))
        c1.append(first)
        c3.append(third)
        c4.append(fourth)
    for index, score in enumerate(scores):
        found = score.measures[name]
        assert found.c1 == pytest.approx(shares(c1, index)) and found.c3 == pytest.approx(shares(c3, index))
        every = [value for values in c4 for value in values]
        margins = np.linspace(min(every), max(every), MARGINS)
        met = [value >= margin for value in c4[index] for margin in margins]
        assert found.c4 == pytest.approx(sum(met) / len(met))


def shares(encoders: Sequence[Sequence[tuple[float, float]]], at: int) -> tuple[float, ...]:
    """The shares of (both, first only, second only, neither), counted at every pair of margins."""
    grids = []
    for column in (0, 1):
        every = [values[column] for rows in encoders for values in rows]
        grids.append(np.linspace(min(every), max(every), MARGINS))
    counts = dict.fromkeys(itertools.product((True, False), repeat=2), 0)
    for (one, other), first, second in itertools.product(encoders[at], *grids):
        counts[one >= first, other >= second] += 1
    total = len(encoders[at]) * MARGINS**2
    return tuple(counts[each] / total for each in ((True, True), (True, False), (False, True), (False, False)))


def test_shares_sum_to_one_and_depend_on_the_encoders_compared() -> None:
    samples, encoders = random_samples(4)
    one, other = (measure_encoder(samples, vectors) for vectors in encoders)
    together = compositionality_scores([one, other])
    for score in together:
        for criteria in score.measures.values():
            assert criteria.c1 is not None and sum(criteria.c1) == pytest.approx(1)
            assert criteria.c3 is not None and sum(criteria.c3) == pytest.approx(1)
    assert compositionality_scores([one])[0].measures["dot"] != together[0].measures["dot"]


def test_a_projection_by_hand() -> None:
    """A along x, B at 90 degrees in the plane; the third dimension is projected away."""
    a, b = np.array([2.0, 0, 0]), np.array([0, 5.0, 0])
    targets = {30.0: True, 90.0: True, 0.0: True, -10.0: False, 100.0: False, 250.0: False}
    for degrees, inside in targets.items():
        x = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 7.0])
        found = angles(a[None], b[None], x[None])
        assert found.between[0] == pytest.approx(math.pi / 2)
        assert found.to_a[0] == pytest.approx(math.acos(math.cos(math.radians(degrees))))
        assert found.to_b[0] == pytest.approx(math.acos(math.cos(math.radians(degrees - 90))))
        assert found.inside() == float(inside)
    near = angles(np.array([a, a]), np.array([b, b]), np.array([[1.0, 0.2, 0], [1.0, 0.5, 0]]))
    assert near.near_a() == 0.5  # 11.3 and 26.6 degrees; a quarter of 90 is 22.5


def test_angles_are_those_of_gram_schmidt() -> None:
    rng = np.random.default_rng(5)
    a, b, x = rng.normal(size=(3, 20, 8))
    found = angles(a, b, x)
    for n in range(20):
        first = a[n] / np.linalg.norm(a[n])
        second = b[n] - (b[n] @ first) * first
        second /= np.linalg.norm(second)
        projected = (x[n] @ first) * first + (x[n] @ second) * second
        expected = [math.acos(PLAIN["cosine"](*each)) for each in ((projected, a[n]), (projected, b[n]), (a[n], b[n]))]
        assert [found.to_a[n], found.to_b[n], found.between[n]] == pytest.approx(expected)


def test_pairs_that_span_no_plane_are_left_out() -> None:
    a = np.array([[1.0, 2.0, 3.0], [0, 0, 0], [1.0, 0, 0], [1.0, 0, 0]])
    b = np.array([[2.0, 4.0, 6.0], [1.0, 0, 0], [0, 0, 0], [0, 1.0, 0]])
    found = angles(a, b, np.array([[0, 0, 1.0]] * 4))
    assert len(found.between) == 0 and found.inside() is None and found.near_a() is None


def test_norm_ratios_are_of_unions_only() -> None:
    samples = [Sample("a", "b", "u", "union"), Sample("x", "b", "o", "overlap"), Sample("a", "z", "u", "union")]
    vectors = {"a": [3.0, 4.0], "b": [2.0, 0.0], "u": [1.0, 1.0], "x": [9.0, 0.0], "o": [1.0, 0.0], "z": [0.0, 0.0]}
    found: EncoderMeasures = measure_encoder(samples, {text: np.array(vector) for text, vector in vectors.items()})
    assert found.norm_ratios.tolist() == [2.5]


def test_operators_without_samples_have_no_figures() -> None:
    samples = [Sample("a", "b", "u", "union")]
    (score,) = compositionality_scores(
        [measure_encoder(samples, {"a": np.ones(2), "b": np.arange(2.0), "u": np.ones(2)})]
    )
    assert score.c2_inside is None and score.c5_near_a is None and score.c6_inside == 1.0
    assert all((each.c1, each.c3, each.c4) == (None, None, None) for each in score.measures.values())


def test_histograms_count_every_value_and_put_the_far_ones_into_the_outer_bars() -> None:
    found = Histogram.of(np.array([-1.0, 0.0, 0.1, 0.5, 0.9, 1.0, 7.0]), 0.0, 1.0, bins=4)
    assert found.edges == (0.0, 0.25, 0.5, 0.75, 1.0) and found.counts == (3, 0, 1, 3)


def test_angles_are_normalised_by_that_between_a_and_b_and_ratios_have_the_same_bars_for_all() -> None:
    a, b = np.array([1.0, 0.0, 0.0]), np.array([0.0, 2.0, 0.0])
    vectors = {"a": a, "b": b, "half": np.array([1.0, 1.0, 5.0]), "at a": np.array([3.0, 0.0, 1.0])}
    samples = [Sample("a", "b", "half", "overlap"), Sample("a", "b", "at a", "difference")]
    samples += [Sample("a", "b", "half", "union"), Sample("b", "a", "half", "union")]
    first = measure_encoder(samples, vectors)
    assert first.angles["overlap"].normalised() == pytest.approx([0.5])
    assert first.angles["difference"].normalised() == pytest.approx([1.0])
    scores = compositionality_scores([first, measure_encoder(samples, {**vectors, "b": 8 * b})])
    for score, counts in zip(scores, ({0.5, 2.0}, {1 / 16, 16.0}), strict=True):
        found = score.histograms["norm_ratio"]
        assert (found.edges[0], found.edges[-1]) == (1 / 16, 16.0) and sum(found.counts) == len(counts)
        assert sum(score.histograms["c2"].counts) == 1 and score.histograms["c2"].counts[5] == 1
        assert score.histograms["c5"].counts.index(1) == 10


def test_vectors_of_one_length_still_have_a_histogram() -> None:
    vectors = {"a": np.array([1.0, 0.0]), "b": np.array([0.0, 1.0]), "u": np.array([1.0, 1.0])}
    (score,) = compositionality_scores([measure_encoder([Sample("a", "b", "u", "union")], vectors)])
    found = score.histograms["norm_ratio"]
    assert found.edges[0] == 0.5 and found.edges[-1] == 1.5 and sum(found.counts) == 1
    assert sum(score.histograms["c2"].counts) == 0
