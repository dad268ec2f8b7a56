"""Processor time per pair from embeddings to edges: ours, the simalign package's functions, and the encoder's pass
before.

    python -m benchmarks.edges [--encoder NAME_OR_FOLDER] [--pairs N] [--texts …] [--methods …] [--most CELLS]

Pairs are those of `benchmarks.encoders`, and two long texts. Ours and the package's start from the same embeddings, on
one thread of the processor, and end at the edges; the encoder's forward pass over the same batches shows whether either
is a bottleneck. The package's matching is skipped if a pair has more than `--most` cells: it would take hours.
"""

import argparse
import logging
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

import numpy as np

from assist.methods.base import PairInput, create
from assist.methods.encoder.matching import Similarity
from assist.methods.encoder.pretrained import PACKAGED
from assist.methods.simalign import SimAlign
from benchmarks.encoders import SHAPES as SHORTER
from benchmarks.encoders import forward_pass, line, made_up, recorded

SHAPES = {**SHORTER, "long": (4500, 4600)}
HEAD = ("texts", "method", "cells", "encoder", "ours", "package", "package / encoder", "pairs with the same edges")
METHODS = ("simalign-argmax", "simalign-itermax", "simalign-match")


def package_rule(name: str) -> Callable[[Any], Any]:
    """The package's own function from a similarity matrix to a matrix of edges; no model is loaded for it."""
    from simalign import SentenceAligner

    def argmax(matrix: Any) -> Any:
        forward, backward = SentenceAligner.get_alignment_matrix(matrix)
        return forward * backward

    rules = (argmax, SentenceAligner.iter_max, SentenceAligner.get_max_weight_match)
    rule: Callable[[Any], Any] = dict(zip(METHODS, rules, strict=True))[name]
    return rule


def similarities(chosen: SimAlign, pairs: list[PairInput]) -> tuple[list[dict[str, Any]], list[Similarity]]:
    """The encoder's inputs, and the similarities in which the method finds edges, recorded for the pairs."""
    result: list[Similarity] = []
    edges = chosen.edges

    def recording(similarity: Similarity) -> Any:
        result.append(similarity)
        return edges(similarity)

    vars(chosen)["edges"] = recording
    try:
        batches, _ = recorded(next(chosen.encoders(pairs))[0], chosen, pairs)
    finally:
        del vars(chosen)["edges"]
    return batches, result


def again(similarity: Similarity) -> Similarity:
    """A copy, with nothing computed yet."""
    it = similarity
    return Similarity(it.a, it.b, it.rows, it.columns, it.distortion)


def measured(shape: str, name: str, pairs: list[PairInput], encoder: str, repeats: int, most: int) -> tuple[str, ...]:
    """A line of the table."""
    chosen = create(name, {"model": encoder, "device": "cpu", "precision": "float32", "null_threshold": 1.0})
    assert isinstance(chosen, SimAlign)
    rule = package_rule(name)
    batches, recorded_similarities = similarities(chosen, pairs)
    loaded = next(chosen.encoders(pairs))[0]
    layer = chosen.report(chosen.fit(pairs))["encoders"][0]["layer"]
    vectors = [
        (each.a[index, :rows].numpy(), each.b[index, :columns].numpy())
        for each in recorded_similarities
        for index, (rows, columns) in enumerate(zip(each.rows.tolist(), each.columns.tolist(), strict=True))
    ]
    cells = max(len(a) * len(b) for a, b in vectors)
    run_package = name != "simalign-match" or cells <= most
    ours_time, package_time, forward_time = [], [], []
    for _ in range(repeats):
        forward_time.append(timed(lambda: forward_pass(loaded, batches, layer))[0])
        seconds, ours = timed(lambda: [chosen.edges(again(each)) for each in recorded_similarities])
        ours_time.append(seconds)
        if run_package:
            seconds, theirs = timed(lambda: [rule(similarity_of(a, b)) for a, b in vectors])
            package_time.append(seconds)
    same = ""
    if run_package:
        matrices = [
            matrix
            for similarity, edges in zip(recorded_similarities, ours, strict=True)
            for matrix in as_matrices(similarity, edges)
        ]
        equal = sum(bool((one == (other > 0)).all()) for one, other in zip(matrices, theirs, strict=True))
        same = f"{equal} of {len(vectors)}"

    def per_pair(times: Sequence[float]) -> str:
        return f"{1000 * min(times) / len(pairs):,.2f} ms" if times else ""

    share = f"{min(package_time) / min(forward_time):.0%}" if package_time else ""
    times = map(per_pair, (forward_time, ours_time, package_time))
    return (shape, name, f"{cells:,}", *times, share, same)


def similarity_of(a: Any, b: Any) -> Any:
    from simalign import SentenceAligner

    return SentenceAligner.get_similarity(a, b)


def as_matrices(similarity: Similarity, edges: Sequence[Any]) -> list[Any]:
    """For each pair of a batch, which cells have an edge."""
    matrices = []
    for pair, (rows, columns) in enumerate(zip(similarity.rows.tolist(), similarity.columns.tolist(), strict=True)):
        matrix = np.zeros((rows, columns), bool)
        for each in edges:
            there = np.flatnonzero(each.there[pair, :rows].numpy())
            matrix[there, each.column[pair, there].numpy()] = True
        matrices.append(matrix)
    return matrices


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    started = process_time()
    result = work()
    return process_time() - started, result


def main() -> None:
    """Prints a table of Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--encoder", default=PACKAGED, help="Hugging Face name or folder")
    parser.add_argument(
        "--pairs",
        type=int,
        default=100,
        help="number of pairs of sentences; a tenth of that for longer texts, one for long ones",
    )
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--most", type=int, default=200_000, help="cells up to which the package's matching is tried")
    parser.add_argument("--texts", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    options = parser.parse_args()
    import torch

    logging.getLogger().setLevel(logging.WARNING)
    torch.set_num_threads(1)
    print(line(HEAD))
    print(line(("---",) * len(HEAD)))
    for shape in options.texts:
        count = {"sentences": options.pairs, "long": 1}.get(shape, max(1, options.pairs // 10))
        pairs = made_up(count, *SHAPES[shape])
        for name in options.methods:
            print(line(measured(shape, name, pairs, options.encoder, options.repeats, options.most)), flush=True)


if __name__ == "__main__":
    main()
