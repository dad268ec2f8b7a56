"""Versions of the gold in an archive, which others may have made: whether their JSON has the form that pages expect."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from agreement.adjudication.base import RULES
from agreement.adjudication.reasons import CODES
from agreement.models import GoldVersion
from annotation.formats.source import refusal
from annotation.models import Project
from annotation.person_names import ANNOTATOR, CHOICES
from annotation.phrases import Phrase
from annotation.settings_model import SettingError, json_settings
from annotation.strict_json import name_problem

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_VALUES = re.compile(r"%\((\w+)\)")
_TEXTS = ("name", "text")
"""The values of reasons that are no numbers."""
_NUMBERS = ("pairs", "excluded", "unsure", "by_hand")
_COUNTS_BY_LABEL = ("tokens", "spans")


def gold_check(project: Project) -> None:
    """Raises FormatError that says which column of which version does not have the form that this site writes."""
    for version in GoldVersion.objects.filter(project=project).order_by("number"):
        where = f"agreement.goldversion, version {version.number}"
        if not _NAME.fullmatch(version.rule):
            raise _format_error(f"{where}, rule")
        if not _are_settings(version.parameters):
            raise _format_error(f"{where}, parameters")
        if version.open:
            _check_draft(version, where)
        _check_counts(version.counts, f"{where}, counts")
        for pair, reason in version.excluded.items():
            if name_problem(pair) is not None or not _is_reason(reason):
                raise _format_error(f"{where}, excluded")


def _format_error(where: str) -> Exception:
    return refusal(where, Phrase("a stored value does not have the expected form"))


def _are_settings(settings: Mapping[str, Any]) -> bool:
    """Whether these can be the settings of a rule, which may not exist on this site."""
    if not all(_NAME.fullmatch(name) for name in settings) or not all(map(_is_setting, settings.values())):
        return False
    chosen = settings.get(CHOICES, {})
    return isinstance(settings.get(ANNOTATOR, ""), str) and isinstance(chosen, dict) and _all_values(_is_text, chosen)


def _is_setting(value: object) -> bool:
    if isinstance(value, dict):
        return all(_is_text(key) and (_is_text(each) or _is_number(each)) for key, each in value.items())
    return value is None or isinstance(value, bool) or _is_text(value) or _is_number(value)


def _check_draft(version: GoldVersion, where: str) -> None:
    """Whoever continues a draft applies its rule."""
    rule = RULES.get(version.rule)
    if rule is None:
        raise refusal(f"{where}, rule", Phrase("unknown here; update Diptych"))
    try:
        rule.settings.read(json_settings(version.parameters))
    except SettingError as error:
        raise refusal(f"{where}, parameters", error.phrase) from error


def _check_counts(counts: Mapping[str, Any], where: str) -> None:
    answers, reliability = counts.get("answers", {}), counts.get("reliability", {})
    keys_known = counts.keys() <= {*_NUMBERS, *_COUNTS_BY_LABEL, "answers", "reliability"}
    numbers = all(_is_count(counts.get(name, 0)) for name in _NUMBERS)
    counted = all(_is_counts(counts.get(name, {})) for name in _COUNTS_BY_LABEL)
    answered = isinstance(answers, dict) and _all_values(_is_counts, answers)
    # Whoever has answers is counted among the pairs.
    complete = not answers or "pairs" in counts
    if not (keys_known and numbers and counted and answered and complete):
        raise _format_error(where)
    if not (isinstance(reliability, dict) and _all_values(_is_number, reliability)):
        raise _format_error(where)


def _is_reason(reason: object) -> bool:
    """Whether it is a code with the values that its sentence has, and no others."""
    if not isinstance(reason, dict) or not isinstance(reason.get("code"), str) or reason["code"] not in CODES:
        return False
    values = {name: value for name, value in reason.items() if name != "code"}
    if values.keys() != set(_VALUES.findall(CODES[reason["code"]].form)):
        return False
    if not _is_text(values.get("name", "")):
        return False
    return all(isinstance(value, str) if name in _TEXTS else _is_number(value) for name, value in values.items())


def _all_values(kind: Callable[[object], bool], values: Mapping[str, object]) -> bool:
    return all(_is_text(key) and kind(value) for key, value in values.items())


def _is_counts(value: object) -> bool:
    return isinstance(value, dict) and _all_values(_is_count, value)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]


def _is_text(value: object) -> bool:
    """A text of one line."""
    return isinstance(value, str) and name_problem(value) is None
