"""The form of a message."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from annotation.text.limits import MAX_MESSAGE_LENGTH


class MessageForm(forms.Form):
    """A reply to an annotator."""

    # The service says whether it is too long: browsers send two characters for a line break, and count one.
    text = forms.CharField(
        label=gettext_lazy("Your reply"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": MAX_MESSAGE_LENGTH}),
        error_messages={"required": gettext_lazy("Enter a message first.")},
    )
