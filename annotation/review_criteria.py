"""Work that a lead should review: too fast, too slow, too long, and labels used unlike the others do.

Each is a reason to look, not a verdict: easy pairs are quick, and a person's pairs may differ from others'.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

FASTEST = 1000.0
"""Words a minute over both texts, above which a submission is implausibly fast: more than three times as fast as most
adults read silently (175 to 300 words of non-fiction a minute, mean 238; Brysbaert 2019,
doi:10.1016/j.jml.2019.104047), without the time for marking."""
MIN_WORDS = 40
"""Of shorter pairs the time says nothing: a second more or less is most of it."""
SLOW = 3.0
"""How many times the project's median time per word a pair takes before it is flagged."""
MAX_DAY_SECONDS = 12 * 3600
"""Active seconds on one day, above which it is flagged: browsers report the seconds, so they can be wrong."""
ENOUGH_PAIRS = 5
ENOUGH_SPANS = 30
DIFFERENT, SURE = 0.10, 3.0
"""A label is used differently if its share differs by this much, and by this many standard errors."""


@dataclass(frozen=True, slots=True)
class TimedSubmission:
    """A submitted annotation: whose, of which pair, its active seconds, and how many words the pair has."""

    annotator: int
    pair: int
    seconds: int
    words: int


def too_fast(submissions: Sequence[TimedSubmission], fastest: float = FASTEST) -> list[TimedSubmission]:
    """Submissions faster than anyone reads, the fastest first. Without any active time, the pair was not looked at."""
    fast = [each for each in submissions if each.words >= MIN_WORDS and each.words * 60 > fastest * each.seconds]
    return sorted(fast, key=lambda each: (each.seconds / each.words, each.pair, each.annotator))


@dataclass(frozen=True, slots=True)
class SlowPair:
    """A pair that takes long: its median seconds over people, and how many times the usual time per word that is."""

    pair: int
    seconds: float
    times: float


def slow_pairs(submissions: Sequence[TimedSubmission]) -> list[SlowPair]:
    """Pairs that take SLOW times the median time per word of all pairs or longer, the longest first.

    Empty as long as fewer than `ENOUGH_PAIRS` pairs have been timed. Short pairs and work without time don't count.
    """
    by_pair: dict[int, list[float]] = defaultdict(list)
    words: dict[int, int] = {}
    for each in submissions:
        if each.words >= MIN_WORDS and each.seconds:
            by_pair[each.pair].append(each.seconds)
            words[each.pair] = each.words
    if len(by_pair) < ENOUGH_PAIRS:
        return []
    rates = {pair: median(seconds) / words[pair] for pair, seconds in by_pair.items()}
    usual = median(rates.values())
    result = [
        SlowPair(pair, median(by_pair[pair]), rate / usual) for pair, rate in rates.items() if rate >= SLOW * usual
    ]
    return sorted(result, key=lambda each: (-each.times, each.pair))


@dataclass(frozen=True, slots=True)
class LongDay:
    """A day with more active time than anyone works with care."""

    annotator: int
    day: date
    seconds: int


@dataclass(frozen=True, slots=True)
class LabelUse:
    """A label that a person gives to another share of their spans than the others do to theirs."""

    annotator: int
    label: str
    own: float
    others: float


def labels_unlike_others(counts: Mapping[int, Mapping[str, int]]) -> list[LabelUse]:
    """Labels whose share differs from that of everyone else together, the largest difference first.

    Two proportions are compared with their pooled standard error. Spans of one pair are not independent, so this is a
    hint; that is why the shares must also differ by `DIFFERENT`, and both sides need `ENOUGH_SPANS`.
    """
    totals: Counter[str] = Counter()
    for own in counts.values():
        totals.update(own)
    unlike = []
    for annotator, own in counts.items():
        n, rest = sum(own.values()), totals.total() - sum(own.values())
        if min(n, rest) < ENOUGH_SPANS:
            continue
        for label in totals:
            mine, theirs = own.get(label, 0), totals[label] - own.get(label, 0)
            one, other, pooled = mine / n, theirs / rest, totals[label] / totals.total()
            error = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / rest))
            if error and abs(one - other) >= DIFFERENT and abs(one - other) >= SURE * error:
                unlike.append(LabelUse(annotator, label, one, other))
    return sorted(unlike, key=lambda each: (-abs(each.own - each.others), each.annotator, each.label))
