"""A project's pass rule: what a person's qualification has to show."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Literal, Self

from annotation.phrases import Phrase
from annotation.qualification.base import MEASURES, Measure, measures_for, parts_of
from annotation.settings_model import SettingError, Settings, setting
from annotation.strict_json import display_text
from annotation.text.schemes import Scheme

KEY = "qualification"
"""Where a project's settings hold its rule."""
MAX_PAIRS = 1000


class PassRule(Settings):
    """When someone has passed. The rule recommends; a lead decides, unless `automatic`."""

    measure: str = setting("same-label", "Measure", "How an annotation is compared with the reference.")
    least: float = setting(
        0.7, "Minimum agreement", "The minimum mean over a person's pairs, from 0 (none) to 1 (the same).", 0, 1
    )
    parts: dict[str, float] = setting(
        {}, "Minimum agreement by label", "Labels (or questions) with a minimum of their own."
    )
    least_pairs: int = setting(
        5, "Minimum number of pairs", "Pairs with a reference that have to be submitted.", 1, MAX_PAIRS
    )
    both_directions: bool = setting(
        False, "Count a pair once for both directions", "A pair counts once its mirror is submitted too."
    )
    release: Literal["lead", "at-once"] = setting(
        "lead", "Result shown to the person", "When a lead releases it, or as soon as all pairs are submitted."
    )
    automatic: bool = setting(False, "Advance people automatically when they pass", "Without a lead's decision.")

    @classmethod
    def of(cls, values: Mapping[str, object], scheme: Scheme) -> Self:
        """The rule in `values`, checked against the project's scheme. Raises SettingError."""
        rule = cls.read(values)
        fitting = [each.name for each in measures_for(scheme)]
        if rule.measure not in fitting:
            params = {"setting": "measure", "value": display_text(rule.measure), "choices": ", ".join(fitting)}
            raise SettingError(Phrase("Setting “%(setting)s” must be one of %(choices)s, not “%(value)s”.", params))
        parts = parts_of(scheme, rule.chosen_measure)
        for key, least in rule.parts.items():
            if key not in parts:
                params = {"key": display_text(key), "names": ", ".join(parts)}
                raise SettingError(Phrase("The scheme has no “%(key)s”. Available: %(names)s.", params))
            if not 0 <= least <= 1:
                params = {"key": key, "value": f"{least:g}"}
                raise SettingError(Phrase("The minimum for “%(key)s” must be from 0 to 1, not %(value)s.", params))
        return rule

    def check_decimals(self) -> None:
        """Raises SettingError for a minimum with more than the two decimals with which values are shown.

        Otherwise a value could reach it and look as if it did not. Rules from before this check are read as they are.
        """
        for name, least in {"least": self.least, **self.parts}.items():
            if abs(least * 100 - round(least * 100)) > 1e-7:
                params = {"key": name, "value": f"{least:g}"}
                raise SettingError(Phrase("The minimum for “%(key)s” must have two decimals: %(value)s.", params))

    @property
    def chosen_measure(self) -> Measure:
        return MEASURES[self.measure]

    def to_json(self) -> dict[str, Any]:
        return self.model_dump()


def rule_of(settings: Mapping[str, Any], scheme: Scheme) -> PassRule | None:
    """The rule in a project's settings; None without one.

    The minimum of a label that the scheme no longer has is dropped. A rule that can't be read (from an archive that
    someone made) is none.
    """
    stored = settings.get(KEY)
    if not isinstance(stored, Mapping):
        return None
    try:
        rule = PassRule.read(stored)
        parts = parts_of(scheme, MEASURES[rule.measure])
        return PassRule.of(
            {**stored, "parts": {key: least for key, least in rule.parts.items() if key in parts}}, scheme
        )
    except (SettingError, KeyError):
        return None


def rule_revision(rule: PassRule | None) -> str:
    """Names a rule's content; '' for none. A change states the revision that it is based on."""
    if rule is None:
        return ""
    text = json.dumps(rule.to_json(), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
