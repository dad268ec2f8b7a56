"""A metric in a module of its own: the share of tokens that all annotators of a document gave the same label."""

from __future__ import annotations

import numpy as np

from agreement.metrics.arrays import MISSING, Floats
from agreement.metrics.base import METRICS, Metric
from agreement.metrics.bootstrap import mean
from agreement.metrics.documents import Collection


def counts(used: Collection) -> Floats:
    """Tokens with one label only, and all tokens, of each document."""
    pooled, count = used.pooled(), len(used.documents)
    given = np.where(pooled.codes == MISSING, pooled.codes.max(axis=0), pooled.codes)
    same = (given == given[0]).all(axis=0)
    sums = [np.bincount(pooled.documents, weights=column, minlength=count) for column in (same, np.ones(same.size))]
    return np.stack(sums, axis=-1)


METRIC = METRICS.register(
    Metric(
        name="exact_tokens",
        title="tokens labelled alike by everyone",
        method="A token is labelled alike if all annotators of its document gave it one label.",
        counts=counts,
        statistic=mean,
    )
)
