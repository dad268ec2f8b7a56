"""What a lead fills in to make gold."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from agreement.adjudication.base import TIES, Parameter, Rule
from agreement.adjudication.clusters import SIMILAR
from agreement.adjudication.registry import rules_for
from annotation.models import Phase
from annotation.text.schemes import Scheme
from annotation.words import PHASE_NAMES

OF_WORDS = (SIMILAR.name, TIES.name)
"""Parameters that mean nothing where a scheme only asks."""


class RuleForm(forms.Form):
    """A rule, the phase it is applied to, and the rule's parameters, each a field of its own."""

    rule = forms.ChoiceField(label=_("Rule"))
    phase = forms.ChoiceField(label=_("Phase"), choices=list(PHASE_NAMES.items()), initial=Phase.MAIN)

    def __init__(self, chosen: Rule, *args: Any, scheme: Scheme, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.chosen = chosen
        self.rules = rules_for(scheme)
        self.fields["rule"] = forms.ChoiceField(
            label=_("Rule"), choices=[(rule.name, _(rule.title)) for rule in self.rules], initial=chosen.name
        )
        self.parameters = [each for each in chosen.parameters if scheme.labels or each.name not in OF_WORDS]
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
        return forms.IntegerField(min_value=0, **common)
    if isinstance(parameter.default, float):
        return forms.FloatField(min_value=0, **common)
    return forms.CharField(**common)


LICENCES = (
    ("unknown", _("not named yet")),
    ("cc-by-4.0", "CC BY 4.0"),
    ("cc-by-sa-4.0", "CC BY-SA 4.0"),
    ("cc-by-nc-4.0", "CC BY-NC 4.0"),
    ("cc-by-nc-sa-4.0", "CC BY-NC-SA 4.0"),
    ("cc0-1.0", "CC0 1.0"),
    ("odc-by", "ODC-By"),
    ("other", _("another one, named in the description")),
)
FORMATS = (
    ("hub", _("Hugging Face data set: gold and annotations, with a card")),
    ("jsonl", _("JSONL: everything, work in progress too, under the project's own names")),
    ("csv", _("CSV: everything, as a table")),
    ("xparade", _("X-PARADE's files")),
    ("swissgov", _("SwissGov-RSD's folders")),
    ("rsd", _("token labels of the gold")),
)


class PublishForm(forms.Form):
    """What goes out, in which format, under which licence."""

    format = forms.ChoiceField(label=_("Format"), choices=FORMATS)
    licence = forms.ChoiceField(label=_("Licence"), choices=LICENCES)
    description = forms.CharField(
        label=_("What it is"),
        required=False,
        max_length=20_000,
        help_text=_("Markdown; it opens the data set's card."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
