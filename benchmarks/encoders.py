"""Tokens per second of SimAlign and DiffAlign, against the simalign package on the same encoder and the same pairs.

    python -m benchmarks.encoders [--encoder NAME_OR_FOLDER] [--device cpu|cuda] [--pairs N] [--texts …] [--methods …]

All figures of a row come from one run: ours and the package take turns on the same pairs, the best turn of each counts,
and the edges are compared. 'of forward' is the method's speed, from texts to results, relative to that of the encoder's
forward pass alone on the same batches: at 100 % the method's own work would cost nothing. If the package cannot read a
text (beyond the encoder's window) it has no figure.
"""

import argparse
import itertools
import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from assist.methods.base import Method, PairInput, Result, TextSide, create
from assist.methods.encoder.contextual import EncoderMethod
from assist.methods.encoder.encode import Encoder
from assist.methods.encoder.pretrained import PACKAGED, model_location
from assist.methods.encoder.subwords import read

_WORDS = (
    "the of and to in is for on that by this with you it not or be are from at as your all have new more an was "
    "we will home can us about if page my has search free but our one other do no information time they site he "
    "up may what which their news out use any there see only so his when contact here business who web also now "
    "help get view online first been would how were services some these click its like service than find price "
    "date back top people had list name just over state year day into email two health world next used go work "
    "last most products music buy data make them should product system post her city policy number such please "
    "available copyright support message after best software federal council department application residence "
    "permit canton authority deadline register insurance pension foreign "
)
WORDS = _WORDS.split()
SHAPES = {"sentences": (8, 40), "paragraphs": (100, 250), "documents": (800, 2000)}
METHODS = {"simalign-argmax": "a", "simalign-itermax": "i", "simalign-match": "m", "diffalign": "a"}
Clock = Callable[[], float]
CLOCKS: dict[str, Clock] = {"wall": time.perf_counter, "processor": time.process_time}
PACKAGE_NAMES = {"a": "inter", "i": "itermax", "m": "mwmf"}


@dataclass(frozen=True, slots=True)
class Row:
    """Tokens per second of a method on texts of some length; None: not measured."""

    shape: str
    method: str
    ours: float
    package: float | None
    forward: float
    same: str
    numbers: str

    def cells(self) -> tuple[str, ...]:
        package = "" if self.package is None else f"{self.package:,.0f}"
        ratio = "" if self.package is None else f"{self.ours / self.package:.1f} ×"
        return (
            self.shape,
            self.method,
            self.numbers,
            f"{self.ours:,.0f}",
            package,
            ratio,
            f"{self.ours / self.forward:.0%}",
            self.same,
        )


HEAD = ("texts", "method", "numbers", "tokens/s", "package", "ratio", "of forward", "pairs with the same edges")


def made_up(count: int, shortest: int, longest: int, seed: int = 0) -> list[PairInput]:
    """Pairs of texts of English words; side B is side A with words replaced, omitted and moved."""
    dice = random.Random(seed)
    pairs = []
    for index in range(count):
        words = dice.choices(WORDS, k=dice.randint(shortest, longest))
        other = [dice.choice(WORDS) if dice.random() < 0.2 else word for word in words if dice.random() < 0.9]
        cut = dice.randrange(len(other) + 1)
        other = other[cut:] + other[:cut]
        pairs.append(PairInput(str(index), _side(words), _side(other or words)))
    return pairs


def _side(words: Sequence[str]) -> TextSide:
    ends = list(itertools.accumulate(len(word) + 1 for word in words))
    tokens = [(end - 1 - len(word), end - 1) for word, end in zip(words, ends, strict=True)]
    parts = [tokens[low : low + 20] for low in range(0, len(tokens), 20)]
    sentences = [(part[0][0], part[-1][1]) for part in parts]
    return TextSide("en", " ".join(words), tokens, sentences, sentences)


def measured(
    shape: str, name: str, pairs: list[PairInput], model: str, device: str, precision: str, repeats: int, clock: Clock
) -> Row:
    """Runs a method and the package on the pairs, in turns, and the forward pass alone on the method's batches."""
    settings: dict[str, Any] = {"model": model, "device": device, "precision": precision}
    if name.startswith("simalign"):
        settings["null_threshold"] = 1.0
    chosen = create(name, settings)
    assert isinstance(chosen, EncoderMethod)
    encoder = next(chosen.encoders(pairs))[0]
    layer = chosen.report(chosen.fit(pairs))["encoders"][0]["layer"]
    sides = [side for pair in pairs for side in (pair.a, pair.b)]
    longest = max(len(text.ids) for text in read(encoder.tokenizer, sides, "document", "words"))
    tokens = sum(len(pair.a.tokens) + len(pair.b.tokens) for pair in pairs)
    batches, results = recorded(encoder, chosen, pairs)
    theirs = None
    if longest <= encoder.room(None):
        theirs = _package(model, layer, METHODS[name], str(encoder.device))
    edges: list[list[tuple[int, int]]] = []
    ours_time, forward_time, package_time = [], [], []
    for _ in range(repeats):
        ours_time.append(_timed(encoder, clock, lambda: chosen.predict(chosen.fit([]), pairs))[0])
        forward_time.append(_timed(encoder, clock, lambda: forward_pass(encoder, batches, layer))[0])
        if theirs is not None:
            seconds, edges = _timed(encoder, clock, lambda: [theirs(pair) for pair in pairs])
            package_time.append(seconds)
    same = sum(result.edges == each for result, each in zip(results, edges, strict=False))
    compared = theirs is not None and name.startswith("simalign")
    return Row(
        shape,
        name,
        tokens / min(ours_time),
        tokens / min(package_time) if package_time else None,
        tokens / min(forward_time),
        f"{same} of {len(pairs)}" if compared else "",
        str(encoder.model.dtype).removeprefix("torch."),
    )


def recorded(
    encoder: Encoder, chosen: Method[Any, Any], pairs: list[PairInput]
) -> tuple[list[dict[str, Any]], list[Result]]:
    """The encoder's inputs while the method runs, and the results; the run also warms everything up."""
    batches: list[dict[str, Any]] = []
    forward = encoder.forward

    def recording(inputs: dict[str, Any], layer: int) -> Any:
        batches.append(inputs)
        return forward(inputs, layer)

    vars(encoder)["forward"] = recording
    try:
        results = chosen.predict(chosen.fit([]), pairs)
    finally:
        del vars(encoder)["forward"]
    return batches, results


def forward_pass(encoder: Encoder, batches: list[dict[str, Any]], layer: int) -> None:
    import torch

    with torch.inference_mode():
        for inputs in batches:
            encoder.forward(inputs, layer)


def _package(model: str, layer: int, letter: str, device: str) -> Callable[[PairInput], list[tuple[int, int]]]:
    from simalign import SentenceAligner

    aligner = SentenceAligner(model_location(model), "bpe", 0.0, letter, device, layer)
    key = PACKAGE_NAMES[letter]
    return lambda pair: aligner.get_word_aligns(pair.a.words(), pair.b.words())[key]


def _timed(encoder: Encoder, clock: Clock, work: Callable[[], Any]) -> tuple[float, Any]:
    import torch

    started = clock()
    result = work()
    if encoder.device.type == "cuda":
        torch.cuda.synchronize(encoder.device)
    return clock() - started, result


def main() -> None:
    """Prints a table of Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--encoder", default=PACKAGED, help="Hugging Face name or folder")
    parser.add_argument(
        "--pairs", type=int, default=200, help="number of pairs of sentences; a tenth of that for longer texts"
    )
    parser.add_argument("--device", default="auto")
    parser.add_argument("--precision", default="auto", help="auto, float32, float16, bfloat16")
    parser.add_argument("--threads", type=int, default=0, help="torch's threads on the CPU; 0: torch's default")
    parser.add_argument(
        "--clock", choices=CLOCKS, default="wall", help="processor: other processes don't count; CPU only"
    )
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--texts", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    options = parser.parse_args()
    import torch

    logging.getLogger().setLevel(logging.WARNING)
    if options.threads:
        torch.set_num_threads(options.threads)
    print(line(HEAD))
    print(line(("---",) * len(HEAD)))
    for shape in options.texts:
        pairs = made_up(options.pairs if shape == "sentences" else max(1, options.pairs // 10), *SHAPES[shape])
        for name in options.methods:
            row = measured(
                shape,
                name,
                pairs,
                options.encoder,
                options.device,
                options.precision,
                options.repeats,
                CLOCKS[options.clock],
            )
            print(line(row.cells()), flush=True)


def line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
