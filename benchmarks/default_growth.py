"""How the default method's cost grows with a project: `python -m benchmarks.default_growth [--pairs 10 100 1000
10000]`.

Pairs are made from an invented vocabulary: B has A's sentences in other words, in order, one in ten omitted. Measures
the processor time of training and of scoring, and peak memory.
"""

import argparse
import resource
import time

import numpy as np

from assist.methods.base import PairInput, Range, TextSide, create

WORDS = 20_000
SENTENCES = 12
LENGTH = 14


def side(language: str, sentences: list[list[str]]) -> TextSide:
    """A text of sentences, one per line."""
    lines = [" ".join(words) for words in sentences]
    text = "\n".join(lines)
    tokens: list[Range] = []
    bounds: list[Range] = []
    position = 0
    for words in sentences:
        start = position
        for word in words:
            tokens.append((position, position + len(word)))
            position += len(word) + 1
        bounds.append((start, position - 1))
    return TextSide(language, text, tokens, bounds, bounds)


def make(count: int, sentences: int = SENTENCES) -> list[tuple[PairInput, list[int]]]:
    """``count`` pairs of about 330 tokens, or of ``sentences`` sentences; and which sentences of A each B omits."""
    rng = np.random.default_rng(1)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    one, other = (["".join(rng.choice(letters, size)) for size in rng.integers(4, 10, WORDS)] for _ in range(2))
    weights = 1 / np.arange(2, WORDS + 2)
    chances = weights / weights.sum()
    pairs = []
    for number in range(count):
        chosen = rng.choice(WORDS, (sentences, LENGTH), p=chances)
        lost = [index for index in range(sentences) if rng.random() <= 0.1]
        rest = [row for index, row in enumerate(chosen) if index not in lost]
        a = side("en", [[one[index] for index in row] for row in chosen])
        b = side("de", [[other[index] for index in row] for row in rest])
        pairs.append((PairInput(str(number), a, b), lost))
    return pairs


def main() -> None:
    """Print a line per size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, nargs="+", default=[10, 100, 1000, 10_000])
    print("pairs      tokens  training s  scoring s  tokens/s  memory MB")
    for count in parser.parse_args().pairs:
        pairs = [pair for pair, _ in make(count)]
        tokens = sum(len(each.a.tokens) + len(each.b.tokens) for each in pairs)
        chosen = create("default")
        start = time.process_time()
        model = chosen.fit(pairs)
        middle = time.process_time()
        chosen.predict(model, pairs)
        end = time.process_time()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        speed = tokens / (end - start)
        clock = f"{middle - start:11.1f} {end - middle:10.1f}"
        print(f"{count:6} {tokens:10} {clock} {speed:9.0f} {memory:10.0f}", flush=True)


if __name__ == "__main__":
    main()
