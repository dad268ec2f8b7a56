"""The form for creating gold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from agreement.adjudication.base import Rule
from agreement.adjudication.registry import rules_for
from agreement.models import GoldVersion
from annotation.display_names import PHASE_NAMES
from annotation.forms.settings import setting_field
from annotation.models import Phase
from annotation.permissions import Access
from annotation.person_names import NAMING
from annotation.settings_model import settings_by_name
from annotation.text.schemes import Scheme

LABEL_SETTINGS = ("similar",)
"""Settings without a meaning for a scheme that only has questions."""


class AdjudicationRuleForm(forms.Form):
    """A rule, the phase it is applied to, and the rule's settings, each in a field."""

    rule = forms.ChoiceField(label=_("Rule"))
    phase = forms.ChoiceField(label=_("Phase"), choices=list(PHASE_NAMES.items()), initial=Phase.MAIN)

    def __init__(self, chosen: Rule, *args: Any, scheme: Scheme, blind: bool = False, **kwargs: Any) -> None:
        """`blind` omits settings that name annotators, whose effect would show who marked what."""
        super().__init__(*args, **kwargs)
        self.chosen = chosen
        self.withheld = NAMING if blind else ()
        self.rules = rules_for(scheme)
        self.fields["rule"] = forms.ChoiceField(
            label=_("Rule"), choices=[(rule.name, _(rule.title)) for rule in self.rules], initial=chosen.name
        )
        unused = (*self.withheld, *(() if scheme.labels else LABEL_SETTINGS))
        defaults = settings_for_fields(chosen.settings().model_dump())
        self.setting_names = [name for name in defaults if name not in unused]
        for name in self.setting_names:
            each = settings_by_name(chosen.settings)[name]
            self.fields[name] = setting_field(each, required=False, initial=defaults[name])

    @property
    def settings(self) -> dict[str, object]:
        """The given settings; an empty field leaves the default."""
        values = {name: self.cleaned_data.get(name) for name in self.setting_names}
        return {name: value for name, value in values.items() if value not in (None, "")}

    @property
    def problem(self) -> str:
        """What is wrong with the form, each field by its title."""
        return " ".join(f"{self[name].label}: {' '.join(map(str, errors))}" for name, errors in self.errors.items())


def hidden_settings(draft: GoldVersion | None, rule: str, access: Access) -> dict[str, Any]:
    """The settings of an open draft by this rule that blind adjudicators aren't shown: they stay as a lead set them."""
    if draft is None or draft.rule != rule or not access.blind:
        return {}
    return {name: value for name, value in draft.parameters.items() if name in NAMING}


def settings_for_fields(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as the fields show them: an object as its JSON."""
    return {name: json.dumps(value) if isinstance(value, dict) else value for name, value in settings.items()}
