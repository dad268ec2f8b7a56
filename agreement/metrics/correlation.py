"""Rank correlations of labels and token scores: Spearman's rho and Kendall's tau-b.

Point values are scipy's. The bootstrap works on contingency tables of codes, which add up over documents; with few
distinct values that loses nothing: ranks of ties depend only on the margins.

Edge cases. Fewer than two observations, or a single value on either side: undefined, NaN (None for a point value).
"""

from __future__ import annotations

import numpy as np

from agreement.metrics.arrays import Floats, Ints, quotient


def spearman(table: Floats) -> float | None:
    """Spearman's rho of the observations counted in `table` (labels, labels), by scipy; None if undefined."""
    one, other = _expanded(table)
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    from scipy import stats

    return float(stats.spearmanr(one, other).statistic)


def kendall(table: Floats) -> float | None:
    """Kendall's tau-b of the observations counted in `table` (labels, labels), by scipy; None if undefined."""
    one, other = _expanded(table)
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    from scipy import stats

    return float(stats.kendalltau(one, other).statistic)


def _expanded(table: Floats) -> tuple[Ints, Ints]:
    rows, columns = np.indices(table.shape)
    times = np.asarray(table, dtype=np.int64).ravel()
    return np.repeat(rows.ravel(), times), np.repeat(columns.ravel(), times)


def spearman_of(tables: Floats) -> Floats:
    """Spearman's rho of each contingency table: shape (..., labels, labels) to (...).

    Pearson's correlation of mid-ranks (Kendall and Gibbons, Rank Correlation Methods, 1990, chapter 3).
    """
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    one, other = _centred(rows), _centred(columns)
    covariance = np.einsum("...ij,...i,...j->...", tables, one, other)
    variances = np.einsum("...i,...i->...", rows, one**2) * np.einsum("...j,...j->...", columns, other**2)
    return quotient(covariance, np.sqrt(variances))


def _centred(margin: Floats) -> Floats:
    ranks = np.cumsum(margin, axis=-1) - margin / 2
    return np.asarray(ranks - margin.sum(axis=-1, keepdims=True) / 2)


def kendall_of(tables: Floats) -> Floats:
    """Kendall's tau-b of each contingency table: shape (..., labels, labels) to (...)."""
    beyond = _strictly_beyond(tables)
    against = _strictly_beyond(tables[..., ::-1])[..., ::-1]
    difference = np.einsum("...ij,...ij->...", tables, beyond - against)
    total = tables.sum(axis=(-2, -1))
    pairs = total * (total - 1) / 2
    untied = [pairs - (margin * (margin - 1) / 2).sum(axis=-1) for margin in (tables.sum(axis=-1), tables.sum(axis=-2))]
    return quotient(difference, np.sqrt(np.maximum(untied[0], 0) * np.maximum(untied[1], 0)))


def _strictly_beyond(tables: Floats) -> Floats:
    """For each cell, the sum of the cells below it and to its right."""
    summed = np.cumsum(np.cumsum(tables[..., ::-1, ::-1], axis=-1), axis=-2)[..., ::-1, ::-1]
    result = np.zeros_like(tables, dtype=np.float64)
    result[..., :-1, :-1] = summed[..., 1:, 1:]
    return result
