"""How well a fine-tuned encoder does on merged token labels, out of fold:

`python -m benchmarks.finetuned FILE [--method finetuned] [--set KEY=VALUE]…`

FILE has SwissGov-RSD's released columns (`text_a, text_b, labels_a, labels_b, subset`), one JSON object a line, in
English. All pairs are one project; printed is Spearman's correlation over each subset's labelled tokens, times 100.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from annotation.text.sentences import sentences
from assist.methods.base import PairInput, TextSide, create


def pairs_of(file: Path) -> dict[str, list[PairInput]]:
    """The pairs of a file by subset; tokens labelled -1 have no value."""
    by_subset: dict[str, list[PairInput]] = defaultdict(list)
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        golds = [[math.nan if label < 0 else label for label in row[f"labels_{side}"]] for side in "ab"]
        by_subset[row.get("subset", "")].append(
            PairInput(str(number), _side(row["text_a"]), _side(row["text_b"]), golds[0], golds[1])
        )
    return by_subset


def _side(text: str) -> TextSide:
    tokens, position = [], 0
    for word in text.split(" "):
        tokens.append((position, position + len(word)))
        position += len(word) + 1
    return TextSide("en", text, tokens, sentences(text, "en"), [(0, len(text))])


def main() -> None:
    from scipy.stats import spearmanr

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--method", default="finetuned")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    options = parser.parse_args()
    method = create(options.method, dict(each.split("=", 1) for each in options.set))
    subsets = pairs_of(options.file)
    pairs = [pair for each in subsets.values() for pair in each]
    began = time.perf_counter()
    model = method.fit(pairs)
    fitted = time.perf_counter() - began
    results: dict[str, Any] = {each.id: each for each in method.predict(model, pairs)}
    print(f"{method.slug()}: fitted in {fitted:.0f} s; {method.report(model).get('folds', '')}")
    print("| subset | pairs | Spearman |\n| --- | --- | --- |")
    for name, members in subsets.items():
        gold = [value for pair in members for values in (pair.gold_a, pair.gold_b) for value in values or ()]
        score = [value for pair in members for value in (*results[pair.id].scores_a, *results[pair.id].scores_b)]
        labelled = [index for index, value in enumerate(gold) if not math.isnan(value)]
        correlation = spearmanr([gold[index] for index in labelled], [score[index] for index in labelled]).statistic
        print(f"| {name} | {len(members)} | {100 * correlation:.1f} |")


if __name__ == "__main__":
    main()
