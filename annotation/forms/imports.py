"""Forms of imports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.formats import import_formats
from annotation.formats.columns import NONE
from annotation.text.schemes import PRESETS, SIDES

_CODE = {"placeholder": gettext_lazy("a code such as de")}
_SHEET_OPTIONS = ("sheet", "header")


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
        self.fields["format"].choices = _formats()  # type: ignore[attr-defined]

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


class ImportOptionsForm(forms.Form):
    """How the files of a dry run are to be read; columns are offered by the names that were found."""

    format = forms.ChoiceField(label=gettext_lazy("Format"), required=False)
    sheet = forms.CharField(label=gettext_lazy("Sheet"), required=False)
    header = forms.CharField(
        label=gettext_lazy("Header row"),
        required=False,
        max_length=4,
        widget=forms.NumberInput(attrs={"min": 1}),
    )
    id_column = forms.CharField(label=gettext_lazy("Id"), required=False)
    text_a_column = forms.CharField(label=gettext_lazy("Text A"), required=False)
    text_b_column = forms.CharField(label=gettext_lazy("Text B"), required=False)
    language_a = forms.CharField(
        label=gettext_lazy("Language of text A"),
        required=False,
        max_length=35,
        widget=forms.TextInput(attrs=_CODE),
    )
    language_b = forms.CharField(
        label=gettext_lazy("Language of text B"),
        required=False,
        max_length=35,
        widget=forms.TextInput(attrs=_CODE),
    )
    pairs = forms.CharField(
        label=gettext_lazy("Language pairs"),
        required=False,
        max_length=300,
        widget=forms.TextInput(attrs={"placeholder": "en-de, en-fr"}),
    )
    sentences = forms.CharField(label=gettext_lazy("Minimum number of sentences"), required=False, max_length=3)

    def __init__(
        self, *args: Any, table: Mapping[str, Any] | None = None, documents: bool = False, **kwargs: Any
    ) -> None:
        """`table` is how a table was read ({} for another format); `documents`: of documents in several languages."""
        super().__init__(*args, **kwargs)
        self.fields["format"].choices = _formats()  # type: ignore[attr-defined]
        if table is not None:
            self._offer(table, documents)

    def changed(self, before: Mapping[str, Any]) -> dict[str, str]:
        """The options that were chosen in a form that showed `before`.

        In another sheet, or below another header, the columns and languages that were found here mean nothing. Texts of
        another column don't have the language of the former one, unless it was chosen with them.
        """
        chosen = {name: str(value) for name, value in self.cleaned_data.items() if name != "format" and value}
        other = any(name in before and chosen.get(name, before[name]) != str(before[name]) for name in _SHEET_OPTIONS)
        if chosen.get("header") == "1":
            del chosen["header"]
        shown = {"id_column": NONE, **before}
        guessed = [name for name in chosen if name.endswith("_column") or name.startswith("language_")]
        for name in guessed if other else []:
            if chosen[name] == shown.get(name):
                del chosen[name]
        if not other:
            _move_languages(chosen, before)
        return chosen

    def _offer(self, table: Mapping[str, Any], documents: bool) -> None:
        """Selects with the sheets and columns of a table; no such fields for a format without columns."""
        of_documents = ("pairs", "sentences")
        columns, sheets = table.get("columns", []), table.get("sheets", [])
        texts = [(column, column) for column in columns]
        self.fields["id_column"].widget = forms.Select(choices=[(NONE, _("none: from the texts")), *texts])
        for side in ("a", "b"):
            self.fields[f"text_{side}_column"].widget = forms.Select(choices=[("", "–"), *texts])
            if f"language_{side}" in table.get("mapping", {}):
                del self.fields[f"language_{side}"]
        self.fields["sheet"].widget = forms.Select(choices=[(name, name) for name in sheets])
        if len(sheets) < 2:
            del self.fields["sheet"]
        if "header" not in table:
            del self.fields["header"]
        if not columns or table.get("parallel"):
            offered = ("format", "sheet", "header", *of_documents)
            for name in [each for each in self.fields if each not in offered]:
                del self.fields[name]
        if table.get("texts"):
            for name in ("text_a_column", "text_b_column", "language_a", "language_b"):
                self.fields.pop(name, None)
        if not documents:
            for name in of_documents:
                del self.fields[name]


def _move_languages(chosen: dict[str, str], before: Mapping[str, Any]) -> None:
    """Texts of another column take that column's language with them; one that was nobody's is guessed anew."""
    for side in SIDES:
        column, language = f"text_{side}_column", f"language_{side}"
        if chosen.get(column) == before.get(column) or chosen.get(language, "") != before.get(language):
            continue
        former = next((each for each in SIDES if before.get(f"text_{each}_column") == chosen.get(column)), "")
        chosen[language] = before.get(f"language_{former}", "")
        if not chosen[language]:
            del chosen[language]


def _formats() -> list[tuple[str, Any]]:
    return [("", _("recognised by content")), *((name, name) for name in import_formats(web=True))]


class StartForm(forms.Form):
    """The import of files that a dry run has checked; `scheme` is the preset that the project changes to first."""

    scheme = forms.ChoiceField(required=False, choices=[("", ""), *((name, name) for name in PRESETS)])
