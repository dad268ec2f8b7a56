"""Settings, the registry, and what is refused."""

from dataclasses import dataclass
from typing import Literal

import pytest

from assist.methods.base import MethodError, Settings, create, method, methods, option, read_settings, register
from assist.methods.default import Default


@dataclass(frozen=True)
class Some(Settings):
    kind: Literal["x", "y"] = option("x", "a choice")
    count: int = option(3, "a number", 1, 9)
    share: float | None = option(None, "a share", 0.0, 1.0)
    layer: int | Literal["auto"] = option("auto", "a layer")
    on: bool = option(False, "a switch")
    name: str = option("", "a text")


def test_strings_become_what_the_field_says() -> None:
    given = {"kind": "y", "count": "4", "share": "0.5", "layer": "8", "on": "yes", "name": "1"}
    assert read_settings(Some, given) == Some("y", 4, 0.5, 8, True, "1")
    assert read_settings(Some, {"share": "none", "layer": "auto"}) == Some()


def test_json_is_read_back() -> None:
    assert read_settings(Some, Some(share=0.25).as_dict()) == Some(share=0.25)
    assert read_settings(Some, {"share": 1}) == Some(share=1.0)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("kind", "z", "'x' or 'y'"),
        ("count", "0", "1 to 9"),
        ("count", "2.5", "whole number"),
        ("share", "1.1", "0.0 to 1.0"),
        ("share", "nan", "a number or none"),
        ("share", True, "a number or none"),
        ("on", "maybe", "yes or no"),
        ("other", "1", "unknown setting 'other'"),
    ],
)
def test_what_cannot_be_is_refused_in_words(key: str, value: object, says: str) -> None:
    with pytest.raises(MethodError, match=f"m: .*{says}"):
        read_settings(Some, {key: value}, where="m")


def test_a_name_gives_the_newest_version_and_a_slug_that_one() -> None:
    assert method("default") is Default
    assert method("default.v2") is Default
    assert isinstance(create("default", {"target": "new"}).settings, Settings)
    with pytest.raises(MethodError, match=r"no method 'default\.v99'.*default\.v2"):
        method("default.v99")


def test_what_issue_five_names_is_registered() -> None:
    names = {cls.name for cls in methods()}
    assert {"default", "learned", "simalign-argmax", "simalign-itermax", "simalign-match", "diffalign"} <= names


def test_a_version_is_registered_once() -> None:
    class Again(Default):
        pass

    with pytest.raises(MethodError, match="registered twice"):
        register(Again)


def test_settings_of_another_method_are_refused() -> None:
    with pytest.raises(MethodError, match="DefaultSettings"):
        Default(Some())  # type: ignore[arg-type]
