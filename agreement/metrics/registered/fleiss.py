"""Fleiss' kappa over all tokens: agreement of any number of annotators, corrected for chance."""

from __future__ import annotations

from agreement.metrics import classification
from agreement.metrics.alpha import UNDEFINED
from agreement.metrics.arrays import Floats
from agreement.metrics.base import METRICS, Metric
from agreement.metrics.documents import Collection


def counts(used: Collection) -> Floats:
    """The terms of Fleiss' kappa of the tokens that two or more people labelled."""
    pooled = used.pooled()
    return classification.fleiss_counts(pooled.codes, pooled.documents, len(used.labels), len(used.documents))


METRIC = METRICS.register(
    Metric(
        name="fleiss",
        title="Fleiss' κ",
        method="Fleiss' kappa is taken over all tokens with two labels or more.",
        counts=counts,
        statistic=classification.fleiss_of,
        why=UNDEFINED,
    )
)
