"""Where the JSON that a project stores has names of people: in these places and nowhere else.

Every function returns the value with `rename(name)` in the place of each name. What else is in it stays, however much
it looks like someone's name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

Rename = Callable[[str], str]

ANNOTATOR = "annotator"
CHOICES = "choices"
NAMING = (ANNOTATOR, CHOICES)
"""The settings of adjudication rules that name annotators: one of them, and one for each pair by its id."""
ABSENT = "picked-absent"
"""The code of the only reason (`agreement.adjudication.reasons`) that names an annotator, as its `name`."""


def rename_in_rule_settings(settings: Mapping[str, Any], rename: Rename) -> dict[str, Any]:
    """The settings of an adjudication rule."""
    renamed = dict(settings)
    if isinstance(name := renamed.get(ANNOTATOR), str):
        renamed[ANNOTATOR] = rename(name)
    if isinstance(choices := renamed.get(CHOICES), dict):
        renamed[CHOICES] = {pair: rename(name) if isinstance(name, str) else name for pair, name in choices.items()}
    return renamed


def rename_in_exclusions(excluded: Mapping[str, Any], rename: Rename) -> dict[str, Any]:
    """The reasons for which a version of the gold excludes pairs, by the pairs' ids."""
    return {pair: _reason(reason, rename) for pair, reason in excluded.items()}


def _reason(reason: Any, rename: Rename) -> Any:
    if isinstance(reason, dict) and reason.get("code") == ABSENT and isinstance(name := reason.get("name"), str):
        return {**reason, "name": rename(name)}
    return reason


def rename_in_gold_counts(counts: Mapping[str, Any], rename: Rename) -> dict[str, Any]:
    """What a version of the gold counts; how reliable each annotator is has their names as keys."""
    renamed = dict(counts)
    if isinstance(reliability := renamed.get("reliability"), dict):
        renamed["reliability"] = {rename(name): value for name, value in reliability.items()}
    return renamed


def rename_in_import_report(report: Mapping[str, Any], rename: Rename) -> dict[str, Any]:
    """What an import reported."""
    renamed = dict(report)
    for people in ("annotators_new", "leads_new"):
        if isinstance(new := renamed.get(people), list):
            renamed[people] = [rename(name) if isinstance(name, str) else name for name in new]
    return renamed


def rename_in_options(options: Mapping[str, Any], people: Collection[str], rename: Rename) -> dict[str, Any]:
    """The options of an import; `people` are those that name someone (`formats.base.Option.names_person`)."""
    return {key: rename(value) if key in people and isinstance(value, str) else value for key, value in options.items()}
