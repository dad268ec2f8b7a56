"""The forms for a publication, and for what its card states."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from agreement.publication.facts import CREATORS, LABELS, LICENCES, LINE, MAX_FACT_LENGTHS, MAX_REVISIONS, NAMES
from annotation.formats import export_formats


def formats() -> list[tuple[str, str]]:
    """Every format that can be exported, with what an export holds; datasets first."""
    by_kind = sorted(export_formats().values(), key=lambda each: each.dataset is None)
    return [(each.name, gettext(each.exports)) for each in by_kind]


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
    seed = forms.IntegerField(
        label=_("Seed for the splits"), required=False, initial=1, min_value=0, max_value=2**31 - 1
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=20_000,
        help_text=_("Markdown. Shown at the top of the dataset card."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class PushForm(forms.Form):
    """Where a publication is pushed to, and the token for it, which no page shows again."""

    repository = forms.CharField(
        label=_("Repository"), max_length=200, help_text=_("owner/name. It is created if it does not exist.")
    )
    tag = forms.CharField(label=_("Version"), max_length=60, help_text=_("The tag that others cite."))
    private = forms.BooleanField(label=_("Make a newly created repository private"), required=False, initial=True)
    token = forms.CharField(
        label=_("Token"),
        max_length=500,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_("With write access. It is used for this push and stored nowhere."),
    )


HELP = {
    "contact": _("Contact for users of the dataset: name and address. This is published."),
    "citation": _("BibTeX, or a sentence. If there is nothing to cite, say so."),
    "sources": _("Who wrote the texts, where and when they were collected. Markdown."),
    "source_datasets": _("Their names on the hub, separated by commas. Leave empty if the texts were new."),
    "texts_licence": _("The licence under which the texts themselves may be redistributed."),
    "recruitment": _("How the annotators were recruited, and their qualifications. Markdown."),
    "pay": _("What annotators were paid per hour or per pair; if nothing, write “not paid”."),
    "limits": _("What the dataset should not be used for, and what is known to be wrong in it. Markdown."),
}


class FactsForm(forms.Form):
    """What only people know about a dataset. `revision` is the one that the form was filled in on top of."""

    revision = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=MAX_REVISIONS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in NAMES:
            options: dict[str, Any] = {"label": LABELS[name], "required": False, "help_text": HELP.get(name, "")}
            if name == "creators":
                self.fields[name] = forms.ChoiceField(
                    choices=[("", gettext("not stated")), *CREATORS.items()], **options
                )
            elif name in MAX_FACT_LENGTHS:
                rows = forms.Textarea(attrs={"rows": 2 if name == "pay" else 4})
                self.fields[name] = forms.CharField(max_length=MAX_FACT_LENGTHS[name], widget=rows, **options)
            else:
                self.fields[name] = forms.CharField(max_length=LINE, **options)

    def facts(self) -> dict[str, str]:
        return {name: self.cleaned_data[name] for name in NAMES}
