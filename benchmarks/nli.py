"""Seconds a sentence of `nli` and of untrained `slr-nli`, with random models of usual sizes.

    python -m benchmarks.nli [--device cpu|cuda] [--sizes …] [--pairs N] [--steps N]

Speed does not depend on what the weights are, so each model is a random one of the size named, with the vocabulary of
the packaged encoder. Pairs are invented: two sentences of 20 words on each side. The best of the repeats counts.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
from pathlib import Path

from assist.methods.base import create
from assist.methods.encoder.pretrained import PACKAGED, model_location
from benchmarks.encoders import line, made_up

SIZES = {"small": (6, 384), "base": (12, 768), "large": (24, 1024)}
"""Layers and width: of all-MiniLM-L6-v2, BERT base and BERT large."""
HEAD = ("model", "method", "sentences", "s a sentence", "tokens/s")


def random_model(folder: Path, size: str) -> str:
    """The folder of a new random NLI model with BERT's architecture, of a size of `SIZES`."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    layers, width = SIZES[size]
    tokenizer = AutoTokenizer.from_pretrained(model_location(PACKAGED))
    names = ("entailment", "neutral", "contradiction")
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=width // 64 if width > 384 else 12,
        intermediate_size=4 * width,
        id2label=dict(enumerate(names)),
        label2id={name: index for index, name in enumerate(names)},
    )
    torch.manual_seed(0)
    path = folder / size
    BertForSequenceClassification(config).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return str(path)


def main() -> None:
    """Prints a table of Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    logging.getLogger().setLevel(logging.WARNING)
    pairs = made_up(options.pairs, 40, 40)
    sentences = sum(len(side.sentences) for pair in pairs for side in (pair.a, pair.b))
    tokens = sum(len(side.tokens) for pair in pairs for side in (pair.a, pair.b))
    print(line(HEAD))
    print(line(("---",) * len(HEAD)))
    with tempfile.TemporaryDirectory() as folder:
        for size in options.sizes:
            model = random_model(Path(folder), size)
            for name in ("nli", "slr-nli"):
                settings: dict[str, object] = {"model": model, "device": options.device}
                method = create(name, {**settings, "steps": options.steps} if name == "nli" else settings)
                fitted = method.fit(pairs)
                method.predict(fitted, pairs[:2])
                taken = []
                for _ in range(options.repeats):
                    began = time.perf_counter()
                    results = method.predict(fitted, pairs)
                    taken.append(time.perf_counter() - began)
                assert len(results) == len(pairs)
                cells = (size, name, str(sentences), f"{min(taken) / sentences:.3f}", f"{tokens / min(taken):,.0f}")
                print(line(cells), flush=True)


if __name__ == "__main__":
    main()
