"""Rank correlation of scores and labels, with its interval over documents."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from django.utils.translation import gettext_noop

from agreement.metrics.arrays import Floats, Ints
from agreement.metrics.bootstrap import Draws, Estimate, estimate
from agreement.metrics.correlation import kendall_of, spearman_of

Rank = Literal["spearman", "kendall"]
# For intervals only, scores are counted in this many steps; point values use the scores themselves.
STEPS = 400


def rank_correlation(
    scores: Floats, codes: Ints, documents: Ints, values: Floats, weights: Draws, name: Rank
) -> Estimate:
    """Spearman's rho or Kendall's tau-b of scores in [0, 1] and the `values` of labels, over tokens (n,).

    The value is scipy's from the scores themselves, the interval from tables of scores in steps; `weights` are draws
    of documents.
    """
    value = correlation(scores, values[codes], name)
    if value is None:
        return Estimate(None, note=gettext_noop("all scores or all labels are identical"))
    steps = np.minimum((scores * STEPS).astype(np.int64), STEPS - 1)
    width = len(values)
    cells = (documents * STEPS + steps) * width + codes
    shape = (weights.shape[1], STEPS, width)
    tables = np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)
    used = tables.any(axis=(0, 2))
    statistic = spearman_of if name == "spearman" else kendall_of
    return estimate(tables[:, used], statistic, weights, value=value)


def correlation(scores: Floats, values: Floats, name: Rank) -> float | None:
    """Spearman's rho or Kendall's tau-b; None if it is not defined, because one of the two is the same throughout."""
    if len(scores) < 2 or np.ptp(scores) == 0 or np.ptp(values) == 0:
        return None
    from scipy import stats

    measure: Any = stats.spearmanr if name == "spearman" else stats.kendalltau
    return float(measure(scores, values).statistic)
