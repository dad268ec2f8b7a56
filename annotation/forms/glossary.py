"""Forms of a project's glossary: one entry, and a file of them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.forms.base import WholeNumberField
from annotation.glossaries.entries import (
    MAX_NOTE_LENGTH,
    MAX_TERM_LENGTH,
    MAX_TRANSLATIONS,
    SEPARATOR,
    normalise_spaces,
    split_translations,
)
from annotation.glossaries.files import MAX_FILE_BYTES
from annotation.glossaries.formats import READERS
from annotation.text.limits import MEGABYTE

MAX_LANGUAGE_LENGTH = 35


class LanguagesForm(forms.Form):
    """The languages of terms and translations."""

    term_language = forms.CharField(label=gettext_lazy("Language of the terms"), max_length=MAX_LANGUAGE_LENGTH)
    translation_language = forms.CharField(
        label=gettext_lazy("Language of the translations"), max_length=MAX_LANGUAGE_LENGTH
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("term_language", "translation_language"):
            self.fields[name].widget.attrs.update({"size": 8, "spellcheck": "false", "autocapitalize": "off"})


class EntryForm(LanguagesForm):
    """One entry; translations are separated by semicolons."""

    term = forms.CharField(label=gettext_lazy("Term"), max_length=MAX_TERM_LENGTH)
    translations = forms.CharField(
        label=gettext_lazy("Translations"),
        help_text=gettext_lazy("Separate several by semicolons, the preferred one first."),
        max_length=MAX_TRANSLATIONS * (MAX_TERM_LENGTH + len(SEPARATOR) + 1),
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        help_text=gettext_lazy("Shown to annotators with the translation."),
        max_length=MAX_NOTE_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    field_order = ("term", "translations", "note", "term_language", "translation_language")

    def clean_note(self) -> str:
        """A note is one line: it is a cell of a table, and shown beside a word."""
        return normalise_spaces(self.cleaned_data["note"])

    def clean_translations(self) -> tuple[str, ...]:
        return split_translations(self.cleaned_data["translations"])


class ChangeForm(EntryForm):
    """A change of an entry; `revision` is the one that it started from."""

    revision = WholeNumberField(widget=forms.HiddenInput)

    def take_revision(self, revision: int) -> None:
        """Let the next save replace that revision: both have been shown by then."""
        self.data = {**{name: self.data.get(name) for name in self.data}, "revision": str(revision)}


class DeletionForm(forms.Form):
    """A confirmed deletion of an entry as it was at a revision."""

    revision = WholeNumberField(widget=forms.HiddenInput)


class GlossaryFileForm(LanguagesForm):
    """A file of entries; `deletes` is how many entries the person has agreed to delete."""

    file = forms.FileField(
        label=gettext_lazy("File"), widget=forms.ClearableFileInput(attrs={"accept": ",".join(READERS)})
    )
    replace = forms.BooleanField(
        label=gettext_lazy("Delete entries in these languages that are not in the file"), required=False
    )
    deletes = WholeNumberField(required=False, widget=forms.HiddenInput)
    field_order = ("file", "term_language", "translation_language", "replace")

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_FILE_BYTES:
            raise forms.ValidationError(
                _("The file is larger than %(most)s MB."), params={"most": MAX_FILE_BYTES // MEGABYTE}
            )
        return file
