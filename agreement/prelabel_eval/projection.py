"""How good labels are that were carried over from another language pair, and how much people change of them.

The correlation of carried labels with the gold of their own language says little by itself: annotators of two language
pairs need not agree about the text that both have either. So their agreement is reported beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement.data.projections import Projections, RevisedAnnotation, Tokens, is_projection, projections, shared_gold
from agreement.metrics.arrays import Floats
from agreement.metrics.bootstrap import RESAMPLES, Estimate, draws, estimate, mean
from agreement.prelabel_eval.ranks import rank_correlation
from annotation.models import Project
from annotation.selectors.highlights import HighlightRun

PUBLISHED_CHANGED = (0.017, 0.035)
"""Share of the tokens that people changed of projected labels: SwissGov-RSD, Wastl, Vamvas, Sennrich 2025."""


@dataclass(frozen=True, slots=True)
class LabelComparison:
    """Two sources of labels on the same tokens. `name` is the pairs' languages, or the language that they share.

    `same`: the share of tokens with the same label. `iou`: of tokens that either marks, the share that both do.
    """

    name: str
    others: tuple[str, ...]
    documents: int
    tokens: int
    spearman: Estimate
    kendall: Estimate
    same: float | None
    iou: float | None

    def to_json(self) -> dict[str, Any]:
        return {
            "documents": self.documents,
            "tokens": self.tokens,
            "spearman": self.spearman.value,
            "spearman_ci": self.spearman.interval,
            "kendall": self.kendall.value,
            "kendall_ci": self.kendall.interval,
            "same_label": self.same,
            "iou": self.iou,
        }


@dataclass(frozen=True, slots=True)
class ChangedShare:
    """Submissions of pairs of some languages whose labels had been carried over: the share of tokens changed since."""

    languages: str
    pairs: int
    submissions: int
    tokens: int
    share: Estimate

    def to_json(self) -> dict[str, Any]:
        return {
            "languages": self.languages,
            "pairs": self.pairs,
            "submissions": self.submissions,
            "tokens": self.tokens,
            "share": self.share.value,
            "share_ci": self.share.interval,
        }


@dataclass(frozen=True, slots=True)
class ProjectionScore:
    """All figures of a run whose labels were carried over.

    `carried`: by language pair, the labels carried by alignment and their own gold. `shared`: by the shared language
    and the two others, the gold of two language pairs on the text they share. `seen`: pairs that are not in
    `carried` because people saw pre-labels as they worked on them. `changed`: by language pair.
    """

    carried: tuple[LabelComparison, ...]
    shared: tuple[LabelComparison, ...]
    seen: int
    changed: tuple[ChangedShare, ...]

    def to_json(self) -> dict[str, Any]:
        """As `evaluate_prelabels --format json` prints it."""
        return {
            "carried": [{"languages": each.name, **each.to_json()} for each in self.carried],
            "shared": [{"language": each.name, "others": [*each.others], **each.to_json()} for each in self.shared],
            "seen": self.seen,
            "changed": [each.to_json() for each in self.changed],
        }


def projection_score(
    project: Project, run: HighlightRun, gold: int | None, resamples: int = RESAMPLES
) -> ProjectionScore | None:
    """The figures of a run whose labels were carried over; None for any other run."""
    if not is_projection(run):
        return None
    projected = projections(project, run.run, gold)
    shared = shared_gold(project, gold) if gold is not None else {}
    return ProjectionScore(
        carried=tuple(
            _match(name, (), tokens, projected.values, resamples) for name, tokens in projected.carried.items()
        ),
        shared=tuple(
            _match(
                couple.shared.upper(), (couple.one.upper(), couple.other.upper()), tokens, projected.values, resamples
            )
            for couple, tokens in shared.items()
        ),
        seen=projected.seen,
        changed=tuple(changed_by_language(projected, resamples)),
    )


def _match(name: str, others: tuple[str, ...], tokens: Tokens, values: Floats, resamples: int) -> LabelComparison:
    documents, scores, labels, gold = (
        np.concatenate(each) for each in (tokens.documents, tokens.scores, tokens.labels, tokens.gold)
    )
    weights = draws(len(tokens.names), resamples)
    all_labelled = bool(len(labels)) and bool((labels >= 0).all())
    either = int(((labels > 0) | (gold > 0)).sum())
    return LabelComparison(
        name,
        others,
        len(tokens.names),
        len(gold),
        rank_correlation(scores, gold, documents, values, weights, "spearman"),
        rank_correlation(scores, gold, documents, values, weights, "kendall"),
        float((labels == gold).mean()) if all_labelled else None,
        int(((labels > 0) & (gold > 0)).sum()) / either if all_labelled and either else None,
    )


def changed_by_language(projected: Projections, resamples: int = RESAMPLES) -> list[ChangedShare]:
    """The shares of changed tokens, with intervals over pairs; of several submissions of a pair each counts."""
    return [
        _changed_share(languages, [each for each in projected.revised if each.languages == languages], resamples)
        for languages in sorted({each.languages for each in projected.revised})
    ]


def _changed_share(languages: str, revised: Sequence[RevisedAnnotation], resamples: int) -> ChangedShare:
    pairs = sorted({each.pair for each in revised})
    counts = np.zeros((len(pairs), 2))
    for each in revised:
        counts[pairs.index(each.pair)] += each.changed, each.tokens
    share = estimate(counts, mean, draws(len(pairs), resamples))
    return ChangedShare(languages, len(pairs), len(revised), int(counts[:, 1].sum()), share)
