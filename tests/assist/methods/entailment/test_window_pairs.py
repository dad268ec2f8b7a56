"""What an NLI model reads at once: every subword of a hypothesis once, with windows that cover the premise."""

import pytest

from assist.methods.entailment.window_pairs import OVERLAP, WindowPair, window_pairs


def test_texts_that_fit_are_read_at_once() -> None:
    assert window_pairs(30, 10, 40) == [[WindowPair((0, 30), (0, 10), (0, 10))]]
    assert window_pairs(0, 10, 40) == [[WindowPair((0, 0), (0, 10), (0, 10))]]
    assert window_pairs(30, 0, 40) == []


def test_a_long_premise_is_cut_and_the_hypothesis_read_with_each_window() -> None:
    (windows,) = window_pairs(200, 10, 110)
    assert [each.hypothesis for each in windows] == [(0, 10)] * 3
    assert [each.premise for each in windows] == [(0, 100), (50, 150), (100, 200)]
    assert all(each.premise[1] - each.premise[0] == 100 for each in windows)
    assert windows[0].premise[1] - windows[1].premise[0] >= OVERLAP


@pytest.mark.parametrize("premise", [1, 19, 20, 21, 60, 400])
@pytest.mark.parametrize("hypothesis", [1, 20, 21, 39, 40, 41, 333])
def test_every_subword_is_kept_once_and_the_premise_is_covered(premise: int, hypothesis: int) -> None:
    parts = window_pairs(premise, hypothesis, 40)
    kept = [index for windows in parts for index in range(*windows[0].keep)]
    assert kept == list(range(hypothesis))
    for windows in parts:
        assert len({(each.hypothesis, each.keep) for each in windows}) == 1
        assert {index for each in windows for index in range(*each.premise)} == set(range(premise))
        for each in windows:
            assert 0 < each.size <= 40
            assert each.hypothesis[0] <= each.keep[0] < each.keep[1] <= each.hypothesis[1]
