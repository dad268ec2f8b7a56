"""The registry, and what is refused."""

import pytest

from annotation.settings_model import Settings
from assist.methods.base import MethodError, create, method, methods, register
from assist.methods.default import Default


def test_a_name_gives_the_newest_version_and_a_slug_that_one() -> None:
    assert method("default") is Default
    assert method("default.v5") is Default
    assert isinstance(create("default", {"target": "new"}).settings, Settings)
    with pytest.raises(MethodError, match=r"no method 'default\.v99'.*default\.v5"):
        method("default.v99")


def test_settings_that_cannot_be_name_the_method() -> None:
    with pytest.raises(MethodError, match=r"default\.v\d+: Setting “looks” must be a number from 0\.2 to 1, not “7”"):
        create("default", {"looks": 7})


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
        Default(Settings())  # type: ignore[arg-type]
