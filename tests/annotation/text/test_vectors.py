"""The vectors shared by Python and JavaScript: both must find the same words."""

import json
from typing import Any

import pytest

from annotation.text.spans import covered_indices, ranges_of
from tests.paths import ROOT


def vectors(name: str, part: str = "cases") -> list[Any]:
    cases = json.loads((ROOT / "tests" / "vectors" / f"{name}.json").read_text())[part]
    return [pytest.param(case, id=case["name"]) for case in cases]


@pytest.mark.parametrize("case", vectors("offsets"))
def test_units_are_what_utf16_counts(case: dict[str, Any]) -> None:
    text: str = case["text"]
    units = [len(text[:point].encode("utf-16-le")) // 2 for point in case["points"]]
    assert units == case["units"]
    assert case["points"][-1] == len(text)


@pytest.mark.parametrize("case", vectors("spans"))
def test_tokens_become_the_fewest_ranges(case: dict[str, Any]) -> None:
    tokens = [(start, end) for start, end in case["tokens"]]
    ranges = ranges_of(case["chosen"], tokens)
    assert [list(each) for each in ranges] == case["ranges"]
    assert covered_indices(ranges, tokens) == sorted(set(case["chosen"]))


@pytest.mark.parametrize("case", vectors("spans", "covered"))
def test_ranges_cover_the_tokens_they_touch(case: dict[str, Any]) -> None:
    ranges = [(start, end) for start, end in case["ranges"]]
    assert covered_indices(ranges, [(start, end) for start, end in case["tokens"]]) == case["covers"]
