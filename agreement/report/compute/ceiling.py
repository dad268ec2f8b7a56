"""The expected gain from more annotators: the reliability of their joint label, by the Spearman-Brown formula.

Spearman (1910) and Brown (1910): k annotators with individual reliability r have k r / (1 + (k - 1) r) together. The
formula assumes that annotators are interchangeable and err independently. Alpha is used as r.
"""

from __future__ import annotations

from agreement.metrics.bootstrap import Estimate

MAX_ANNOTATORS = 5


def joint_reliability_of(reliability: float, annotators: int) -> float:
    """The reliability of `annotators` together; a reliability below 0 counts as 0, from which nothing is gained."""
    single = max(reliability, 0.0)
    return annotators * single / (1 + (annotators - 1) * single)


def joint_reliability(single: Estimate) -> list[tuple[int, Estimate]]:
    """The reliability of 1 to MAX_ANNOTATORS annotators together; empty if alpha is undefined.

    The formula is monotonic, so it maps intervals too.
    """
    if single.value is None:
        return []
    return [
        (
            count,
            Estimate(
                joint_reliability_of(single.value, count),
                None if single.low is None else joint_reliability_of(single.low, count),
                None if single.high is None else joint_reliability_of(single.high, count),
                single.documents,
            ),
        )
        for count in range(1, MAX_ANNOTATORS + 1)
    ]
