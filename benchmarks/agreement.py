"""How fast alpha and its bootstrap are: `python benchmarks/agreement.py [--tokens 10000000]`.

Nominal and ordinal alpha over tokens × 4 annotators with a 1,000-fold bootstrap over documents, from summed
per-document coincidences, against calling the krippendorff package for each resample (a few calls are timed, the rest
extrapolated). The values are compared for each resample and must agree to 1e-9. Then the memory used, for 1, 2 and 4
times the input.
"""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc
from pathlib import Path

import krippendorff
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from agreement.metrics.alpha import Distance, alpha_of, coincidences
from agreement.metrics.arrays import MISSING, Floats, Ints
from agreement.metrics.bootstrap import Draws, draws, resampled

LABELS = 6
ANNOTATORS = 4
TOKENS_A_DOCUMENT = 1000
DISTANCES: tuple[Distance, ...] = ("nominal", "ordinal")


def made(tokens: int) -> tuple[Ints, Ints]:
    """Graded labels with moderate agreement, a tenth of them missing, in documents of about a thousand tokens."""
    random = np.random.default_rng(7)
    truth = random.choice(LABELS, tokens, p=[0.7, 0.04, 0.08, 0.08, 0.04, 0.06])
    codes = np.empty((ANNOTATORS, tokens), dtype=np.int64)
    for row in codes:
        other = random.choice(LABELS, tokens)
        row[:] = np.where(random.random(tokens) < 0.75, truth, other)
        row[random.random(tokens) < 0.1] = MISSING
    return codes, np.arange(tokens) // TOKENS_A_DOCUMENT


def ours(codes: Ints, documents: Ints, weights: Draws, values: Floats) -> dict[Distance, Floats]:
    """Both alphas of every resample."""
    sums = resampled(coincidences(codes, documents, LABELS), weights)
    return {distance: alpha_of(sums, values, distance) for distance in DISTANCES}


def theirs(codes: Ints, weights: Draws, resample: int, values: Floats, distance: Distance) -> float:
    """One resample by the package: its tokens are collected for a single call."""
    drawn = np.repeat(np.arange(weights.shape[1]), weights[resample])
    tokens = (drawn[:, np.newaxis] * TOKENS_A_DOCUMENT + np.arange(TOKENS_A_DOCUMENT)).ravel()
    data = codes[:, tokens]
    counts = np.stack([(data == label).sum(axis=0) for label in range(LABELS)], axis=1)
    return float(krippendorff.alpha(value_counts=counts, value_domain=values, level_of_measurement=distance))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, default=10_000_000)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--calls", type=int, default=2, help="calls of the package that are timed, for each distance")
    options = parser.parse_args()
    tokens = options.tokens // TOKENS_A_DOCUMENT * TOKENS_A_DOCUMENT
    codes, documents = made(tokens)
    values = np.arange(float(LABELS))
    started = time.perf_counter()
    weights = draws(tokens // TOKENS_A_DOCUMENT, options.resamples)
    estimates = ours(codes, documents, weights, values)
    own = time.perf_counter() - started
    print(
        f"{tokens:,} tokens × {ANNOTATORS} annotators, {weights.shape[1]:,} documents, {options.resamples:,} resamples"
    )
    print(f"ours: {own:.2f} s for both distances")
    spent = 0.0
    worst = 0.0
    for distance in DISTANCES:
        for resample in range(options.calls):
            started = time.perf_counter()
            value = theirs(codes, weights, resample, values, distance)
            spent += time.perf_counter() - started
            worst = max(worst, abs(value - float(estimates[distance][resample])))
    calls = options.calls * len(DISTANCES)
    extrapolated = spent / calls * options.resamples * len(DISTANCES)
    print(f"krippendorff: {spent / calls:.2f} s a call, so {extrapolated:,.0f} s for as many")
    print(f"ratio: {extrapolated / own:,.0f} ×; largest difference {worst:.1e}")
    del codes, documents, weights
    memory(tokens // 4, options.resamples, values)
    if worst > 1e-9:
        sys.exit("the values differ by more than 1e-9")


def memory(tokens: int, resamples: int, values: Floats) -> None:
    """Print the peak memory of the computation and the size of its input, for 1, 2 and 4 times the tokens."""
    first = 0.0
    for times in (1, 2, 4):
        codes, documents = made(times * tokens)
        tracemalloc.start()
        ours(codes, documents, draws(int(documents[-1]) + 1, resamples), values)
        taken = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
        first = first or taken
        size = (codes.nbytes + documents.nbytes) / 2**20
        print(
            f"memory: {codes.shape[1]:,} tokens, input {size:,.0f} MiB, peak +{taken:,.0f} MiB, {taken / first:.2f} ×"
        )


if __name__ == "__main__":
    main()
