"""The memory that `learned` needs: `python -m benchmarks.learned_memory [--documents 224] [--sentences 28]`.

Documents are like those of `default_growth`, but longer; what B omits is marked on A, with a grade by the sentence's
length and every tenth word unmarked. Measures the processor time and peak memory of fitting and of predicting every
document.
"""

import argparse
import resource
import time
from dataclasses import replace

from assist.methods.base import PairInput, create
from benchmarks.default_growth import make


def labelled(pair: PairInput, left_out: list[int]) -> PairInput:
    """The pair with a grade on the words of sentences of A that B lacks; nothing is marked on B."""
    lost = [
        index % 10 > 0 and any(low <= start < high for low, high in (pair.a.sentences[each] for each in left_out))
        for index, (start, _) in enumerate(pair.a.tokens)
    ]
    labels = [str(2 + index % 3) if each else "" for index, each in enumerate(lost)]
    gold = [int(label or 0) / 5 for label in labels]
    nothing = len(pair.b.tokens)
    return replace(pair, gold_a=gold, gold_b=[0.0] * nothing, labels_a=labels, labels_b=[""] * nothing)


def memory() -> float:
    """The peak memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print a line for fitting and one for predicting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=224)
    parser.add_argument("--sentences", type=int, default=28)
    options = parser.parse_args()
    pairs = [labelled(pair, lost) for pair, lost in make(options.documents, options.sentences)]
    tokens = sum(len(pair.a.tokens) + len(pair.b.tokens) for pair in pairs)
    print(f"{options.documents} documents, {tokens:,} tokens; {memory():.0f} MB before fitting", flush=True)
    chosen = create("learned")
    start = time.process_time()
    model = chosen.fit(pairs)
    print(f"fitted in {time.process_time() - start:.0f} s, {memory():.0f} MB at the highest", flush=True)
    start = time.process_time()
    chosen.predict(model, pairs)
    print(f"predicted in {time.process_time() - start:.0f} s, {memory():.0f} MB at the highest", flush=True)


if __name__ == "__main__":
    main()
