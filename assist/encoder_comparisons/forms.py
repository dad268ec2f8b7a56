"""The form of a comparison: encoders, what they are compared on, and files of one's own."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy

from assist.encoder_choice.settings import ComparisonSettings
from assist.methods.encoder.pretrained import PACKAGED
from assist.requested_jobs.pages import JobSettingsForm

FOLDED_FIELDS = ("translation_model", "source_language", "target_language", "pivot_language", "device")


class ComparisonForm(JobSettingsForm):
    """Names line by line, the settings of a comparison, and a file for each task that has rows."""

    described_by = ComparisonSettings
    encoders = forms.CharField(
        label=gettext_lazy("Encoders"),
        help_text=gettext_lazy(
            "One per line: a Hugging Face name, or the name of a folder that the server administrator provides."
        ),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4, "class": "code", "spellcheck": "false"}),
    )
    clsd_file = forms.FileField(
        label=gettext_lazy("Your own rows"),
        help_text=gettext_lazy("For “Meaning or form”. If empty, the English rows that come with Diptych are used."),
        required=False,
    )
    compositionality_file = forms.FileField(
        label=gettext_lazy("Your own samples"),
        help_text=gettext_lazy(
            "For “Overlap, difference, union”. If empty, the English samples that come with Diptych are used."
        ),
        required=False,
    )

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, initial={"encoders": PACKAGED})
        # A file belongs below what it is for.
        order = ("encoders", "clsd", "clsd_file", "compositionality", "compositionality_file", "gold", "gold_pairs")
        self.order_fields(order)

    def first(self) -> list[forms.BoundField]:
        """The fields that everyone looks at."""
        return [field for field in self.visible_fields() if field.name not in FOLDED_FIELDS]

    def more(self) -> list[forms.BoundField]:
        """The others, which are in a collapsed part of the form."""
        return [field for field in self.visible_fields() if field.name in FOLDED_FIELDS]

    def tables(self) -> dict[str, UploadedFile[Any]]:
        """The files that were sent, by task."""
        sent = {task: self.cleaned_data[f"{task}_file"] for task in ("clsd", "compositionality")}
        return {task: file for task, file in sent.items() if file}
