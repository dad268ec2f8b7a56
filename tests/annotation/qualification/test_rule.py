"""The pass rule: what it accepts, and what it says of a person's pairs."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.qualification.base import ReferenceAgreement
from annotation.qualification.results import Missing, PairResult, State, result_of
from annotation.qualification.rule import KEY, PassRule, rule_of, rule_revision
from annotation.settings_model import SettingError
from annotation.text.schemes import PRESETS

XPARADE = PRESETS["xparade"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"least": 1.5}, "“least” must be a number from 0 to 1, not “1.5”"),
        ({"least": float("nan")}, "least"),
        ({"least_pairs": 0}, "“least_pairs” must be a whole number from 1 to 1000"),
        ({"measure": "near-label"}, "must be one of same-label, every-word, marked, not “near-label”"),
        ({"measure": "near-answer"}, "must be one of"),
        ({"parts": {"newer": 0.5}}, "The scheme has no “newer”. Available: new, inferable."),
        ({"parts": {"new": 2}}, "The minimum for “new” must be from 0 to 1, not 2."),
        ({"parts": {"new": "much"}}, "must be a JSON object of numbers"),
        ({"parts": []}, "must be a JSON object of numbers"),
        ({"release": "never"}, "must be one of lead, at-once"),
        ({"pass": 1}, "There is no setting “pass”"),
    ],
)
def test_a_rule_that_does_not_fit_is_refused_in_words(given: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError) as refused:
        PassRule.of(given, XPARADE)
    assert message in str(refused.value)


def test_a_stored_rule_is_read_back_and_survives_a_label_that_is_gone() -> None:
    rule = PassRule.of({"least": 0.6, "parts": {"new": 0.8, "inferable": 0.1}, "both_directions": True}, XPARADE)
    assert rule_of({KEY: rule.to_json()}, XPARADE) == rule
    left = rule_of({KEY: {**rule.to_json(), "parts": {"new": 0.8, "gone": 0.5}}}, XPARADE)
    assert left is not None and left.parts == {"new": 0.8}
    assert rule_of({}, XPARADE) is None
    for broken in ("x", {"measure": "no such"}, {"least": "x"}, {"measure": ["a"]}, {"parts": {"new": 7}}):
        assert rule_of({KEY: broken}, XPARADE) is None


def test_a_revision_names_the_content() -> None:
    one, other = PassRule(), PassRule(least=0.8)
    assert rule_revision(None) == ""
    assert rule_revision(one) == rule_revision(PassRule()) != rule_revision(other)


def pair(key: int, value: float | None = 1.0, mirror: int | None = None, **parts: float) -> PairResult:
    if value is None:
        return PairResult(key, str(key), mirror, missing=Missing.OPEN)
    return PairResult(key, str(key), mirror, ReferenceAgreement(value, parts))


def rule(**settings: Any) -> PassRule:
    return PassRule(**{"least": 0.7, "least_pairs": 2, **settings})


def test_the_value_is_the_mean_over_pairs_and_reaches_the_least_one_exactly() -> None:
    result = result_of(rule(), [pair(1, 0.9), pair(2, 0.5)])
    assert result.value == pytest.approx(0.7)
    assert result.state == State.PASSED
    assert result_of(rule(), [pair(1, 0.9), pair(2, 0.49)]).state == State.NOT_PASSED


@pytest.mark.parametrize(
    ("pairs", "state"),
    [
        ([], State.UNASSIGNED),
        ([pair(1, None), pair(2, None)], State.NOT_STARTED),
        ([pair(1), pair(2), pair(3, None)], State.IN_PROGRESS),
        ([pair(1)], State.TOO_FEW),
    ],
)
def test_before_there_is_enough(pairs: list[PairResult], state: State) -> None:
    assert result_of(rule(), pairs).state == state


def test_a_label_is_averaged_over_the_pairs_in_which_it_occurs() -> None:
    pairs = [pair(1, new=1.0, inferable=0.4), pair(2, new=0.6), pair(3)]
    result = result_of(rule(parts={"new": 0.8, "inferable": 0.5}), pairs)
    assert result.parts == pytest.approx({"new": 0.8, "inferable": 0.4})
    assert result.state == State.NOT_PASSED
    assert [(test.part, test.value) for test in result.failed] == [("inferable", 0.4)]


def test_a_label_that_occurs_nowhere_cannot_fail_anyone() -> None:
    result = result_of(rule(parts={"inferable": 0.9}), [pair(1), pair(2)])
    assert result.state == State.PASSED
    assert [(test.part, test.value) for test in result.tests] == [("", 1.0), ("inferable", None)]


def test_pairs_that_are_not_compared_are_named_and_do_not_count() -> None:
    rejected = PairResult(3, "c", missing=Missing.REJECTED)
    without = PairResult(4, "d", missing=Missing.NO_REFERENCE)
    result = result_of(rule(), [pair(1, 0.8), pair(2, 0.8), rejected, without])
    assert (result.value, result.counted, result.submitted, result.assigned) == (0.8, 2, 4, 4)
    assert result.left_out == [rejected, without]
    assert result_of(rule(), [pair(1), rejected]).state == State.TOO_FEW


def test_seven_pairs_in_both_directions_as_in_x_parade() -> None:
    wanted = rule(both_directions=True, least_pairs=7)
    both = [pair(2 * n + side, 0.8, mirror=2 * n + 1 - side) for n in range(7) for side in (0, 1)]
    assert result_of(wanted, both).counted == 7
    assert result_of(wanted, both).state == State.PASSED
    one_way = [*both[:-1], PairResult(13, "13", 12, missing=Missing.SKIPPED)]
    assert result_of(wanted, one_way).counted == 6
    assert result_of(wanted, one_way).state == State.TOO_FEW
    assert result_of(wanted, [pair(n) for n in range(20)]).counted == 0
