"""Expected reliability with more annotators."""

import pytest

from agreement.metrics.bootstrap import Estimate
from agreement.report.compute.ceiling import joint_reliability, joint_reliability_of


def test_spearman_brown() -> None:
    assert joint_reliability_of(0.5, 1) == 0.5
    assert joint_reliability_of(0.5, 3) == pytest.approx(0.75)
    assert joint_reliability_of(-0.2, 4) == 0
    assert joint_reliability_of(1.0, 4) == 1


def test_the_interval_follows() -> None:
    rows = joint_reliability(Estimate(0.5, 0.25, 0.75, 12))
    assert [count for count, _ in rows] == [1, 2, 3, 4, 5]
    assert rows[1][1].low == pytest.approx(0.4)
    assert rows[1][1].high == pytest.approx(6 / 7)
    assert joint_reliability(Estimate(None)) == []
    assert joint_reliability(Estimate(0.5))[2][1].interval is None
