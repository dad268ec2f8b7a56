"""Schemes: presets are made of the same parts as a custom scheme."""

from typing import Any

import pytest

from annotation.text.schemes import PRESETS, Scheme, SchemeError


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_sound_and_survives_json(name: str) -> None:
    preset = PRESETS[name]
    preset.check()
    assert Scheme.from_json(preset.to_json()) == preset


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"labels": [{"key": "x", "name": "X"}, {"key": "x", "name": "Y"}]}, "label key 'x' appears twice"),
        ({"labels": [{"key": "", "name": "X"}]}, "empty label key"),
        (
            {"labels": [{"key": "x", "name": "X", "hotkey": "1"}, {"key": "y", "name": "Y", "hotkey": "1"}]},
            "hotkey '1'",
        ),
        ({"labels": [{"key": "same", "name": "X"}]}, "unmarked default"),
        ({"labels": []}, "no labels and no questions"),
        ({"sides": ["c"]}, "sides must be"),
        ({"sides": ["b"], "links": True}, "only link if both sides"),
        ({"labels": [{"name": "X"}]}, "scheme:"),
    ],
)
def test_a_scheme_that_contradicts_itself_is_refused(change: dict[str, Any], said: str) -> None:
    data = {"name": "own", "labels": [{"key": "x", "name": "X"}]} | change
    with pytest.raises(SchemeError, match=said):
        Scheme.from_json(data)


def test_values_are_given_or_the_position_in_the_scheme() -> None:
    assert [PRESETS["graded"].value(key) for key in ("0", "1", "5")] == [0, 1, 5]
    assert [PRESETS["xparade"].value(key) for key in ("same", "new", "inferable")] == [0, 1, 2]
    assert PRESETS["graded"].graded and not PRESETS["xparade"].graded and not PRESETS["likert"].graded
