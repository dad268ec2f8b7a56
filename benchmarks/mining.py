"""How well mining finds pairs, and what it costs: `python -m benchmarks.mining [--model NAME]… [--cost]`.

X-PARADE's own pairs are mixed with as many paragraphs without a counterpart: of each three pairs, one stays whole, of
one only A is there, of one only B. All are in one article, so that each paragraph can be mistaken for any other; then
the roles change until every pair has been whole once. The cost is that of one article with N invented paragraphs in
each of two languages.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assist.methods.lexicon import core
from assist.mining.articles import Article
from assist.mining.mine import MiningResult, mine
from assist.mining.settings import MiningSettings

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "xparade"
ALL: dict[str, Any] = {"skip_summary": False, "per_article": None}
"""The settings for paragraphs that come from no article."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Of so many true pairs and mined ones: the share of true pairs found, and of wrong ones among the mined."""

    pairs: int
    mined: int
    found: float
    wrong: float


def published_pairs(folder: Path, direction: str, splits: Sequence[str]) -> list[tuple[str, str]]:
    """The texts of X-PARADE's pairs in a direction ('en-es'), in the splits' order."""
    files = [folder / f"{direction}-adj-{split}.json" for split in splits]
    return [(row["premise"], row["text"]) for file in files for row in json.loads(file.read_text(encoding="utf-8"))]


def quality(pairs: Sequence[tuple[str, str]], direction: str, settings: MiningSettings) -> Quality:
    """Of three mixtures of the pairs with as many paragraphs without a counterpart."""
    a, b = direction.split("-")
    settings = settings.model_copy(update={"language_a": a, "language_b": b})
    mined = correct = 0
    for turn in range(3):
        one = [index for index in range(len(pairs)) if index % 3 != (turn + 1) % 3]
        other = [index for index in range(len(pairs)) if index % 3 != (turn + 2) % 3]
        random.Random(turn).shuffle(other)
        articles = [
            Article("all", a, tuple(pairs[index][0] for index in one), "A"),
            Article("all", b, tuple(pairs[index][1] for index in other), "B"),
        ]
        matches = mine(articles, settings).kept_matches
        mined += len(matches)
        correct += sum(one[match.a] == other[match.b] for match in matches)
    return Quality(len(pairs), mined, correct / len(pairs), (mined - correct) / max(1, mined))


def invented(paragraphs: int, seed: int = 1) -> list[Article]:
    """An article of so many paragraphs in English and in Spanish, of 120 words: half from the core lexicon, others
    made up; half of the words of a paragraph are translations of those of its counterpart.
    """
    chance = random.Random(seed)
    entries = [(entry.word, entry.translations[0]) for entry in core.entries("es")]
    syllables = [f"{one}{two}" for one in "bcdfglmnprst" for two in "aeiou"]
    names = ["".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(20_000)]
    english: list[str] = []
    spanish: list[str] = []
    for _ in range(paragraphs):
        shared = chance.choices(entries, k=50)
        own = chance.choices(names, k=10)
        for side, texts in enumerate((english, spanish)):
            words = [*(pair[side] for pair in shared), *own]
            words += [chance.choice(entries)[side] for _ in range(40)] + chance.choices(names, k=20)
            chance.shuffle(words)
            texts.append(" ".join(words) + ".")
    return [Article("all", "en", tuple(english), "A"), Article("all", "es", tuple(spanish), "B")]


def cost(paragraphs: int, settings: MiningSettings) -> tuple[MiningResult, float, float]:
    """What mining so many paragraphs a side finds, how many seconds it takes, and how many MB the process grows by."""
    articles = invented(paragraphs)
    before, began = _megabytes(), time.perf_counter()
    result = mine(articles, settings.model_copy(update={"longest": 100_000}))
    return result, time.perf_counter() - began, _megabytes() - before


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", action="append", default=[], help="an encoder to compare with the words")
    parser.add_argument("--least", type=float, default=0.3, help="the least similarity for those encoders")
    parser.add_argument("--cost", action="store_true", help="measure the cost alone")
    parser.add_argument("--paragraphs", type=int, default=10_000)
    options = parser.parse_args()
    encoders = [{"method": "encoder", "model": name, "least_similar": options.least} for name in options.model]
    chosen = [MiningSettings.read({**ALL, **each}) for each in ({}, *encoders)]
    for language, split in () if options.cost else (("es", "dev"), ("es", "test"), ("hi", "dev"), ("zh", "dev")):
        for direction in (f"en-{language}", f"{language}-en"):
            pairs = published_pairs(DATA / f"complete_data_{language}", direction, [split])
            for settings in chosen if language == "es" and split == "test" else chosen[:1]:
                it = quality(pairs, direction, settings)
                print(
                    f"{direction} {split}, {settings.model or settings.method}: {it.pairs} pairs, {it.mined} mined, "
                    f"found {it.found:.3f}, wrong {it.wrong:.3f}",
                    flush=True,
                )
    mined, seconds, megabytes = cost(options.paragraphs, chosen[0])
    print(
        f"2 x {options.paragraphs} paragraphs: {len(mined.kept_matches)} pairs, "
        f"{seconds:.1f} s, {megabytes:.0f} MB more"
    )


if __name__ == "__main__":
    main()
