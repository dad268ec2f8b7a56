"""Agreement of annotators as classifiers of tokens: confusions, F1, kappas, and the majority.

Macro F1 over ordered pairs of annotators: X-PARADE (arXiv 2309.08873), table 3. Cohen's kappa: Cohen (1960). Fleiss'
kappa: Fleiss (1971). Point values of F1 and Cohen's kappa are scikit-learn's, over confusions as weights.

Edge cases. A label that neither of two annotators gave has no F1 (NaN) and is not part of their macro F1. A pair of
annotators with no shared token has no figures and is not part of a mean over pairs. One label only: F1 is 1, a kappa is
undefined (NaN). No units: everything NaN.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from agreement.metrics.arrays import MISSING, Floats, Ints, quotient


def pairs(annotators: int) -> list[tuple[int, int]]:
    """Every pair of annotators once, in order: (0, 1), (0, 2), …"""
    return list(combinations(range(annotators), 2))


def pairs_with_common_documents(codes: Ints, documents: Ints, count: int) -> list[tuple[int, int]]:
    """The pairs of `pairs` with a document in common, in its order.

    Of a hundred annotators most pairs have none: they have no figures, and would cost most of the time.
    """
    present = np.array([np.bincount(documents[row != MISSING], minlength=count) > 0 for row in codes], dtype=np.int64)
    return [pair for pair in pairs(len(codes)) if (present[pair[0]] & present[pair[1]]).any()]


def confusions(codes: Ints, documents: Ints, labels: int, count: int) -> Floats:
    """Tokens that both annotators of a pair saw, by their labels: shape (count, annotator pairs, labels, labels).

    `codes` (annotators, units) holds labels from 0, or MISSING; `documents` (units,) the document of each unit.
    The annotator pairs are `pairs_with_common_documents`; rows are the first annotator of a pair.
    """
    chosen = pairs_with_common_documents(codes, documents, count)
    result = np.zeros((count, len(chosen), labels, labels))
    size = count * labels * labels
    for index, (one, other) in enumerate(chosen):
        both = (codes[one] != MISSING) & (codes[other] != MISSING)
        cells = (documents[both] * labels + codes[one, both]) * labels + codes[other, both]
        result[:, index] = np.bincount(cells, minlength=size).reshape(count, labels, labels)
    return result


def label_f1_of(matrices: Floats) -> Floats:
    """F1 of each label in each confusion: shape (..., labels, labels) to (..., labels). Symmetric in the annotators."""
    hits = np.diagonal(matrices, axis1=-2, axis2=-1)
    return quotient(2 * hits, matrices.sum(axis=-1) + matrices.sum(axis=-2))


def macro_f1_of(matrices: Floats) -> Floats:
    """The mean F1 of the labels that either annotator gave: shape (..., labels, labels) to (...)."""
    return mean_defined(label_f1_of(matrices))


def mean_defined(values: Floats) -> Floats:
    """The mean over the last axis of the values that are not NaN; NaN if all are."""
    defined = ~np.isnan(values)
    return quotient(np.where(defined, values, 0.0).sum(axis=-1), defined.sum(axis=-1).astype(np.float64))


def deviation_defined(values: Floats) -> Floats:
    """The population standard deviation over the last axis of the values that are not NaN."""
    centre = mean_defined(values)[..., np.newaxis]
    return np.asarray(np.sqrt(mean_defined((values - centre) ** 2)))


def label_f1(matrix: Floats) -> list[float | None]:
    """F1 of each label by scikit-learn: confusion (labels, labels) to (labels,); None for a label nobody gave."""
    used = np.flatnonzero(matrix.sum(axis=0) + matrix.sum(axis=1))
    result: list[float | None] = [None] * len(matrix)
    if len(used):
        from sklearn.metrics import f1_score

        rows, columns = np.indices(matrix.shape)
        scores = f1_score(
            rows.ravel(), columns.ravel(), labels=used, average=None, sample_weight=matrix.ravel(), zero_division=0.0
        )
        for label, score in zip(used, scores, strict=True):
            result[label] = float(score)
    return result


def cohen_of(matrices: Floats) -> Floats:
    """Cohen's kappa of each confusion: shape (..., labels, labels) to (...)."""
    total = matrices.sum(axis=(-2, -1))
    agreed = quotient(np.trace(matrices, axis1=-2, axis2=-1), total)
    chance = quotient(np.einsum("...i,...i->...", matrices.sum(axis=-1), matrices.sum(axis=-2)), total**2)
    return quotient(agreed - chance, 1 - chance)


def cohen(matrix: Floats) -> float | None:
    """Cohen's kappa of a confusion (labels, labels) by scikit-learn; None if undefined."""
    if np.isnan(cohen_of(matrix)):
        return None
    from sklearn.metrics import cohen_kappa_score

    rows, columns = np.indices(matrix.shape)
    return float(cohen_kappa_score(rows.ravel(), columns.ravel(), sample_weight=matrix.ravel()))


def fleiss_counts(codes: Ints, documents: Ints, labels: int, count: int) -> Floats:
    """Each document's terms of Fleiss' kappa: shape (count, 2 + labels).

    Units with two answers or more, the sum of their pairwise agreement, and the answers by label. Fleiss assumes the
    same number of answers for every unit; if it differs, each unit has the same weight here.
    """
    counts = np.stack([(codes == label).sum(axis=0) for label in range(labels)], axis=1).astype(np.float64)
    answers = counts.sum(axis=1)
    of = answers > 1
    counts, answers, owners = counts[of], answers[of], documents[of]
    agreement = (counts * (counts - 1)).sum(axis=1) / (answers * (answers - 1))
    columns = [np.ones(len(owners)), agreement, *counts.T]
    return np.stack([np.bincount(owners, weights=column, minlength=count) for column in columns], axis=1)


def fleiss_of(counts: Floats) -> Floats:
    """Fleiss' kappa of summed `fleiss_counts`: shape (..., 2 + labels) to (...)."""
    agreed = quotient(counts[..., 1], counts[..., 0])
    label_counts = counts[..., 2:]
    chance = (quotient(label_counts, label_counts.sum(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    return quotient(agreed - chance, 1 - chance)


def majority(codes: Ints, labels: int) -> Ints:
    """Each unit's most frequent label: (annotators, units) to (units,); MISSING for a tie or no answer."""
    votes = np.stack([(codes == label).sum(axis=0) for label in range(labels)])
    best = votes.max(axis=0)
    winner = votes.argmax(axis=0)
    clear = (best > 0) & ((votes == best).sum(axis=0) == 1)
    return np.where(clear, winner, MISSING)


def against_majority(codes: Ints, documents: Ints, labels: int, count: int) -> Floats:
    """Each annotator against the majority of the others: confusions of shape (count, annotators, labels, labels).

    A token on which the others are divided, or that fewer than two others saw, has no majority and is excluded.
    """
    result = np.zeros((count, len(codes), labels, labels))
    for annotator in range(len(codes)):
        others = np.delete(codes, annotator, axis=0)
        expected = majority(others, labels)
        counted = (codes[annotator] != MISSING) & (expected != MISSING) & ((others != MISSING).sum(axis=0) > 1)
        cells = (documents[counted] * labels + expected[counted]) * labels + codes[annotator, counted]
        matrices = np.bincount(cells, minlength=count * labels * labels)
        result[:, annotator] = matrices.reshape(count, labels, labels)
    return result
