"""Settings in forms: which field a setting gets, and the titles of stored settings."""

from __future__ import annotations

from django import forms
from django.utils.translation import override

from agreement.adjudication.base import TieSettings
from annotation.forms.base import WholeNumberField
from annotation.forms.settings import setting_field, settings_with_titles
from annotation.settings_model import Settings, setting, settings_by_name
from tests.annotation.test_settings_model import Some


def field(name: str, *, required: bool = True) -> forms.Field:
    return setting_field(settings_by_name(Some)[name], required=required)


def test_a_field_has_the_type_title_meaning_and_bounds_of_its_setting() -> None:
    count = field("count")
    assert isinstance(count, WholeNumberField)
    assert (count.label, count.help_text, count.min_value, count.max_value) == ("Count", "a number", 1, 9)
    assert isinstance(field("share"), forms.FloatField)
    assert isinstance(field("on"), forms.BooleanField)
    assert isinstance(field("name"), forms.CharField)
    kind = field("kind")
    assert isinstance(kind, forms.ChoiceField)
    assert kind.choices == [("x", "x"), ("y", "y")]


def test_a_field_may_be_empty_where_that_means_none_no_or_an_empty_text() -> None:
    assert [name for name in settings_by_name(Some) if field(name).required] == [
        "kind",
        "count",
        "weight",
        "factor",
        "picked",
    ]
    assert not any(field(name, required=False).required for name in settings_by_name(Some))


def test_stored_settings_are_shown_by_their_titles_and_unknown_ones_by_their_names() -> None:
    assert settings_with_titles(Some, {"share": 0.5, "earlier": 1}) == [("Share", 0.5), ("earlier", 1)]
    assert settings_with_titles(None, {"share": 0.5}) == [("share", 0.5)]
    with override("de"):
        assert settings_with_titles(TieSettings, {"ties": "lower"}) == [("Gleichstände", "niedrigeres")]


def test_stored_switches_are_shown_in_words() -> None:
    class Switched(Settings):
        on: bool = setting(True, "On", "whether it is")

    with override("de"):
        assert settings_with_titles(Switched, {"on": True}) == [("On", "ja")] and settings_with_titles(
            Switched, {"on": False}
        ) == [("On", "nein")]
