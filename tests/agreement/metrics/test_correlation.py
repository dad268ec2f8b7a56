"""Rank correlations from contingency tables, against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from agreement.metrics import correlation
from agreement.metrics.arrays import Floats
from agreement.metrics.correlation import kendall, kendall_of, spearman, spearman_of

tables = hnp.arrays(np.float64, (4, 4), elements=st.integers(0, 5).map(float))


@given(tables)
def test_tables_give_what_scipy_gives(table: Floats) -> None:
    rows, columns = np.indices(table.shape)
    one, other = (np.repeat(axis.ravel(), table.astype(int).ravel()) for axis in (rows, columns))
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        assert spearman(table) is None
        assert kendall(table) is None
        assert np.isnan(spearman_of(table))
        assert np.isnan(kendall_of(table))
        return
    assert spearman(table) == pytest.approx(stats.spearmanr(one, other).statistic)
    assert float(spearman_of(table)) == pytest.approx(stats.spearmanr(one, other).statistic, abs=1e-9)
    assert kendall(table) == pytest.approx(stats.kendalltau(one, other).statistic)
    assert float(kendall_of(table)) == pytest.approx(stats.kendalltau(one, other).statistic, abs=1e-9)


@given(tables)
def test_symmetric_and_bounded(table: Floats) -> None:
    for statistic in (spearman_of, kendall_of):
        value = float(statistic(table))
        assert np.isnan(value) or -1 - 1e-9 <= value <= 1 + 1e-9
        assert float(statistic(table.T)) == pytest.approx(value, nan_ok=True)
        assert float(statistic(table[::-1])) == pytest.approx(-value, nan_ok=True, abs=1e-9)


def test_many_tables_at_once() -> None:
    random = np.random.default_rng(3)
    stack = random.integers(0, 4, (5, 3, 3)).astype(np.float64)
    for statistic in (spearman_of, kendall_of):
        assert statistic(stack) == pytest.approx([float(statistic(table)) for table in stack], nan_ok=True)


def test_one_label_only_or_one_observation_is_undefined() -> None:
    constant = np.zeros((3, 3))
    constant[1] = (2, 1, 0)
    single = np.zeros((3, 3))
    single[0, 2] = 1
    assert spearman(constant) is None
    assert kendall(single) is None
    assert spearman(np.zeros((3, 3))) is None


def test_the_value_of_a_large_table_is_that_of_its_observations(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(9)
    for labels in (2, 3, 6):
        for scale in (1, 7, 40):
            table = random.poisson(scale * random.random((labels, labels)) ** 3).astype(np.float64)
            by_scipy = spearman(table), kendall(table)
            with monkeypatch.context() as limited:
                limited.setattr(correlation, "PACKAGE_OBSERVATIONS", 1)
                own = spearman(table), kendall(table)
            assert own[0] == pytest.approx(by_scipy[0], abs=1e-12)
            assert own[1] == by_scipy[1], "to the last digit"
