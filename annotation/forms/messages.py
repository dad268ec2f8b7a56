"""The form of a message."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from annotation.text.limits import LONGEST_MESSAGE


class MessageForm(forms.Form):
    """An answer to an annotator."""

    text = forms.CharField(
        label=gettext_lazy("Answer"), max_length=LONGEST_MESSAGE, strip=False, widget=forms.Textarea(attrs={"rows": 3})
    )
