"""Settings: parsed from texts and from JSON, refused with a message, described for forms."""

from __future__ import annotations

import json
import re
from typing import Literal

import pytest

from annotation.phrases import Phrase
from annotation.settings_model import SettingError, Settings, device_setting, json_settings, setting, settings_by_name


class Some(Settings):
    kind: Literal["x", "y"] = setting("x", "Kind", "a choice")
    count: int = setting(3, "Count", "a number", 1, 9)
    share: float | None = setting(None, "Share", "a share", 0.0, 1.0)
    layer: int | None = setting(None, "Layer", "a layer")
    weight: float = setting(1.0, "Weight", "a weight", 0.5)
    factor: float = setting(1.0, "Factor", "a factor")
    on: bool = setting(False, "Switch", "a switch")
    name: str = setting("", "Name", "a string")
    picked: dict[str, str] = setting({}, "Picked", "texts by name")


def test_strings_become_what_the_field_says() -> None:
    given = {"kind": "y", "count": "4", "share": "0.5", "layer": "-8", "on": "Yes", "name": "1", "picked": '{"a": "b"}'}
    read = Some.read(given)
    assert read == Some(kind="y", count=4, share=0.5, layer=-8, on=True, name="1", picked={"a": "b"})
    assert Some.read({"share": "none", "layer": "", "name": ""}) == Some()


@pytest.mark.parametrize(
    "given", [{"count": "4"}, {"share": "0.5"}, {"share": "none"}, {"on": "yes"}, {"picked": "{}"}]
)
def test_texts_of_json_are_no_numbers_and_no_switches(given: dict[str, str]) -> None:
    assert Some.read(given)
    with pytest.raises(SettingError, match="must be"):
        Some.read({**json_settings(given), "name": "x"})
    assert Some.read(json_settings({"kind": "y", "name": "4", "share": None, "count": 4})) == Some(
        kind="y", name="4", count=4
    )


class Computed(Settings):
    device: str = device_setting()


@pytest.mark.parametrize("device", ["tpu", "cuda:x", "cuda:1 ", "", "CPU", "cpu\n"])
def test_what_is_no_device_is_refused(device: str) -> None:
    assert Computed.read({"device": "cuda:1"}).device == "cuda:1"
    with pytest.raises(SettingError, match="must be one of auto, cpu, cuda, cuda:1, not"):
        Computed.read({"device": device})


def test_json_is_read_back() -> None:
    chosen = Some(share=0.25, picked={"a": "b"})
    assert Some.read(json.loads(json.dumps(chosen.model_dump()))) == chosen
    share = Some.read({"share": 1}).share
    assert (share, type(share)) == (1.0, float)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("kind", "z", "Setting “kind” must be one of x, y, not “z”."),
        ("kind", ["x"], "Setting “kind” must be one of x, y, not “["),
        ("count", "0", "Setting “count” must be a whole number from 1 to 9, not “0”."),
        ("count", "2.5", "a whole number from 1 to 9"),
        ("count", 2.0, "a whole number from 1 to 9, not “2.0”"),
        ("count", True, "a whole number from 1 to 9, not “true”"),
        ("count", "9" * 5000, "a whole number from 1 to 9"),
        ("layer", "1_0", "a whole number, or none"),
        ("layer", 10**40, "a whole number, or none"),
        ("share", "1.1", "a number from 0 to 1, or none"),
        ("share", "nan", "a number from 0 to 1, or none, not “nan”"),
        ("share", True, "a number from 0 to 1, or none, not “true”"),
        ("weight", 0, "a number of at least 0.5, not “0”"),
        ("weight", None, "a number of at least 0.5, not “null”"),
        ("factor", "1e999", "a number, not “1e999”"),
        ("factor", float("inf"), "a number, not “Infinity”"),
        ("factor", float("nan"), "a number, not “NaN”"),
        ("on", "maybe", "yes or no, not “maybe”"),
        ("on", 1, "yes or no, not “1”"),
        ("name", 1, "a string, not “1”"),
        ("name", "a\0b", r"a string, not “a\x00b”"),
        ("name", "\ud800", r"a string, not “\ud800”"),
        ("name", "x" * 1001, "Setting “name” has 1001 characters; at most 1000 are allowed."),
        ("picked", "[]", "a JSON object of strings, not “[]”"),
        ("picked", "[" * 5000, "a JSON object of strings"),
        ("picked", {"a": 1}, 'a JSON object of strings, not “{"a": 1}”'),
        ("picked", {"a": "\0"}, "a JSON object of strings"),
        ("other", "1", "There is no setting “other”. Available: kind, count, "),
        ("o\0ther", "1", r"There is no setting “o\x00ther”."),
    ],
)
def test_invalid_values_are_refused_with_a_message(key: str, value: object, says: str) -> None:
    with pytest.raises(SettingError, match=re.escape(says)) as refused:
        Some.read({"count": 4, key: value})
    assert len(str(refused.value)) < 250


class Wide(Settings):
    words: str | None = setting(None, "Words", "several lines", long=True)
    seed: int = setting(0, "Seed", "a large number", 0, 10**6)
    rate: float = setting(0.1, "Rate", "a small number", 1e-7, 0.5)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("words", "x" * 20_001, "Setting “words” has 20001 characters; at most 20000 are allowed."),
        ("seed", 10**7, "a whole number from 0 to 1000000, not “10000000”"),
        ("rate", 1, "a number from 0.0000001 to 0.5, not “1”"),
    ],
)
def test_bounds_are_written_out(key: str, value: object, says: str) -> None:
    with pytest.raises(SettingError, match=re.escape(says)):
        Wide.read({key: value})


def test_a_text_may_be_as_long_as_is_said() -> None:
    assert len(Some.read({"name": "x" * 1000}).name) == 1000
    assert len(Wide.read({"words": "x" * 20_000}).words or "") == 20_000


def test_a_model_without_settings_has_none() -> None:
    assert Settings.read({}) == Settings()
    with pytest.raises(SettingError, match="There are no settings, so “x” can't be set"):
        Settings.read({"x": 1})


def test_a_phrase_is_translated_with_its_gaps() -> None:
    german = {"must be %(allowed)s": "muss %(allowed)s sein", "a number, 100 %": "eine Zahl, 100 %"}
    phrase = Phrase("must be %(allowed)s", {"allowed": Phrase("a number, 100 %")})
    assert phrase.text() == "must be a number, 100 %"
    assert phrase.text(german.__getitem__) == "muss eine Zahl, 100 % sein"


def test_every_setting_is_described_in_order() -> None:
    assert list(settings_by_name(Some)) == list(Some().model_dump())
    share, kind = settings_by_name(Some)["share"], settings_by_name(Some)["kind"]
    assert (share.title, share.help, share.kind, share.optional) == ("Share", "a share", "number", True)
    assert (share.low, share.high) == (0, 1)
    assert (kind.kind, kind.choices, kind.optional) == ("choice", ("x", "y"), False)
