"""Rank correlations of labels and token scores: Spearman's rho and Kendall's tau-b.

Point values are scipy's. The bootstrap works on contingency tables of codes, which add up over documents; with few
distinct values that loses nothing: ranks of ties depend only on the margins.

scipy ranks single observations, and would need gigabytes for the tokens of a large project. Above PACKAGE_OBSERVATIONS
the tables themselves give the point value: tau-b to the last digit, because its terms are whole numbers, and rho to
within 1e-9.

Edge cases. Fewer than two observations, or a single value on either side: undefined, NaN (None for a point value).
"""

from __future__ import annotations

import math

import numpy as np

from agreement.metrics.arrays import Floats, Ints, quotient

PACKAGE_OBSERVATIONS = 1 << 20


def spearman(table: Floats) -> float | None:
    """Spearman's rho of the observations counted in `table` (labels, labels), by scipy; None if undefined."""
    if not _varies(table):
        return None
    if table.sum() > PACKAGE_OBSERVATIONS:
        return float(spearman_of(table))
    from scipy import stats

    return float(stats.spearmanr(*_expanded(table)).statistic)


def kendall(table: Floats) -> float | None:
    """Kendall's tau-b of the observations counted in `table` (labels, labels), by scipy; None if undefined."""
    if not _varies(table):
        return None
    if table.sum() > PACKAGE_OBSERVATIONS:
        return exact_kendall(table)
    from scipy import stats

    return float(stats.kendalltau(*_expanded(table)).statistic)


def exact_kendall(table: Floats) -> float:
    """Tau-b from whole numbers, in the order of scipy's own computation."""
    cells = [[int(cell) for cell in row] for row in table.tolist()]
    margins = [sum(row) for row in cells], [sum(column) for column in zip(*cells, strict=True)]
    observations = sum(margins[0])
    pairs = math.comb(observations, 2)
    ties = [sum(math.comb(each, 2) for each in margin) for margin in margins]
    both = sum(math.comb(cell, 2) for row in cells for cell in row)
    discordant = 0
    before = [0] * len(cells)
    for row in reversed(cells):
        # `before` are the cells of the rows below, added up by column.
        below_left = 0
        for column, cell in enumerate(row):
            discordant += cell * below_left
            below_left += before[column]
        before = [one + other for one, other in zip(before, row, strict=True)]
    difference = pairs - ties[0] - ties[1] + both - 2 * discordant
    return float(min(1.0, max(-1.0, difference / np.sqrt(pairs - ties[0]) / np.sqrt(pairs - ties[1]))))


def _varies(table: Floats) -> bool:
    return bool(np.count_nonzero(table.sum(axis=0)) > 1 and np.count_nonzero(table.sum(axis=1)) > 1)


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
