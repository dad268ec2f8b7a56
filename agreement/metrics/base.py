"""How a metric describes itself for the report, its JSON, its methods paragraph and the dataset card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agreement.metrics.arrays import Floats
from agreement.metrics.bootstrap import Statistic
from agreement.metrics.documents import Collection
from annotation.registry import Registry


@dataclass(frozen=True, slots=True)
class Metric:
    """One number for the agreement of token labels, with its interval.

    `counts(used)` gets documents that two or more people submitted and returns counts that add up over them, shape
    (documents, ...); large projects are counted in parts, so it may look at one document at a time only, and does not
    learn whose work is whose. `statistic` makes the number from sums of them, (R, ...) to (R,), and `why` says why it
    is undefined. `name` is the number's key in JSON, `title` its row in the table *Agreement of token labels*, and
    `method` a sentence of the methods paragraph. `ordered`: only if every label has a number.
    """

    name: str
    title: str
    method: str
    counts: Callable[[Collection], Floats]
    statistic: Statistic
    why: str = ""
    ordered: bool = False


METRICS: Registry[Metric] = Registry("agreement.metrics.registered")
"""Every metric of this kind; the modules of that package register theirs: `METRICS.register(Metric(…))`."""


def metrics_for(collection: Collection) -> list[Metric]:
    """The metrics that can be computed for a collection's labels."""
    return [each for each in METRICS.values() if collection.graded or not each.ordered]
