"""Texts that several forms use, and showing a service's refusal in a form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from annotation.errors import DomainError, sentences
from annotation.number_parsing import MAX_INTEGER
from annotation.selectors.pairs import PairFilter

PAIR_FILTERS = [
    (PairFilter.FLAGGED.value, gettext_lazy("flagged")),
    (PairFilter.REJECTED.value, gettext_lazy("not comparable")),
    (PairFilter.UNASSIGNED.value, gettext_lazy("unassigned")),
    (PairFilter.UNFINISHED.value, gettext_lazy("unfinished")),
    (PairFilter.GOLD.value, gettext_lazy("with gold")),
]


class WholeNumberField(forms.IntegerField):
    """A whole number that a database column can hold."""

    def __init__(self, *, max_value: int | None = None, min_value: int | None = 0, **kwargs: Any) -> None:
        high = MAX_INTEGER if max_value is None else max_value
        low = -MAX_INTEGER if min_value is None else min_value
        super().__init__(max_value=high, min_value=low, **kwargs)


def refuse(form: forms.Form, error: DomainError) -> None:
    """Show a service's refusal at the field it names, or above the form."""
    form.add_error(error.where if error.where in form.fields else None, sentences(error.message, error.hint))
