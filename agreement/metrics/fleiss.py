"""Fleiss' kappa over all tokens: agreement of any number of annotators, corrected for chance."""

from __future__ import annotations

from agreement.metrics import classification
from agreement.metrics.alpha import UNDEFINED
from agreement.metrics.base import METRICS, Metric
from agreement.metrics.bootstrap import Draws, Estimate, estimate
from agreement.metrics.documents import Collection


def compute(used: Collection, weights: Draws) -> Estimate:
    """Fleiss' kappa of the tokens that two or more people labelled."""
    pooled = used.pooled()
    counts = classification.fleiss_counts(pooled.codes, pooled.documents, len(used.labels), len(used.documents))
    return estimate(counts, classification.fleiss_of, weights, why=UNDEFINED)


METRIC = METRICS.register(
    Metric(
        name="fleiss",
        title="Fleiss' κ",
        method="Fleiss' kappa is taken over all tokens with two labels or more.",
        compute=compute,
    )
)
