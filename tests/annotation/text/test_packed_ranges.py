import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.packed_ranges import pack, pack_assignment
from tests.paths import ROOT

CASES = json.loads((ROOT / "tests" / "vectors" / "packing.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_pairs_are_packed_as_the_browser_unpacks_them(case: dict[str, Any]) -> None:
    assert pack(case["pairs"]) == case["flat"]


@given(st.lists(st.tuples(st.integers(0, 9999), st.integers(0, 9999))))
def test_nothing_is_lost(pairs: list[tuple[int, int]]) -> None:
    flat = pack(pairs)
    back, last = [], 0
    for start in range(0, len(flat), 2):
        first = last + flat[start]
        last = first + flat[start + 1]
        back.append((first, last))
    assert back == pairs


def test_an_assignment_is_packed_and_the_original_stays() -> None:
    text = {"language": "en", "tokens": [[0, 3]], "sentences": [[0, 3]], "paragraphs": [[0, 3]]}
    assignment: dict[str, Any] = {"id": 1, "pair": {"id": 2, "a": text, "b": text}, "highlights": {"edges": [[1, 2]]}}
    result = pack_assignment(assignment)
    assert result["pair"]["a"]["tokens"] == [0, 3]
    assert result["highlights"]["edges"] == [1, 1]
    assert assignment["pair"]["a"]["tokens"] == [[0, 3]]
    assert pack_assignment({**assignment, "highlights": None})["highlights"] is None
