"""Intervals over documents: adding counts up is recomputing, seeds repeat, and little evidence is said to be little."""

import tracemalloc

import numpy as np
import pytest

from agreement.metrics import bootstrap
from agreement.metrics.alpha import alpha_of, coincidences
from agreement.metrics.arrays import Floats
from agreement.metrics.bootstrap import (
    ROWS,
    WEIGHTS,
    CountStatistic,
    Dense,
    Sparse,
    Stacked,
    draw_blocks,
    draws,
    estimate,
    estimates,
    mean,
    resampled,
    terms,
)

VALUES = np.arange(3.0)


def test_every_resample_draws_as_many_documents_as_there_are() -> None:
    drawn = draws(17, 50)
    assert drawn.shape == (50, 17)
    assert (drawn.sum(axis=1) == 17).all()
    assert (draws(17, 50) == drawn).all(), "seeded"
    assert (draws(17, 50, seed=2) != drawn).any()


def test_adding_up_is_recomputing() -> None:
    random = np.random.default_rng(5)
    codes, documents = random.integers(0, 3, (3, 200)), np.sort(random.integers(0, 8, 200))
    counts, drawn = coincidences(codes, documents, 3, 8), draws(8, 20)
    quick = alpha_of(resampled(counts, drawn), VALUES, "ordinal")
    for row, value in zip(drawn, quick, strict=True):
        units = np.concatenate([np.tile(np.flatnonzero(documents == d), times) for d, times in enumerate(row)])
        again = coincidences(codes[:, units], np.zeros(len(units), dtype=np.int64), 3)
        assert float(alpha_of(again[0], VALUES, "ordinal")) == pytest.approx(value, abs=1e-9)


def test_the_interval_of_a_mean_covers_it_and_narrows() -> None:
    random = np.random.default_rng(6)
    wide = estimate(terms(random.normal(size=20)), mean, draws(20))
    narrow = estimate(terms(random.normal(size=2000)), mean, draws(2000))
    for found in (wide, narrow):
        assert found.interval is not None and found.value is not None
        assert found.interval[0] < found.value < found.interval[1]
    assert wide.interval and narrow.interval
    assert narrow.interval[1] - narrow.interval[0] == pytest.approx(2 * 1.96 / np.sqrt(2000), rel=0.1)
    assert wide.interval[1] - wide.interval[0] > narrow.interval[1] - narrow.interval[0]


def test_a_document_that_says_nothing_is_left_out_of_a_mean() -> None:
    found = estimate(terms(np.array([0.5, np.nan, 0.7])), mean, draws(3))
    assert found.value == pytest.approx(0.6)
    assert found.documents == 2
    assert "only 2 documents" in found.note


def test_one_document_has_no_interval() -> None:
    found = estimate(terms(np.array([0.5])), mean, draws(1))
    assert (found.value, found.interval, found.note) == (0.5, None, "only one document: no interval")


def test_nothing_to_count() -> None:
    assert estimate(np.zeros((0, 2)), mean, draws(0)).value is None
    assert resampled(np.zeros((0, 2, 3)), draws(0, 5)).shape == (5, 2, 3)
    assert estimate(np.zeros((4, 2)), mean, draws(4), why="nobody marked anything").note == "nobody marked anything"


def test_a_statistic_that_most_resamples_leave_undefined_has_no_interval() -> None:
    counts = np.zeros((40, 2, 2))
    counts[0] = [[4, 1], [1, 0]]
    counts[1:, 0, 0] = 1
    rare = np.zeros((40, 2, 2))
    rare[1:, 0, 0] = 1
    rare[0, 0, 1] = rare[0, 1, 0] = 0.5

    def only_with_both(matrices: Floats) -> Floats:
        return np.where(matrices[..., 0, 1] > 0.9, matrices[..., 0, 1], np.nan)

    found = estimate(rare, only_with_both, draws(40))
    assert found.value is None
    found = estimate(rare * 2, lambda sums: np.where(sums[..., 0, 1] == 1, 1.0, np.nan), draws(40))
    assert found.value == 1
    assert found.interval is None


def test_the_point_value_of_another_implementation_stands() -> None:
    found = estimate(terms(np.array([0.2, 0.4, 0.6])), mean, draws(3), value=0.4000001)
    assert found.value == 0.4000001


@pytest.mark.parametrize(("documents", "block"), [(17, 1 << 18), (300, 700), (50, 50), (3, 1000)])
def test_draws_come_in_blocks_too(documents: int, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "BLOCK", block)
    blocks = list(draw_blocks(documents, 150))
    assert [len(rows) for rows in blocks] == [64, 64, 22]
    assert (np.concatenate(blocks) == draws(documents, 150)).all()


@pytest.mark.parametrize("part", [4, 1000])
def test_several_statistics_at_once_are_the_same_as_one_by_one(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "PART", part)
    random = np.random.default_rng(8)
    whole, halves, thirds = (
        random.integers(0, 9, (30, 2, 2)),
        random.integers(0, 9, (30, 2)) / 2,
        random.random((30, 2)),
    )
    few = np.sort(random.integers(0, 30, 12))
    dense = np.zeros((30, 2, 2))
    np.add.at(dense, few, whole[:12])

    def share(sums: Floats) -> Floats:
        return np.asarray(sums[..., 0, 0] / np.maximum(sums.sum(axis=(-2, -1)), 1))

    told: list[int] = []
    found = estimates(
        {
            "whole": CountStatistic(Dense(lambda part: whole[part].astype(np.float64), 30, exact=True), share),
            "halves": CountStatistic(Dense(lambda part: halves[part], 30, exact=True), mean, value=0.5),
            "thirds": CountStatistic(Dense.of(thirds), mean),
            "few": CountStatistic(Sparse.of(few, whole[:12]), share),
            "both": CountStatistic(
                Stacked([Sparse.of(few, whole[:12]), Sparse.of(np.arange(30), whole)]),
                lambda sums: share(sums).mean(axis=-1),
            ),
            "none": CountStatistic(Dense.of(np.zeros((30, 2))), mean, why="nobody did"),
        },
        30,
        on_progress=told.append,
    )
    weights = draws(30)
    assert found["whole"] == estimate(whole.astype(np.float64), share, weights)
    assert found["halves"] == estimate(halves, mean, weights, value=0.5)
    assert found["thirds"] == estimate(thirds, mean, weights)
    assert found["few"] == estimate(dense, share, weights)
    both = estimate(np.stack([dense, whole], axis=1), lambda sums: share(sums).mean(axis=-1), weights)
    assert found["both"] == both
    assert found["none"].note == "nobody did"
    assert list(found) == ["whole", "halves", "thirds", "few", "both", "none"]
    blocks = [documents for documents in told if documents]
    assert len(blocks) == 16 and sum(blocks) == 30, "how far the draws have got"
    assert len(told) >= 16 * 6, "at each of five sums too"


def test_who_is_told_can_end_it() -> None:
    def on_progress(documents: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        estimates({"mean": CountStatistic(Dense.of(np.ones((5, 2))), mean)}, 5, on_progress=on_progress)


def test_one_block_of_draws_is_held_at_a_time() -> None:
    documents, blocks = 40_000, 3
    counts = terms(np.linspace(0, 1, documents))
    asked = {"mean": CountStatistic(Dense.of(counts), mean)}
    tracemalloc.start()
    try:
        estimates(asked, documents, blocks * ROWS)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert ROWS * documents > WEIGHTS, "too many to be converted at once"
    assert peak < 6 * ROWS * documents, f"{peak / 2**20:.1f} MB; draws have 2 bytes, and a quarter of them 8 more"


@pytest.mark.parametrize("shape", [(), (3,)])
def test_sums_over_many_documents_are_those_of_all_rows_at_once(shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(7)
    documents = WEIGHTS // ROWS + 1
    weights = random.integers(0, 4, (ROWS - 3, documents), dtype=np.uint16)
    whole = random.integers(0, 9, (documents, *shape)).astype(np.float64)
    assert np.array_equal(resampled(whole, weights), np.tensordot(weights.astype(np.float64), whole, 1))
    assert resampled(whole / 7, weights) == pytest.approx(resampled(whole, weights) / 7, rel=1e-12)
