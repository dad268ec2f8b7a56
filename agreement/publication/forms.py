"""The form for a publication."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.formats import export_formats

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


def formats() -> list[tuple[str, str]]:
    """Every format that can be exported, with what an export holds; datasets first."""
    found = sorted(export_formats().values(), key=lambda each: each.dataset is None)
    return [(each.name, gettext(each.exports)) for each in found]


class PublishForm(forms.Form):
    """What is published, in which format, under which licence."""

    format = forms.ChoiceField(label=_("Format"), choices=formats)
    licence = forms.ChoiceField(label=_("Licence"), choices=LICENCES)
    splits = forms.CharField(
        label=_("Splits"),
        required=False,
        max_length=150,
        help_text=_(
            "Empty: pairs keep the splits they have. Otherwise the splits to draw and their shares, for example: "
            "train=80, dev=10, test=10. Versions and languages of a page stay together."
        ),
    )
    seed = forms.IntegerField(label=_("Seed of the draw"), required=False, initial=1, min_value=0, max_value=2**31 - 1)
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=20_000,
        help_text=_("Markdown. Shown at the top of the dataset card."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
