"""Types of rating items: what is written becomes choices, and what can't be is refused with its location."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.text.items.base import ITEM_TYPES
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import PRESETS, Scheme, SchemeError
from tests.paths import ROOT


def scheme(*questions: Any, **more: Any) -> Scheme:
    return parse_scheme({"name": "own", "links": False, "questions": list(questions), **more})


def scale(**changes: Any) -> dict[str, Any]:
    return {"key": "q", "text": "How much?", "type": "scale", "low": 0, "high": 4} | changes


def test_a_scale_has_a_choice_for_each_number_with_its_digit_as_hotkey() -> None:
    (question,) = scheme(scale(low=-1, high=2, low_name="none", high_name="all")).questions
    assert [(each.key, each.name, each.value) for each in question.choices] == [
        ("-1", "-1: none", -1), ("0", "0", 0), ("1", "1", 1), ("2", "2: all", 2)
    ]  # fmt: skip
    assert [each.hotkey for each in question.choices][1:] == ["0", "1", "2"]
    assert question.type == "scale"


def test_a_scale_leaves_the_digits_to_labels() -> None:
    labels = [{"key": "x", "name": "X", "hotkey": "1"}]
    (question,) = scheme(scale(low=1, high=3), labels=labels).questions
    assert "1" not in {each.hotkey for each in question.choices}


def test_what_is_stored_is_read_again_and_says_nothing_of_the_default() -> None:
    own = scheme(
        scale(), {"key": "r", "text": "Right?", "choices": [{"key": "y", "name": "Y"}, {"key": "n", "name": "N"}]}
    )
    stored = own.to_json()
    assert stored["questions"][0]["type"] == "scale" and "type" not in stored["questions"][1]
    assert Scheme.from_json(stored) == own == parse_scheme(stored)
    assert all("type" not in item for preset in PRESETS.values() for item in preset.to_json()["questions"])


@pytest.mark.parametrize(
    ("item", "says"),
    [
        (scale(type="slide"), r"scheme.questions\[0\].type: 'slide' is unknown; choose one of choices, "),
        (scale(type=["scale"]), r"questions\[0\].type: .* is unknown"),
        (scale(low="0"), r"questions\[0\].low: a whole number is expected"),
        (scale(low=True), r"questions\[0\].low: a whole number is expected"),
        (scale(high=0), r"questions\[0\].high: above low, and at most 15 numbers"),
        (scale(high=15), r"questions\[0\].high: above low, and at most 15 numbers"),
        (scale(low_name=3), r"questions\[0\].low_name: a text is expected"),
        (scale(step=2), r"questions\[0\].step: unknown"),
        (scale(choices=[]), r"questions\[0\].choices: either these or low, high are expected, not both"),
        ({"key": "q", "text": "Q?", "low": 0}, r"questions\[0\].low: unknown"),
        ({"key": "q", "text": "Q?"}, r"questions\[0\].choices: at least two"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(item: dict[str, Any], says: str) -> None:
    with pytest.raises(SchemeError, match=says):
        scheme(item)


@pytest.mark.parametrize("name", ITEM_TYPES)
def test_the_documentation_has_every_type_and_field(name: str) -> None:
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    (row,) = [line for line in text.splitlines() if line.startswith(f"| `{name}` | `")]
    assert all(f"`{field}`" in row for field in ITEM_TYPES[name].fields)
