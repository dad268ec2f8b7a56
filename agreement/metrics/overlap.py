"""How far two annotators marked the same tokens: IoU and F1 of a document and side.

Source: SwissGov-RSD (arXiv 2512.07538), table 2 and table 6.

Edge cases. Neither marked a token of the side: NaN, so that a mean over documents ignores it (as in the published
numbers). One of the two marked nothing: 0. A side without tokens: NaN, since neither could mark it.
"""

from __future__ import annotations

import numpy as np

from agreement.metrics.arrays import Bools, Floats, quotient


def counts(one: Bools, other: Bools) -> Floats:
    """Tokens marked by both, tokens marked by either, and the sum of both annotators' marked tokens: shape (3,).

    `one` and `other` have shape (tokens,): whether a span covers each token.
    """
    both = np.count_nonzero(one & other)
    summed = np.count_nonzero(one) + np.count_nonzero(other)
    return np.array([both, summed - both, summed], dtype=np.float64)


def iou(counted: Floats) -> Floats:
    """Tokens marked by both over tokens marked by either: `counts` of shape (..., 3) to (...), in [0, 1]."""
    return quotient(counted[..., 0], counted[..., 1])


def f1(counted: Floats) -> Floats:
    """The harmonic mean of precision and recall, 2 |both| / (|one| + |other|): (..., 3) to (...), in [0, 1]."""
    return quotient(2 * counted[..., 0], counted[..., 2])
