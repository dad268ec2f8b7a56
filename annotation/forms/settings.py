"""Form fields from a settings model, with its titles, help texts and bounds; and stored settings with their titles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from annotation.forms.base import WholeNumberField
from annotation.settings_model import Setting, Settings, settings_by_name


def setting_field(setting: Setting, *, required: bool, **more: Any) -> forms.Field:
    """The form field of a setting; `required`: it can't be left empty, unless None or '' is a valid value."""
    common: dict[str, Any] = {"label": _(setting.title), "help_text": _(setting.help), **more}
    bounds: dict[str, Any] = {"min_value": setting.low, "max_value": setting.high}
    common["required"] = required and not setting.optional and setting.kind not in ("boolean", "string")
    match setting.kind:
        case "choice":
            return forms.ChoiceField(choices=[(choice, _(choice)) for choice in setting.choices], **common)
        case "boolean":
            return forms.BooleanField(**common)
        case "integer":
            return WholeNumberField(**common, **bounds)
        case "number":
            return forms.FloatField(**common, **bounds, widget=forms.NumberInput(attrs={"step": "any"}))
    if setting.long:
        common["widget"] = forms.Textarea(attrs={"rows": 8})
    return forms.CharField(**common)


def settings_with_titles(cls: type[Settings] | None, values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Stored settings with their titles; those that the model lacks (or no longer has) under their names.

    Values are as forms show them: yes or no, and the reader's words for choices.
    """
    settings_of_method = settings_by_name(cls) if cls else {}
    return [
        (_(settings_of_method[name].title), _display_value(settings_of_method[name], value))
        if name in settings_of_method
        else (name, value)
        for name, value in values.items()
    ]


def _display_value(setting: Setting, value: Any) -> Any:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return _(value) if setting.choices and isinstance(value, str) else value
