"""Schemes from outside: what can't be drawn, typed or counted is refused with its location."""

from __future__ import annotations

import re
from typing import Any

import pytest

from annotation.text.colours import COLOURS, NINE_GRADES, grade_colours
from annotation.text.items.base import HOTKEYS, RESERVED
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import PRESETS, Scheme, SchemeError
from tests.paths import ROOT


def label(number: int, **changes: Any) -> dict[str, Any]:
    return {"key": f"k{number}", "name": f"Label {number}"} | changes


def scheme(*labels: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"name": "own", "labels": list(labels)} | changes


CHOICES = [{"key": "y", "name": "Yes"}, {"key": "n", "name": "No"}]


def question(**changes: Any) -> dict[str, Any]:
    return {"key": "q", "text": "Well?", "choices": CHOICES} | changes


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_accepted_as_it_is(name: str) -> None:
    assert parse_scheme(PRESETS[name].to_json()) == PRESETS[name]


@pytest.mark.parametrize("count", range(1, 10))
def test_up_to_nine_grades_get_colours_from_pale_to_deep_and_digits(count: int) -> None:
    given = [label(number, value=number) for number in range(1, count + 1)]
    made = parse_scheme(scheme(*reversed(given)))
    colours = [each.colour for each in sorted(made.labels, key=lambda each: each.value or 0)]
    assert colours == grade_colours(count) and len(set(colours)) == count and set(colours) <= set(COLOURS)
    assert [each.hotkey for each in made.labels] == [str(number) for number in range(1, count + 1)]
    assert parse_scheme(made.to_json()) == made


def test_labels_without_values_get_colours_of_the_palette() -> None:
    made = parse_scheme(scheme(label(1), label(2, colour="p1"), label(3, hotkey="i")))
    assert [each.colour for each in made.labels] == ["p2", "p1", "p3"]
    assert [each.hotkey for each in made.labels] == ["1", "2", "i"]


@pytest.mark.parametrize(
    ("data", "where", "reason"),
    [
        (["x"], "scheme:", "an object is expected, not a list"),
        ({"labels": [label(1)]}, "scheme.name:", "missing"),
        (scheme(label(1), name=" "), "scheme.name:", "empty"),
        (scheme(label(1), color="p1"), "scheme.color:", "unknown"),
        (scheme(label(1, color="p1")), "scheme.labels[0].color:", "unknown"),
        ({**scheme(label(1)), "labels": [label(1), "x"]}, "scheme.labels[1]:", "an object is expected"),
        (scheme(label(1, colour="#ff0000")), "scheme.labels[0].colour:", "not a label colour"),
        (scheme(label(1, colour="g6")), "scheme.labels[0].colour:", "leave it out"),
        (scheme(label(1, colour=["p1"])), "scheme.labels[0].colour:", "a string is expected, not a list"),
        (scheme(label(1, colour="p1"), label(2, colour="p1")), "scheme.labels[1].colour:", "appears twice"),
        (scheme(label(1, value="high")), "scheme.labels[0].value:", "a number is expected, not 'high'"),
        (scheme(label(1, value=True)), "scheme.labels[0].value:", "a number is expected"),
        (scheme(label(1, value=float("inf"))), "scheme.labels[0].value:", "a number between"),
        (scheme(label(1, value=0)), "scheme.labels[0].value:", "above 0"),
        (scheme(label(1, value=1), label(2)), "scheme.labels[1].value:", "every label has a value, or none"),
        (scheme(label(1, value=1), label(2, value=1.0)), "scheme.labels[1].value:", "appears twice"),
        (scheme(label(1, value=1, colour="g5"), label(2, value=2, colour="g1")), "labels[0].colour:", "light to dark"),
        (scheme(label(1, value=1, colour="g1"), label(2, value=2)), "scheme.labels[1].colour:", "missing"),
        (scheme(*(label(n, value=n) for n in range(1, 11))), "scheme.labels[9].value:", "too many grades: at most 9"),
        (scheme(*(label(n) for n in range(13))), "scheme.labels:", "13 is too many; at most 12"),
        (scheme(label(1, hotkey="n")), "scheme.labels[0].hotkey:", "a shortcut of the workspace"),
        (scheme(label(1, hotkey="?")), "scheme.labels[0].hotkey:", "a shortcut of the workspace"),
        (scheme(label(1, hotkey="Ä")), "scheme.labels[0].hotkey:", "can't be a hotkey"),
        (scheme(label(1, hotkey="F1")), "scheme.labels[0].hotkey:", "2 characters"),
        (scheme(label(1, hotkey="1"), label(2, hotkey="1")), "scheme.labels[1].hotkey:", "number 1 has it too"),
        (scheme(label(1, key="")), "scheme.labels[0].key:", "empty"),
        (scheme(label(1, key="x" * 41)), "scheme.labels[0].key:", "at most 40"),
        (scheme(label(1, key=1)), "scheme.labels[0].key:", "a string is expected, not a number"),
        (scheme(label(1), label(1, name="Other")), "scheme.labels[1].key:", "appears twice"),
        (scheme(label(1, name="")), "scheme.labels[0].name:", "empty"),
        (scheme(label(1, name="Same"), label(2, name="same")), "scheme.labels[1].name:", "appears twice"),
        (scheme(label(1, name="a\nb")), "scheme.labels[0].name:", "invisible character"),
        (scheme(label(1, name="a\ud800")), "scheme.labels[0].name:", "surrogate"),
        (scheme(label(1), links="yes"), "scheme.links:", "true or false"),
        (scheme(label(1), sides="ab"), "scheme.sides:", "a list is expected"),
        (scheme(label(1), sides=["a", "a"]), "scheme.sides:", "each once"),
        (scheme(label(1), sides=["b"], links=True), "scheme:", "both sides"),
        (scheme(label(1), default="k1"), "scheme:", "unmarked default"),
        (scheme(), "scheme:", "no labels and no questions"),
        (scheme(questions=[question(choices=[])]), "scheme.questions[0].choices:", "at least two"),
        (scheme(questions=[question(text="")]), "scheme.questions[0].text:", "empty"),
        (
            scheme(label(1, hotkey="1"), questions=[question(choices=[{**CHOICES[0], "hotkey": "1"}, CHOICES[1]])]),
            "scheme.questions[0].choices[0].hotkey:",
            "a label's hotkey",
        ),
    ],
)
def test_what_is_invalid_is_refused_with_location_and_reason(data: object, where: str, reason: str) -> None:
    with pytest.raises(SchemeError) as caught:
        parse_scheme(data)
    assert where in str(caught.value) and reason in str(caught.value)


def test_the_reserved_keys_are_those_of_the_workspaces_table() -> None:
    table = (ROOT / "static/js/workspace/model/keyboard.js").read_text().split("export const GROUPS")[0]
    keys = {key for found in re.findall(r"keys: \[([^\]]*)\]", table) for key in re.findall(r'"([^"]+)"', found)}
    assert {key for key in keys if len(key) == 1} <= RESERVED
    assert {key.removeprefix("Shift+") for key in keys if re.fullmatch(r"Shift\+.", key)} <= RESERVED
    assert not RESERVED & set(HOTKEYS)


def test_every_colour_is_drawn_in_both_themes() -> None:
    css = (ROOT / "static/css/tokens.css").read_text()
    for colour in COLOURS:
        for name in (f"--{colour}:", f"--{colour}-rule:", f"--{colour}-draw:", f".c-{colour} {{"):
            assert name in css, name
    assert css.count("--ramp-deep:") == 3 and len(NINE_GRADES) == 9


def test_a_scheme_that_was_kept_before_is_opened_and_drawn() -> None:
    kept = scheme(
        *(label(n, colour="#ff0000", value=n, hotkey="", description="") for n in range(1, 8)),
        sides=["a", "b"],
    )
    opened = Scheme.from_json(kept)
    assert [each.colour for each in opened.labels] == grade_colours(7) and opened.graded
    kept["labels"][0]["value"] = "high"
    assert not Scheme.from_json(kept).graded and Scheme.from_json(kept).value("k3") == 3


def test_missing_hotkeys_are_chosen_without_collisions() -> None:
    choices = [{"key": str(n), "name": f"choice {n}"} for n in range(3)]
    bare = {"key": "q", "text": "Which?", "choices": choices}
    own = {"key": "r", "text": "And?", "choices": [{**choices[0], "hotkey": "2"}, choices[1], choices[2]]}
    made = parse_scheme(scheme(label(1), label(2), questions=[bare]))
    assert [each.hotkey for each in made.labels] == ["1", "2"]
    assert [each.hotkey for each in made.questions[0].choices] == ["3", "4", "5"]
    made = parse_scheme(scheme(label(1), label(2), questions=[bare, own]))
    assert [each.hotkey for each in made.labels] == ["1", "3"], "a choice was given 2"
    assert [[each.hotkey for each in question.choices] for question in made.questions] == [
        ["2", "4", "5"],
        ["2", "4", "5"],
    ]


def test_a_choice_for_which_no_key_is_left_has_none() -> None:
    choices = [{"key": str(n), "name": f"choice {n}"} for n in range(6)]
    made = parse_scheme(scheme(*map(label, range(1, 13)), questions=[{"key": "q", "text": "?", "choices": choices}]))
    keys = [label.hotkey for label in made.labels] + [choice.hotkey for choice in made.questions[0].choices]
    assert keys == [*HOTKEYS, *[""] * (18 - len(HOTKEYS))]


def test_the_documentation_names_the_letters_that_can_be_hotkeys() -> None:
    page = (ROOT / "docs/formats.md").read_text()
    named = re.search(r"workspace\s+doesn.t use \(([^)]+)\)", page)
    assert named is not None
    assert re.findall(r"`(.)`", named[1]) == [key for key in HOTKEYS if key.isalpha()]


def test_every_problem_is_said_once_with_its_location() -> None:
    questions = [
        {"key": "much", "text": "How much?", "type": "scale", "low": 3, "high": 1},
        {"key": "what", "text": "What?", "type": "several", "options": [{"key": "a", "name": "A"}]},
        {"key": "kind", "text": "Which?", "choices": [{"key": "x", "name": "X", "hotkey": "5"}]},
    ]
    labels = [
        {"key": "small", "name": "Small", "value": "low", "hotkey": "q"},
        {"key": "small", "name": " Large", "value": 2, "hotkey": "5"},
        {"key": "", "name": "", "colour": "red"},
    ]
    with pytest.raises(SchemeError) as refused:
        parse_scheme({"name": "", "labels": labels, "questions": questions})
    fields = [str(phrase.params["field"]) for phrase in refused.value.phrases]
    assert len(set(fields)) == len(fields) and str(refused.value) == str(refused.value.phrase)
    assert {each.removeprefix("scheme.") for each in fields} >= {
        "name",
        "labels[0].value",
        "labels[0].hotkey",
        "labels[1].key",
        "labels[1].name",
        "labels[2].key",
        "labels[2].name",
        "labels[2].colour",
        "questions[0].high",
        "questions[2].choices",
        "questions[2].choices[0].hotkey",
    }


def test_that_only_some_labels_have_values_is_said_once() -> None:
    labels = [{"key": f"k{n}", "name": f"N{n}", **({"value": 1} if not n else {})} for n in range(4)]
    with pytest.raises(SchemeError) as refused:
        parse_scheme({"name": "x", "labels": labels})
    assert [phrase.params["field"] for phrase in refused.value.phrases] == ["scheme.labels[1].value"]


def test_unknown_keys_and_contradictions_are_named_with_the_rest() -> None:
    given = {
        "name": "",
        "colours": 1,
        "sides": ["a"],
        "links": True,
        "default": "small",
        "labels": [
            {"key": "small", "name": "Small", "value": 1, "colour": "grade-9", "shade": "x"},
            "large",
            {"key": "large", "name": "Large", "value": -1},
        ],
        "questions": [{"key": "q", "text": "One?", "type": "yes-no"}, {"key": "q", "text": "Two?", "type": "yes-no"}],
    }
    with pytest.raises(SchemeError) as refused:
        parse_scheme(given)
    assert sorted(str(phrase) for phrase in refused.value.phrases) == sorted(
        [
            "scheme.name: empty",
            "scheme.colours: unknown; expected one of name, labels, sides, links, discontinuous, overlap, default, "
            "questions, statement",
            "scheme.labels[0].shade: unknown; expected one of key, name, description, colour, hotkey, value",
            f"scheme.labels[0].colour: 'grade-9' is not a label colour; choose one of {', '.join(COLOURS)}, or leave "
            "it out",
            "scheme.labels[1]: an object is expected, not a string",
            "scheme.labels[2].value: a grade must be above 0, which means unmarked",
            "scheme.questions[1].key: 'q' appears twice; number 1 has it too",
            "scheme: 'small' is the unmarked default and can't also be a label",
            "scheme: spans can only link if both sides may be marked",
        ]
    )


def test_what_could_not_be_read_is_not_said_to_be_missing() -> None:
    with pytest.raises(SchemeError) as refused:
        parse_scheme({"name": "x", "questions": [{"key": "q", "text": "?", "type": "guess"}]})
    assert [str(phrase.params["field"]) for phrase in refused.value.phrases] == ["scheme.questions[0].type"]
    with pytest.raises(SchemeError) as refused:
        parse_scheme({"name": "x", "sides": ["a"], "links": True})
    assert len(refused.value.phrases) == 2
    with pytest.raises(SchemeError) as refused:
        parse_scheme({"name": "x", "labels": ["small", label(1, value=1)]})
    assert [str(phrase.params["field"]) for phrase in refused.value.phrases] == ["scheme.labels[0]"]


def test_a_label_and_a_default_that_are_none_are_not_said_to_be_the_same() -> None:
    data = {**PRESETS["graded"].to_json(), "default": 7}
    data["labels"] = ["x", *data["labels"][1:]]
    with pytest.raises(SchemeError) as refused:
        parse_scheme(data)
    assert len(refused.value.phrases) == 2 and "unmarked default" not in str(refused.value)
