"""Averages of a token's score with its neighbours', weighted by how much each word says."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assist.methods.base import Range

Floats = NDArray[np.float64]

FLOOR = 1e-3
"""Added to every weight, so that units of only punctuation have an average too."""


def gaussian(scores: Floats, weights: Floats, sigma: float) -> Floats:
    """The weighted average around each token, with Gaussian weights of the distance in tokens."""
    if not len(scores):
        return scores
    reach = int(3 * sigma) + 1
    kernel = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * sigma**2))
    floored = weights + FLOOR
    total = np.convolve(np.pad(scores * floored, reach), kernel, "valid")
    return np.asarray(total / np.convolve(np.pad(floored, reach), kernel, "valid"))


def gaussian_within(scores: Floats, weights: Floats, units: Sequence[Range], sigma: float) -> Floats:
    """The same, separately for each unit of tokens."""
    smoothed = np.empty(len(scores))
    for start, end in units:
        smoothed[start:end] = gaussian(scores[start:end], weights[start:end], sigma)
    return smoothed


def mean(scores: Floats, weights: Floats) -> float:
    """The weighted mean; 0 for no token."""
    return float(np.average(scores, weights=weights + FLOOR)) if len(scores) else 0.0


def unit_means(scores: Floats, weights: Floats, unit: NDArray[np.int64], units: int) -> Floats:
    """The weighted mean of each of ``units`` units; ``unit`` is the unit of each token."""
    floored = weights + FLOOR
    sums = np.bincount(unit, floored, minlength=units)
    return np.asarray(np.bincount(unit, scores * floored, minlength=units) / np.maximum(sums, 1e-12))
