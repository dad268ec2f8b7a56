"""Forms of mining: the articles and how they are compared; then the bounds of what is kept."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from annotation.forms.imports import FilesField
from annotation.forms.settings import setting_field
from annotation.settings_model import described
from assist.mining.settings import MiningSettings

COMPARING = ("method", "model", "language_a", "language_b", "skip_summary")
BOUNDS = (
    *("least_similar", "most_similar", "shortest", "longest", "most_copied"),
    *("per_article", "sample", "seed"),
)


class _SettingsForm(forms.Form):
    names: tuple[str, ...]

    def __init__(self, data: Any = None, files: Any = None, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, files, initial=initial or MiningSettings().model_dump())
        for name in self.names:
            self.fields[name] = setting_field(described(MiningSettings)[name], required=True)

    def settings(self) -> dict[str, Any]:
        """The values as the settings read them; an empty field means none."""
        return {name: "" if (value := self.cleaned_data[name]) is None else value for name in self.names}


class ArticlesForm(_SettingsForm):
    """Files of articles, and how to compare them."""

    names = COMPARING
    upload = FilesField(label=gettext_lazy("Articles"))


class BoundsForm(_SettingsForm):
    """Which matches become pairs."""

    names = BOUNDS
