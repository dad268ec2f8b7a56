"""The form of items to be made: what they are made of, into which project, and how the model is asked."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from assist.item_generation.settings import GenerationSettings
from assist.requested_jobs.pages import JobSettingsForm

MAIN_FIELDS = ("task", "file", "into", "language", "source_language", "sample", "model", "limit")
"""The fields that everyone looks at."""


class ItemsForm(JobSettingsForm):
    """The kind of items, a file, the rating project, and all settings of the command."""

    described_by = GenerationSettings
    task = forms.ChoiceField(
        label=gettext_lazy("Items"),
        choices=(
            ("clsd", gettext_lazy("Distractors, from parallel sentences")),
            ("compositionality", gettext_lazy("Overlap, difference and union, from texts")),
        ),
    )
    file = forms.FileField(label=gettext_lazy("Sentences"))
    into = forms.SlugField(
        label=gettext_lazy("Rating project"),
        help_text=gettext_lazy("Its short name, as in addresses. If there is no such project, it is created."),
        max_length=80,
    )

    def first(self) -> list[forms.BoundField]:
        """The fields that everyone looks at."""
        return [self[name] for name in MAIN_FIELDS]

    def more(self) -> list[forms.BoundField]:
        """The others, which are in a collapsed part of the form."""
        return [field for field in self.visible_fields() if field.name not in MAIN_FIELDS]
