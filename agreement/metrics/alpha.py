"""Krippendorff's alpha over tokens, sentences or any other units: nominal, ordinal and interval.

Point values are the krippendorff package's. Our own code does what it cannot: coincidences document by document, which
add up, so that a bootstrap over documents is a matrix product; and inputs with very many units, for which the package
would need the time and memory of one matrix per unit.

Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011); Content Analysis (2019), chapter 12.

Edge cases. One label only (also: nobody marked anything): agreement by chance would be complete, so alpha is undefined,
NaN. No unit with two answers: NaN. An annotator with no shared unit is missing data and changes nothing. No units: NaN.
"""

from __future__ import annotations

from typing import Literal

import krippendorff
import numpy as np

from agreement.metrics.arrays import MISSING, Bools, Floats, Ints, quotient

Distance = Literal["nominal", "ordinal", "interval"]
DISTANCES: tuple[Distance, ...] = ("nominal", "ordinal", "interval")
BLOCK = 1 << 19
PACKAGE_UNITS = 1 << 16
"""Up to this many units the point value is the package's; above, it is that of our own sums, equal to within 1e-9."""
UNDEFINED = "nothing was labelled by two annotators, or only one label was used: alpha is undefined"


def coincidences(codes: Ints, documents: Ints, labels: int, count: int | None = None) -> Floats:
    """Each document's coincidence matrix: shape (count, labels, labels), symmetric.

    `codes` (annotators, units) holds labels from 0, or MISSING; `documents` (units,) is each unit's document; `count`
    is the number of documents. A unit with m answers adds 1 / (m - 1) for each ordered pair of them.
    """
    count = count if count is not None else (int(documents.max()) + 1 if documents.size else 0)
    cells = labels * labels
    counted: dict[int, Ints] = {}
    for start in range(0, codes.shape[1], BLOCK):
        block, owners = codes[:, start : start + BLOCK], documents[start : start + BLOCK].astype(np.int64)
        first, last = int(owners.min()), int(owners.max()) + 1
        base = (owners - first) * cells
        answered = block != MISSING
        answers = answered.sum(axis=0)
        for size in np.unique(answers[answers > 1]).tolist():
            of_size = answers == size
            whole = bool(of_size.all())
            counted.setdefault(size, np.zeros(count * cells, dtype=np.int64))[first * cells : last * cells] += _pairs(
                block if whole else block[:, of_size],
                answered if whole else answered[:, of_size],
                base if whole else base[of_size],
                labels,
                (last - first) * cells,
            )
    # Divided at the end, so that it makes no difference where blocks begin.
    flat = np.zeros(count * cells)
    for size in sorted(counted):
        flat += counted[size] / (size - 1)
    return symmetric(flat.reshape(count, labels, labels))


def symmetric(ordered: Floats) -> Floats:
    """Coincidences from pairs of answers that were counted once: shape (..., labels, labels)."""
    return np.asarray(ordered + ordered.swapaxes(-1, -2))


def _pairs(block: Ints, answered: Bools, base: Ints, labels: int, size: int) -> Ints:
    """Each pair of annotators, counted once in the cell of its two labels: shape (size,), document by document."""
    counted = np.zeros(size, dtype=np.int64)
    everyone = bool(answered.all())
    for one in range(len(block)):
        row = base + block[one].astype(np.int64) * labels
        for other in range(one + 1, len(block)):
            at = row + block[other]
            counted += np.bincount(at if everyone else at[answered[one] & answered[other]], minlength=size)
    return counted


def one_against_rest(matrices: Floats, label: int) -> Floats:
    """Coincidences of one label against all others combined: shape (..., labels, labels) to (..., 2, 2)."""
    own = matrices[..., label, label]
    mixed = matrices[..., label, :].sum(axis=-1) - own
    rest = matrices.sum(axis=(-2, -1)) - own - 2 * mixed
    return np.stack([np.stack([rest, mixed], axis=-1), np.stack([mixed, own], axis=-1)], axis=-2)


def alpha_of(matrices: Floats, values: Floats, distance: Distance) -> Floats:
    """Alpha of each coincidence matrix: shape (..., labels, labels) to (...); NaN where undefined.

    `values` (labels,) are the labels' numbers, ascending, for interval distance; ordinal distance uses their order.
    """
    margin = matrices.sum(axis=-1)
    total = margin.sum(axis=-1)
    if distance == "nominal":
        squared = np.broadcast_to(1 - np.eye(matrices.shape[-1]), matrices.shape)
    elif distance == "interval":
        squared = np.broadcast_to((values[:, np.newaxis] - values) ** 2, matrices.shape)
    else:
        middle = np.cumsum(margin, axis=-1) - margin / 2
        squared = (middle[..., :, np.newaxis] - middle[..., np.newaxis, :]) ** 2
    observed = np.einsum("...ij,...ij->...", matrices, squared)
    expected = np.einsum("...i,...j,...ij->...", margin, margin, squared)
    return np.asarray(1 - quotient(observed * (total - 1), expected))


def alpha(codes: Ints, values: Floats, distance: Distance) -> float | None:
    """Alpha of all units by the krippendorff package; None if undefined.

    `codes` (annotators, units) as in `coincidences`; `values` (labels,) ascending. Above PACKAGE_UNITS our own sums
    give the value (tests check that the two differ by at most 1e-9).
    """
    labels = len(values)
    pairable = codes[:, (codes != MISSING).sum(axis=0) > 1]
    if pairable.shape[1] <= PACKAGE_UNITS:
        counts = np.stack([(pairable == label).sum(axis=0) for label in range(labels)], axis=1)
        return alpha_of_answers(counts, values, distance)
    if sum(bool((pairable == label).any()) for label in range(labels)) < 2:
        return None
    matrix = coincidences(pairable, np.zeros(pairable.shape[1], dtype=np.int64), labels, 1)[0]
    return float(alpha_of(matrix, values, distance))


def alpha_of_answers(counts: Ints, values: Floats, distance: Distance) -> float | None:
    """As `alpha`, from the number of answers that give each unit each label: (units, labels), two or more a unit."""
    used = np.flatnonzero(counts.any(axis=0))
    if len(used) < 2:
        return None
    # The layout decides the order in which the package adds up, and with it the last digit.
    counted = np.ascontiguousarray(counts[:, used], dtype=np.int64)
    return float(krippendorff.alpha(value_counts=counted, value_domain=values[used], level_of_measurement=distance))
