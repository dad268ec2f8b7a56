"""What is worth a look, against figures worked out by hand."""

from __future__ import annotations

import math

from annotation.review_criteria import SlowPair, TimedSubmission, labels_unlike_others, slow_pairs, too_fast


def test_faster_than_anyone_reads() -> None:
    # 500 words in 30 s are exactly 1,000 a minute, which is not yet too fast; in 29 s they are.
    edge, fast, none = TimedSubmission(1, 1, 30, 500), TimedSubmission(1, 2, 29, 500), TimedSubmission(2, 3, 0, 40)
    short = TimedSubmission(2, 4, 0, 39)
    assert too_fast([edge, fast, none, short]) == [none, fast]
    assert too_fast([edge], fastest=999) == [edge]


def test_pairs_that_take_three_times_the_usual_time_per_word() -> None:
    usual = [TimedSubmission(1, pair, 100, 100) for pair in range(4)]
    slow = [TimedSubmission(1, 9, 500, 100), TimedSubmission(2, 9, 300, 100), TimedSubmission(3, 9, 900, 100)]
    assert slow_pairs([*usual, *slow]) == [SlowPair(9, 500, 5.0)]
    long_text = [TimedSubmission(1, 9, 500, 500)]
    assert slow_pairs([*usual, *long_text]) == [], "a long text takes long"
    assert slow_pairs([*usual[:3], *slow]) == [], "four pairs are too few to know what is usual"
    exactly = [TimedSubmission(1, 9, 300, 100)]
    assert [each.times for each in slow_pairs([*usual, *exactly])] == [3.0]
    assert slow_pairs([*usual, TimedSubmission(1, 9, 298, 100)]) == []


def test_a_label_used_unlike_the_others() -> None:
    counts = {1: {"5": 40, "1": 60}, 2: {"5": 20, "1": 80}, 3: {"5": 20, "1": 80}}
    # 0.4 against 40 / 200 = 0.2; pooled 80 / 300, standard error sqrt(0.2667 * 0.7333 * (1/100 + 1/200)) = 0.0542.
    pooled = 80 / 300
    assert math.isclose(math.sqrt(pooled * (1 - pooled) * 0.015), 0.0542, abs_tol=1e-4)
    found = labels_unlike_others(counts)
    assert [(each.annotator, each.label, each.own, each.others) for each in found] == [
        (1, "1", 0.6, 0.8),
        (1, "5", 0.4, 0.2),
    ]
    few = {1: {"5": 12, "1": 17}, 2: {"5": 100, "1": 900}}
    assert labels_unlike_others(few) == [], "29 spans are too few"
    unsure = {1: {"5": 12, "1": 18}, 2: {"5": 7, "1": 23}}
    assert labels_unlike_others(unsure) == [], "a difference of 17 points, less than three standard errors (0.12)"
    small = {1: {"5": 5500, "1": 4500}, 2: {"5": 4600, "1": 5400}}
    assert labels_unlike_others(small) == [], "sure, but only 9 points"
    assert labels_unlike_others({1: {"5": 100}}) == [] == labels_unlike_others({})
    assert labels_unlike_others({1: {"5": 50}, 2: {"5": 50}}) == [], "everyone uses one label"
