"""Forms of guidelines, feedback and the language of the interface."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy

from annotation.forms.base import WholeNumberField


class GuidelineForm(forms.Form):
    """Guidelines in Markdown; `base` is the version that the edit started from."""

    text = forms.CharField(
        label=gettext_lazy("Guidelines, in Markdown"), widget=forms.Textarea(attrs={"rows": 26, "class": "code"})
    )
    base = WholeNumberField(widget=forms.HiddenInput, min_value=0)


class ReopenForm(forms.Form):
    """Reopening what was submitted under guidelines older than `version`, the current one that the lead saw."""

    version = WholeNumberField(widget=forms.HiddenInput, min_value=1)


class FeedbackForm(forms.Form):
    """A lead's feedback on a pair with gold, for annotators who had it in the qualification."""

    comment = forms.CharField(
        label=gettext_lazy("Message to annotators after qualification"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class LanguageForm(forms.Form):
    """The language of the interface."""

    language = forms.ChoiceField(label=gettext_lazy("Language"), choices=settings.LANGUAGES)
