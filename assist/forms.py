"""Forms of the pre-labelling page: a method, its settings (a field for each), and what is done by itself."""

from __future__ import annotations

import dataclasses
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from django import forms
from django.utils.translation import gettext, gettext_lazy

from annotation.forms.base import WholeNumberField
from annotation.text.schemes import Scheme
from assist.choice import usual_settings
from assist.methods.base import Method, methods
from assist.options import METHOD, PrelabelOptions

PREFIX = "set"


def newest_methods() -> list[type[Method[Any, Any]]]:
    """Every method in its newest version, the default first."""
    newest = {cls.name: cls for cls in methods()}
    return sorted(newest.values(), key=lambda cls: (cls.name != METHOD, cls.name))


def method_choices() -> list[tuple[str, str]]:
    return [(cls.name, cls.name) for cls in newest_methods()]


def summary(cls: type[Method[Any, Any]]) -> str:
    """The first sentence of a method's docstring, in the reader's language."""
    return gettext((cls.__doc__ or "").strip().partition("\n")[0].removesuffix("."))


class MethodForm(forms.Form):
    """Which method a new run uses."""

    method = forms.ChoiceField(label=gettext_lazy("Method"), choices=method_choices)


class SettingsForm(forms.Form):
    """The settings of one method, each with what it means; what is left as it is keeps its default."""

    def __init__(self, cls: type[Method[Any, Any]], scheme: Scheme, data: Any = None) -> None:
        super().__init__(data, prefix=PREFIX, initial=usual_settings(cls, scheme))
        self.chosen = cls
        kinds = get_type_hints(cls.Settings)
        for each in dataclasses.fields(cls.Settings):
            self.fields[each.name] = _field(each, kinds[each.name])

    def settings(self) -> dict[str, Any]:
        """What was filled in, as a method reads it; an empty field is none."""
        return {key: "" if value is None else value for key, value in self.cleaned_data.items()}


def _field(each: dataclasses.Field[Any], kind: Any) -> forms.Field:
    kinds = get_args(kind) if get_origin(kind) not in (None, Literal) else (kind,)
    plain = next(option for option in kinds if option is not NoneType)
    words: dict[str, Any] = {
        "label": gettext_lazy(each.name.replace("_", " ")),
        "help_text": gettext(each.metadata.get("help", "")),
        "required": NoneType not in kinds and plain not in (bool, str),
    }
    bounds: dict[str, Any] = {"min_value": each.metadata.get("low"), "max_value": each.metadata.get("high")}
    if get_origin(plain) is Literal:
        return forms.ChoiceField(choices=[(value, value) for value in get_args(plain)], **words)
    if plain is bool:
        return forms.BooleanField(**words)
    if plain is int:
        return WholeNumberField(**words, **bounds)
    if plain is float:
        return forms.FloatField(**words, **bounds, widget=forms.NumberInput(attrs={"step": "any"}))
    return forms.CharField(**words)


class AutomaticForm(forms.Form):
    """What is done without being asked for."""

    automatic = forms.BooleanField(label=gettext_lazy("Pre-label new pairs automatically"), required=False)
    method = forms.ChoiceField(label=gettext_lazy("with"), choices=method_choices)
    retrain_after = WholeNumberField(
        label=gettext_lazy("Retrain a learning method after this many newly annotated pairs"),
        min_value=0,
        help_text=gettext_lazy("0: never automatically."),
    )

    def options(self, before: PrelabelOptions) -> PrelabelOptions:
        """What was filled in; settings stay as long as the method does."""
        data = self.cleaned_data
        settings = before.settings if data["method"] == before.method else {}
        return PrelabelOptions(data["automatic"], data["method"], settings, data["retrain_after"])
