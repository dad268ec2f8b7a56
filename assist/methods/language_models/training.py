"""Gold as requests with the answers that a model should give, to fine-tune it on (SwissGov-RSD's fine-tuned models).

A line is one request as it would be sent, worked examples included, followed by the answer that people's labels give.
"""

import json
import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from assist.methods.base import PairInput, Range, TextSide
from assist.methods.language_models.prompt import GRADES, KINDS, PromptOptions, PromptPart, part_text, requests


def examples(pair: PairInput, options: PromptOptions) -> list[dict[str, Any]]:
    """A pair's requests, each as `{"messages": [{"role", "content"}, …]}` with the answer last.

    Only sides that people labelled are asked about; none without gold.
    """
    labelled = [name for name, gold in (("a", pair.gold_a), ("b", pair.gold_b)) if gold is not None]
    if options.task != "graded" and "b" not in labelled:
        return []
    lines = []
    for request in requests(pair, options, labelled) if labelled else ():
        if options.task == "graded":
            answer: dict[str, Any] = {part.side.upper(): _grades(pair, part) for part in request.parts}
        else:
            answer = {kind: _quotations(pair, request.parts[0], kind) for kind in KINDS[options.task]}
        messages = [*request.messages, ("assistant", json.dumps(answer, ensure_ascii=False))]
        lines.append({"messages": [{"role": role, "content": text} for role, text in messages]})
    return lines


def _grades(pair: PairInput, part: PromptPart) -> list[dict[str, Any]]:
    side, gold = (pair.a, pair.gold_a) if part.side == "a" else (pair.b, pair.gold_b)
    words, values = side.words()[slice(*part.tokens)], list(gold or ())[slice(*part.tokens)]
    return [
        {"word": word, "similarity": similarity}
        for word, similarity in zip(words, map(_similarity, _fill_unknown(values)), strict=True)
    ]


def _similarity(difference: float) -> int:
    """A difference in [0, 1] as a similarity; halves are rounded to the larger difference."""
    return math.floor(GRADES * (1 - difference) + 0.5 - 1e-9)


def _fill_unknown(values: Sequence[float]) -> list[float]:
    """Values with unknown ones (punctuation) as the one before, at the beginning as the next; 0 if none is known."""
    last = next((value for value in values if not math.isnan(value)), 0.0)
    filled = []
    for value in values:
        last = last if math.isnan(value) else value
        filled.append(last)
    return filled


def _quotations(pair: PairInput, part: PromptPart, kind: str) -> list[str]:
    """The runs of a part's tokens of side B with a label, as they are in the text."""
    first, last = part.tokens
    labels = list(pair.labels_b or [""] * len(pair.b.tokens))[first:last]
    quotations, at = [], first
    for label, run in groupby(labels):
        length = len(list(run))
        if label == kind:
            quotations.append(_text(pair.b, (at, at + length)))
        at += length
    return quotations


def _text(side: TextSide, tokens: Range) -> str:
    return side.text[slice(*part_text(side, tokens))]
