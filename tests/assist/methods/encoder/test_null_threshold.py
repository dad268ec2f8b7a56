import zlib

import numpy as np
import pytest

from assist.methods.base import PairInput
from assist.methods.encoder.null_threshold import FOLDS, KEEP_ALL, NullThresholds, tune_thresholds
from tests.assist.methods.tiny import side

NOTHING = np.empty(0)


def labelled(name: str, gold: list[float], both: bool = False) -> PairInput:
    text = side(["dog"] * len(gold))
    return PairInput(name, text, text, gold if both else None, gold)


def test_without_labelled_pairs_nothing_is_dropped() -> None:
    assert tune_thresholds([], {}) == NullThresholds(KEEP_ALL)
    assert not tune_thresholds([], {}).drops


def test_the_threshold_has_the_best_f1_and_drops_no_more_than_it_must() -> None:
    doubts = np.array([0.2, 0.4, 0.6, 0.8, np.inf])
    found = tune_thresholds([labelled("p", [0, 0, 0, 1, 1])], {"p": (NOTHING, doubts)})
    assert found.threshold == 0.6
    assert found.drops
    by_threshold = {point["threshold"]: point for point in found.curve}
    assert by_threshold[0.6] == {"threshold": 0.6, "precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert by_threshold[0.2]["precision"] == 0.5
    assert by_threshold[KEEP_ALL]["recall"] == 0.5


@pytest.mark.parametrize(("both", "threshold"), [(False, 0.6), (True, 0.2)])
def test_inferable_is_not_new_where_one_side_is_marked_and_any_grade_is_where_both_are(
    both: bool, threshold: float
) -> None:
    doubts = np.array([0.2, 0.3, 0.6, 0.8])
    unknown = float("nan")
    found = tune_thresholds([labelled("p", [0, unknown, 0.5, 1], both)], {"p": (doubts, doubts)})
    assert found.threshold == threshold


def test_a_pair_that_was_tuned_on_gets_the_threshold_of_the_other_folds() -> None:
    names = [f"pair {index}" for index in range(40)]
    odd = zlib.crc32(names[0].encode()) % FOLDS
    pairs, doubts = [], {}
    for name in names:
        mine = zlib.crc32(name.encode()) % FOLDS == odd
        pairs.append(labelled(name, [0, 1, 1]))
        doubts[name] = (NOTHING, np.array([0.7, 0.8, 0.9]) if mine else np.array([0.1, 0.2, 0.3]))
    found = tune_thresholds(pairs, doubts)
    assert found.of(names[0]) == 0.1
    assert found.of("a pair of another project") == found.threshold
    assert {found.of(name) for name in names} == set(found.folds)
