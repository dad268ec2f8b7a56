"""Forms of a project's life: a copy of it, and its deletion."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy


class DuplicateForm(forms.Form):
    """The name and address of a copy, and whether it gets the glossary."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    slug = forms.SlugField(
        label=gettext_lazy("Short name"),
        max_length=80,
        help_text=gettext_lazy("Used in web addresses and commands."),
    )
    glossary = forms.BooleanField(label=gettext_lazy("Copy the glossary"), required=False)


class ArchiveForm(forms.Form):
    """Whether a project is to be archived (1) or taken out again (0): two open pages do the same thing once."""

    archived = forms.TypedChoiceField(choices=[("1", "1"), ("0", "0")], coerce=lambda value: value == "1")


class DeleteForm(forms.Form):
    """The project's name, typed by whoever deletes it."""

    name = forms.CharField(
        label=gettext_lazy("The project's name, to confirm"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        strip=True,
    )
