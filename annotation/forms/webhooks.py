"""The form of a webhook."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from annotation.display_names import EVENT_NAMES
from annotation.outgoing_requests import MAX_URL_LENGTH


class WebhookForm(forms.Form):
    """Which address is notified, and of what."""

    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=MAX_URL_LENGTH,
        widget=forms.URLInput(attrs={"spellcheck": "false", "placeholder": "https://"}),
        help_text=gettext_lazy("Where your program receives the notifications, by POST."),
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("Events"),
        choices=list(EVENT_NAMES.items()),
        widget=forms.CheckboxSelectMultiple,
        initial=list(EVENT_NAMES),
        error_messages={"required": gettext_lazy("Choose at least one of the events.")},
    )
