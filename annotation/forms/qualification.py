"""Forms of the qualification: the pass rule, and what a lead says and decides about a person."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.display_names import RELEASES
from annotation.forms.base import WholeNumberField
from annotation.qualification.base import measures_for, parts_of
from annotation.qualification.rule import MAX_PAIRS, PassRule, rule_revision
from annotation.scheme_words import scheme_in_words
from annotation.settings_model import settings_by_name
from annotation.text.limits import MAX_COMMENT_LENGTH
from annotation.text.schemes import Scheme


def _share(**more: Any) -> forms.FloatField:
    number = forms.NumberInput(attrs={"step": "0.01", "inputmode": "decimal"})
    return forms.FloatField(min_value=0, max_value=1, step_size=0.01, widget=number, **more)


class PassRuleForm(forms.Form):
    """A project's pass rule; `revision` names the one that the lead saw ('' for none)."""

    revision = forms.CharField(widget=forms.HiddenInput, required=False)
    measure = forms.ChoiceField(label=gettext_lazy("Measure"), widget=forms.RadioSelect)
    least = _share(
        label=gettext_lazy("Minimum agreement"),
        help_text=gettext_lazy("The minimum mean over a person's pairs, from 0 (none) to 1 (the same)."),
    )
    least_pairs = WholeNumberField(
        label=gettext_lazy("Minimum number of pairs"),
        min_value=1,
        max_value=MAX_PAIRS,
        help_text=gettext_lazy("Pairs with a reference that have to be submitted."),
    )
    both_directions = forms.BooleanField(
        label=gettext_lazy("Count a pair once for both directions"),
        required=False,
        help_text=gettext_lazy("A pair counts once its mirror is submitted too."),
    )
    release = forms.ChoiceField(
        label=gettext_lazy("When people see their result"),
        widget=forms.RadioSelect,
        choices=tuple(RELEASES.items()),
    )
    automatic = forms.BooleanField(
        label=gettext_lazy("Advance people automatically when they pass"),
        required=False,
        help_text=gettext_lazy(
            "Without a lead's decision, once all pairs are submitted and compared. The rule never turns anyone down."
        ),
    )

    def __init__(self, data: Any = None, *, scheme: Scheme, rule: PassRule | None) -> None:
        self.parts: dict[str, str] = {}
        shown = rule or PassRule(measure=measures_for(scheme)[0].name)
        parts: dict[str, str] = {}
        for measure in measures_for(scheme):
            parts |= parts_of(scheme_in_words(scheme), measure)
        initial = {**shown.to_json(), "revision": rule_revision(rule)}
        for n, key in enumerate(parts):
            self.parts[f"part{n}"] = key
            initial[f"part{n}"] = shown.parts.get(key)
        super().__init__(data, initial=initial)
        choices = [(each.name, f"{_(each.title)}. {_(each.meaning)}") for each in measures_for(scheme)]
        self.fields["measure"].choices = choices  # type: ignore[attr-defined]
        for name, key in self.parts.items():
            self.fields[name] = _share(label=parts[key], required=False)
        self.order_fields(["revision", "measure", "least", *self.parts])

    @property
    def part_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.parts]

    def rule(self) -> dict[str, Any]:
        """The rule that was entered."""
        data = self.cleaned_data
        values = {name: data[name] for name in settings_by_name(PassRule) if name != "parts"}
        parts = {key: data[name] for name, key in self.parts.items() if data[name] is not None}
        return {**values, "parts": parts}


class DecisionForm(forms.Form):
    """What a lead says to a person about their qualification, and how many other pairs a retry has.

    `revision` names the words and the decision that the lead saw.
    """

    revision = forms.CharField(widget=forms.HiddenInput, required=False)
    words = forms.CharField(
        label=gettext_lazy("Your message to the person"),
        required=False,
        max_length=MAX_COMMENT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy(
            "It appears immediately on the person's My work page. It is also saved with a decision, and withdrawn if "
            "you undo that decision. Leave it empty to withdraw the last message."
        ),
    )
    pairs = WholeNumberField(
        label=gettext_lazy("Other pairs"),
        required=False,
        min_value=1,
        max_value=MAX_PAIRS,
        help_text=gettext_lazy("A pair with its mirror counts as one."),
    )
