"""Words that people write, and the language they work in."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy

from annotation.forms.base import WholeNumberField


class GuidelineForm(forms.Form):
    """Guidelines in Markdown; `base` is the version they were begun from."""

    text = forms.CharField(
        label=gettext_lazy("Guidelines, in Markdown"), widget=forms.Textarea(attrs={"rows": 26, "class": "code"})
    )
    base = WholeNumberField(widget=forms.HiddenInput, min_value=0)


class FeedbackForm(forms.Form):
    """A lead's words on a pair with gold, for those who took it in the qualification."""

    comment = forms.CharField(
        label=gettext_lazy("Message to annotators after qualification"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class LanguageForm(forms.Form):
    """The language of the interface."""

    language = forms.ChoiceField(label=gettext_lazy("Language"), choices=settings.LANGUAGES)
