"""Dawid-Skene and MACE: by tokens and by whole spans, what they say of people, and a clear word without the extra."""

import sys
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from agreement.adjudication.base import Case, RuleError
from agreement.adjudication.reasons import Code, make_reason
from agreement.adjudication.registry import rule
from tests.agreement.adjudication.cases import case, letters, shape, span


class Votes:
    """A stand-in for a model of crowd-kit: the shares of votes are its probabilities."""

    def __init__(self, **options: Any) -> None:
        self.options = options

    def fit(self, frame: Any) -> None:
        pandas = import_module("pandas")
        counts = pandas.crosstab(frame["task"], frame["label"])
        self.probas_ = counts.div(counts.sum(axis=1), axis=0)
        self.priors_ = self.probas_.mean()
        workers = frame["worker"].unique()
        index = pandas.MultiIndex.from_product([workers, counts.columns], names=["worker", "label"])
        self.errors_ = pandas.DataFrame(0.75, index=index, columns=counts.columns)
        self.spamming_ = np.array([[0.25, 0.75]] * len(workers))


@pytest.fixture
def crowdkit(monkeypatch: pytest.MonkeyPatch) -> None:
    package, aggregation = ModuleType("crowdkit"), ModuleType("crowdkit.aggregation")
    aggregation.DawidSkene = aggregation.MACE = Votes  # type: ignore[attr-defined]
    package.aggregation = aggregation  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "crowdkit", package)
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", aggregation)


def decided(name: str, *cases: Case, **settings: object) -> tuple[list[Any], dict[str, float]]:
    chosen = rule(name)
    complete = chosen.settings.read(settings)
    fitted, reliability = chosen.fitted(cases, complete)
    return [fitted.apply(each, complete) for each in cases], reliability


@pytest.mark.usefixtures("crowdkit")
@pytest.mark.parametrize("name", ["dawid-skene", "mace"])
def test_tokens(name: str) -> None:
    (one,), reliability = decided(name, letters("NNISSSSSSSSS", "NSISSSSSSSSS", "NSSSSSSSSSSS"))
    assert [(label, b) for label, _, b in shape(one)] == [("new", [0]), ("inferable", [2])]
    assert [doubt.tokens for doubt in one.doubts] == [(1, 2)], "two of three are less than 0.8"
    assert reliability == pytest.approx({"A1": 0.75, "A2": 0.75, "A3": 0.75})


@pytest.mark.usefixtures("crowdkit")
@pytest.mark.parametrize("name", ["dawid-skene", "mace"])
def test_spans_stay_whole(name: str) -> None:
    linked = span("4", [1, 2], [3, 5])
    given = case([linked, span("1", [9])], [linked], [span("4", [1, 2, 3], [3, 5])])
    (one,), _ = decided(name, given)
    assert shape(one) == [("4", [1, 2], [3, 5])], "what one of three marked falls away"
    assert one.spans[0].annotations == (10, 11, 12)


@pytest.mark.usefixtures("crowdkit")
def test_rejected_pairs_are_left_out_and_nothing_to_learn_from_is_no_error() -> None:
    (one,), reliability = decided("mace", case([], [], verdicts=["rejected", "rejected"]))
    assert one.excluded == make_reason(Code.REJECTED, n=2)
    assert reliability == {}


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    # Both: where a test before has imported the models, Python does not look at the package again.
    for name in ("crowdkit", "crowdkit.aggregation"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(RuleError, match=r"pip install crowd-kit==1\.4\.1"):
        decided("dawid-skene", letters("N" * 12))


@pytest.mark.parametrize("name", ["dawid-skene", "mace"])
def test_the_real_models_trust_those_who_agree(name: str) -> None:
    good = "NNNSSSSSSNNN", "NNNSSSSSSNNS", "NNNSSSSSSNNN"
    found, reliability = decided(name, *(letters(*good, "SNSNSNSNSNSN") for _ in range(4)))
    assert [b for _, _, b in shape(found[0])] == [[0, 1, 2], [9, 10, 11]]
    assert min(reliability["A1"], reliability["A3"]) > reliability["A4"]


@pytest.mark.long
@pytest.mark.takes(10)
@pytest.mark.parametrize("name", ["dawid-skene", "mace"])
def test_other_names_change_nothing(name: str) -> None:
    draw = np.random.default_rng(3)
    given = [letters(*("".join(draw.choice(list("NIS"), 12)) for _ in range(3))) for _ in range(12)]
    others = {"A1": "Zed", "A2": "Bo", "A3": "Anna"}
    renamed = [
        replace(each, votes=tuple(replace(vote, annotator=others[vote.annotator]) for vote in each.votes))
        for each in given
    ]
    (found, reliability), (again, renamed_reliability) = decided(name, *given), decided(name, *renamed)
    assert [shape(each) for each in found] == [shape(each) for each in again]
    assert {others[person]: value for person, value in reliability.items()} == renamed_reliability
