"""Words that several forms use, and how a service's refusal is shown in one."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from annotation.errors import DomainError

PAIR_FILTERS = [
    ("flagged", gettext_lazy("flagged")),
    ("rejected", gettext_lazy("not comparable")),
    ("unassigned", gettext_lazy("given to nobody")),
    ("unfinished", gettext_lazy("not finished")),
    ("gold", gettext_lazy("with gold")),
]


def refuse(form: forms.Form, error: DomainError) -> None:
    """Show a service's refusal at the field it names, or above the form."""
    message = " ".join(part for part in (error.message, error.hint) if part)
    form.add_error(error.where if error.where in form.fields else None, message)
