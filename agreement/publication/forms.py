"""The form for a publication."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

LICENCES = (
    ("unknown", _("not specified yet")),
    ("cc-by-4.0", "CC BY 4.0"),
    ("cc-by-sa-4.0", "CC BY-SA 4.0"),
    ("cc-by-nc-4.0", "CC BY-NC 4.0"),
    ("cc-by-nc-sa-4.0", "CC BY-NC-SA 4.0"),
    ("cc0-1.0", "CC0 1.0"),
    ("odc-by", "ODC-By"),
    ("other", _("other (named in the description)")),
)
FORMATS = (
    ("hub", _("Hugging Face dataset: gold and annotations, with a card")),
    ("jsonl", _("JSONL: everything, including work in progress, with the project's own names")),
    ("csv", _("CSV: everything, as a table")),
    ("xparade", _("X-PARADE files")),
    ("swissgov", _("SwissGov-RSD folders")),
    ("rsd", _("token labels from the gold")),
)


class PublishForm(forms.Form):
    """What is published, in which format, under which licence."""

    format = forms.ChoiceField(label=_("Format"), choices=FORMATS)
    licence = forms.ChoiceField(label=_("Licence"), choices=LICENCES)
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=20_000,
        help_text=_("Markdown. Shown at the top of the dataset card."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
