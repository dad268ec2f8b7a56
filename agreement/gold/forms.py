"""What a lead fills in to make gold."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from agreement.adjudication.base import TIES, Parameter, Rule
from agreement.adjudication.clusters import SIMILAR
from agreement.adjudication.registry import rules_for
from annotation.forms.base import WholeNumberField
from annotation.models import Phase
from annotation.text.schemes import Scheme
from annotation.words import PHASE_NAMES

OF_WORDS = (SIMILAR.name, TIES.name)
"""Parameters that mean nothing where a scheme only asks."""

NAMING = ("annotator", "choices")
"""Parameters that name annotators."""


class RuleForm(forms.Form):
    """A rule, the phase it is applied to, and the rule's parameters, each a field of its own."""

    rule = forms.ChoiceField(label=_("Rule"))
    phase = forms.ChoiceField(label=_("Phase"), choices=list(PHASE_NAMES.items()), initial=Phase.MAIN)

    def __init__(self, chosen: Rule, *args: Any, scheme: Scheme, blind: bool = False, **kwargs: Any) -> None:
        """`blind` leaves out parameters that name annotators: what they decide would show who marked what."""
        super().__init__(*args, **kwargs)
        self.chosen = chosen
        self.withheld = NAMING if blind else ()
        self.rules = rules_for(scheme)
        self.fields["rule"] = forms.ChoiceField(
            label=_("Rule"), choices=[(rule.name, _(rule.title)) for rule in self.rules], initial=chosen.name
        )
        unused = (*self.withheld, *(() if scheme.labels else OF_WORDS))
        self.parameters = [each for each in chosen.parameters if each.name not in unused]
        for parameter in self.parameters:
            self.fields[parameter.name] = _field(parameter)

    @property
    def settings(self) -> dict[str, object]:
        """The given parameters; an empty field leaves the default."""
        given = {parameter.name: self.cleaned_data.get(parameter.name) for parameter in self.parameters}
        return {name: value for name, value in given.items() if value not in (None, "")}


def _field(parameter: Parameter) -> forms.Field:
    common: dict[str, Any] = {
        "label": _(parameter.name.replace("_", " ")),
        "help_text": _(parameter.description),
        "required": False,
        "initial": json.dumps(parameter.default) if isinstance(parameter.default, dict) else parameter.default,
    }
    if parameter.choices:
        return forms.ChoiceField(choices=[(choice, _(choice)) for choice in parameter.choices], **common)
    if isinstance(parameter.default, int):
        return WholeNumberField(min_value=0, **common)
    if isinstance(parameter.default, float):
        return forms.FloatField(min_value=0, **common)
    return forms.CharField(**common)
