"""Forms of the pre-labelling page: the method, a field for each of its settings, and automatic pre-labelling."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from annotation.forms.base import WholeNumberField
from annotation.forms.settings import setting_field
from annotation.settings_model import settings_by_name
from annotation.text.schemes import Scheme
from assist.methods.base import Method, methods
from assist.runs.method_choice import initial_settings
from assist.runs.prelabel_options import METHOD, PrelabelOptions

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


def automatic_choices() -> list[tuple[str, str]]:
    """Those that give highlights and send no texts elsewhere: that is for a person to start."""
    return [(cls.name, cls.name) for cls in newest_methods() if cls.gives == "highlights" and not cls.sends_texts]


def advice(cls: type[Method[Any, Any]]) -> str:
    """When a method is worth choosing, in the reader's language; '' if that is unknown."""
    return gettext(cls.advice) if cls.advice else ""


class MethodForm(forms.Form):
    """The method of a new run."""

    method = forms.ChoiceField(label=gettext_lazy("Method"), choices=method_choices)


class MethodSettingsForm(forms.Form):
    """The settings of one method, each with its meaning; untouched fields keep their defaults."""

    def __init__(self, cls: type[Method[Any, Any]], scheme: Scheme, data: Any = None) -> None:
        super().__init__(data, prefix=PREFIX, initial=initial_settings(cls, scheme))
        self.chosen = cls
        for name, each in settings_by_name(cls.Settings).items():
            self.fields[name] = setting_field(each, required=True)

    def settings(self) -> dict[str, Any]:
        """The values as a method reads them; an empty field means none."""
        return {key: "" if value is None else value for key, value in self.cleaned_data.items()}


class AutomaticForm(forms.Form):
    """Automatic pre-labelling."""

    automatic = forms.BooleanField(label=gettext_lazy("Pre-label new pairs automatically"), required=False)
    method = forms.ChoiceField(label=gettext_lazy("Method for new pairs"), choices=automatic_choices)
    retrain_after = WholeNumberField(
        label=gettext_lazy("Retrain a learning method after this many newly annotated pairs"),
        min_value=0,
        help_text=gettext_lazy("0: never automatically."),
    )

    def options(self, before: PrelabelOptions) -> PrelabelOptions:
        """The options; settings are kept unless the method changes."""
        data = self.cleaned_data
        settings = before.settings if data["method"] == before.method else {}
        return PrelabelOptions(data["automatic"], data["method"], settings, data["retrain_after"])
