"""Forms of imports."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.formats import import_formats
from annotation.text.schemes import PRESETS


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files, as a list."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        single = super().clean
        return [single(each, initial) for each in data] if isinstance(data, list) and data else [single(data, initial)]


class ImportForm(forms.Form):
    """Files, their format, and the format's options as lines `key=value`."""

    upload = FilesField(label=gettext_lazy("Files"))
    format = forms.ChoiceField(label=gettext_lazy("Format"), required=False)
    options = forms.CharField(
        label=gettext_lazy("Options"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "class": "code", "placeholder": "key=value"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("by file extension")), *((name, name) for name in import_formats(web=True))]
        self.fields["format"].choices = choices  # type: ignore[attr-defined]

    def clean_options(self) -> dict[str, str]:
        """Parse `key=value`, one per line."""
        options: dict[str, str] = {}
        for line in self.cleaned_data["options"].splitlines():
            key, separator, value = line.partition("=")
            if not line.strip():
                continue
            if not separator:
                raise forms.ValidationError(_("“%(line)s” is not key=value.") % {"line": line})
            options[key.strip()] = value.strip()
        return options


class StartForm(forms.Form):
    """The import of files that a dry run has checked; `scheme` is the preset that the project changes to first."""

    scheme = forms.ChoiceField(required=False, choices=[("", ""), *((name, name) for name in PRESETS)])
