"""Which matches become pairs: bounds of length and similarity, copies, pairs per article, an even sample."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from annotation.phrases import Phrase
from assist.mining.settings import MiningSettings

_WORD = re.compile(r"\w+")
BINS = 10
"""Parts of the range of similarities that a sample is spread over."""

REASONS = {
    "short": Phrase("a paragraph is too short"),
    "long": Phrase("a paragraph is too long"),
    "copy": Phrase("nearly a copy: most words are the same"),
    "dissimilar": Phrase("too little similarity"),
    "similar": Phrase("too much similarity"),
    "article": Phrase("enough other pairs from the same article"),
    "sample": Phrase("not in the sample"),
}
"""Why a match is not kept, by code, in the order in which it is checked."""


@dataclass(frozen=True, slots=True)
class Match:
    """Two paragraphs that prefer each other. `a` and `b` count the paragraphs of the article's versions from 0.

    `copied` is the share of words that they have in common (Jaccard); `dropped` is a code of REASONS, '' if it is kept.
    """

    article: str
    a: int
    b: int
    text_a: str
    text_b: str
    similarity: float
    copied: float
    dropped: str = ""


def copied_share(a: str, b: str) -> float:
    """The share of two texts' words, as they are written, that are in both, in [0, 1]."""
    one, other = set(_WORD.findall(a.lower())), set(_WORD.findall(b.lower()))
    return len(one & other) / len(one | other) if one or other else 0.0


def filtered(matches: Sequence[Match], settings: MiningSettings, languages: tuple[str, str]) -> list[Match]:
    """The matches, each with why it is dropped, if it is; in the same order."""
    judged = [replace(match, dropped=_bounds(match, settings, languages)) for match in matches]
    left = [index for index, match in enumerate(judged) if not match.dropped]
    random.Random(settings.seed).shuffle(left)
    best = _per_article(judged, left, settings)
    sample = set(_even_sample(judged, best, settings))
    chosen = set(best)
    for index in left:
        if index not in sample:
            judged[index] = replace(judged[index], dropped="sample" if index in chosen else "article")
    return judged


def _bounds(match: Match, settings: MiningSettings, languages: tuple[str, str]) -> str:
    for text, language in zip((match.text_a, match.text_b), languages, strict=True):
        low, high = settings.lengths(language)
        if len(text) < low:
            return "short"
        if len(text) > high:
            return "long"
    if match.copied > settings.most_copied:
        return "copy"
    least, most = settings.similarity
    if match.similarity < least:
        return "dissimilar"
    return "similar" if match.similarity > most else ""


def _per_article(matches: Sequence[Match], left: Sequence[int], settings: MiningSettings) -> list[int]:
    """At most so many of each article; those in parts of the range of which there are fewest so far.

    Articles with the fewest matches come first: they have no choice.
    """
    if settings.per_article is None:
        return list(left)
    articles: dict[str, list[int]] = {}
    for index in left:
        articles.setdefault(matches[index].article, []).append(index)
    filled: Counter[int] = Counter()
    chosen: list[int] = []
    for candidates in sorted(articles.values(), key=len):
        for _ in range(min(settings.per_article, len(candidates))):
            taken = min(candidates, key=lambda index: filled[_bin(matches[index], settings)])
            candidates.remove(taken)
            filled[_bin(matches[taken], settings)] += 1
            chosen.append(taken)
    return chosen


def _even_sample(matches: Sequence[Match], best: Sequence[int], settings: MiningSettings) -> list[int]:
    """A sample of the size set: in turn one from each part of the range of similarities that has any left."""
    if settings.sample is None:
        return list(best)
    bins: dict[int, list[int]] = {}
    for index in best:
        bins.setdefault(_bin(matches[index], settings), []).append(index)
    turns = ((turn, part, index) for part, indices in bins.items() for turn, index in enumerate(indices))
    return [index for *_, index in sorted(turns)[: settings.sample]]


def _bin(match: Match, settings: MiningSettings) -> int:
    low, high = settings.similarity
    share = (match.similarity - low) / (high - low) if high > low else 0.0
    return min(BINS - 1, int(share * BINS))
