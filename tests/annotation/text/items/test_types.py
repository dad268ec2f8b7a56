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


def test_yes_and_no_may_have_other_names() -> None:
    (question,) = scheme({"key": "q", "text": "Same?", "type": "yes-no", "no_name": "Nein"}).questions
    assert [(each.key, each.name, each.value, each.hotkey) for each in question.choices] == [
        ("yes", "Yes", 1, "1"), ("no", "Nein", 0, "2")
    ]  # fmt: skip
    assert parse_scheme(scheme({"key": "q", "text": "Same?", "type": "yes-no"}).to_json()).questions[0].type == "yes-no"


def several(**changes: Any) -> dict[str, Any]:
    options = [{"key": "date", "name": "Dates"}, {"key": "name", "name": "Names", "hotkey": "9"}]
    return {"key": "what", "text": "What differs?", "type": "several", "options": options} | changes


def test_each_of_several_answers_is_a_question_of_its_own_by_yes_and_no() -> None:
    own = scheme(several(), {"key": "why", "text": "Why?", "type": "text"}, several(key="else"))
    assert [question.key for question in own.questions] == ["what.date", "what.name", "why", "else.date", "else.name"]
    first = own.questions[0]
    assert (first.of, first.text, first.title, first.group) == (
        "What differs?", "Dates", "What differs? – Dates", "what"
    )  # fmt: skip
    assert [(each.key, each.hotkey, each.value) for each in first.choices] == [("yes", "1", 1), ("no", "", 0)]
    assert own.questions[1].choices[0].hotkey == "9"
    assert [(text, len(questions)) for text, questions in own.displayed_questions] == [
        ("What differs?", 2), ("Why?", 1), ("What differs?", 2)
    ]  # fmt: skip
    stored = own.to_json()
    assert Scheme.from_json(stored) == own == parse_scheme(stored)
    labelled = scheme(several(), labels=[{"key": "x", "name": "X"}])
    assert [question.choices[0].hotkey for question in labelled.questions] == ["", "9"]


def test_own_words_are_open_and_take_any_text() -> None:
    own = scheme({"key": "why", "text": "Why?", "type": "text"}, several())
    why = own.questions[0]
    assert why.open and why not in own.rated and len(own.rated) == 2
    assert why.accepts("Because.") and why.name_of("Because.") == "Because."
    assert not any(why.accepts(given) for given in ("", 3, None, ["a"], "x" * 10_001, "\x00"))
    assert own.questions[1].accepts("no") and not own.questions[1].accepts("maybe")
    assert own.questions[1].name_of("maybe") == ""


@pytest.mark.parametrize(
    ("item", "says"),
    [
        (scale(type="slide"), r"scheme.questions\[0\].type: 'slide' is unknown; choose one of choices, "),
        (scale(type=["scale"]), r"questions\[0\].type: .* is unknown"),
        (scale(low="0"), r"questions\[0\].low: a whole number is expected"),
        (scale(low=True), r"questions\[0\].low: a whole number is expected"),
        (scale(low=-1_000_001, high=0), r"questions\[0\].low: a whole number from -1000000 to 1000000 is expected"),
        (scale(high=1_000_000_000), r"questions\[0\].high: a number above the lowest is expected, and at most 15"),
        ({**scale(), "choices": [], "type": "choices"}, r"expected one of key, text, type, of, choices$"),
        (scale(high=0), r"questions\[0\].high: a number above the lowest is expected, and at most 15 numbers"),
        (scale(high=15), r"questions\[0\].high: a number above the lowest is expected, and at most 15 numbers"),
        (scale(low_name=3), r"questions\[0\].low_name: a string is expected"),
        (scale(step=2), r"questions\[0\].step: unknown"),
        (scale(choices=[]), r"questions\[0\].choices: either these or low, high are expected, not both"),
        ({"key": "q", "text": "Q?", "low": 0}, r"questions\[0\].low: unknown"),
        ({"key": "q", "text": "Q?"}, r"questions\[0\].choices: at least two"),
        ({"key": "q", "text": "Q?", "type": "text"}, r"only free-text questions"),
        ({"key": "q", "text": "Q?", "type": "text", "choices": [{"key": "a", "name": "A"}]}, "has no choices"),
        ({"key": "q", "text": "Q?", "type": "yes-no", "yes_name": " "}, r"questions\[0\].yes_name: a string"),
        (several(options=[]), r"questions\[0\].options: a list of 2 to 15"),
        (several(options=[{"key": "a", "name": "A"}, 3]), r"questions\[0\].options\[1\]: an object"),
        (several(options=[{"key": "a", "name": "A"}] * 2), r"options\[1\].key: 'what.a' appears twice"),
        (
            several(options=[{"key": "a.b", "name": "A"}, {"key": "c", "name": "C"}]),
            r"options\[0\].key: can't contain a full stop",
        ),
        (several(options=[{"key": "a", "name": "A", "value": 3}] * 2), r"options\[0\].value: unknown"),
        (several(low=3), r"questions\[0\].low: unknown"),
        (several(key=""), r"questions\[0\].key: a string"),
        (several(options=[{"key": "a", "name": "A", "hotkey": "a"}] * 2), r"choices\[0\].hotkey: 'a' is a"),
        (scale(of="What?"), r"questions\[0\].of: allowed only for an answer .* remove it"),
        (several(of="What?"), r"questions\[0\].of: unknown"),
        ({"key": "what.a", "text": "A", "type": "several"}, r"questions\[0\].of: must name the question that"),
        (several(choices=[]), r"questions\[0\].choices: unknown"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(item: dict[str, Any], says: str) -> None:
    with pytest.raises(SchemeError, match=says):
        scheme(item)


@pytest.mark.parametrize("name", ITEM_TYPES)
def test_the_documentation_has_every_type_and_field(name: str) -> None:
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith(f"| `{name}` | `")]
    assert len(rows) == 1, f"docs/formats.md has no row '| `{name}` | …' with its fields, or `key` and `text` alone"
    assert all(f"`{field}`" in rows[0] for field in ITEM_TYPES[name].names)
