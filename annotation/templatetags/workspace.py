"""Filters and tags of the workspace page: `{% load workspace %}`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django import template
from django.utils.translation import get_language, get_language_info

from annotation.display_names import OUTCOMES
from annotation.templatetags.diptych import language_name
from annotation.text.packed_ranges import pack_assignment

register = template.Library()


@register.filter(name="packed")
def packed_assignment(assignment: Mapping[str, Any]) -> dict[str, Any]:
    """The assignment as it is embedded in the page, with packed ranges."""
    return pack_assignment(assignment)


@register.filter
def language_words(assignment: Mapping[str, Any]) -> dict[str, str]:
    """The names of the pair's languages, in the user's language and in their own, if Django knows them.

    Browsers know them too, but take longer to look them up than to draw the texts.
    """
    names = {}
    for code in {assignment["pair"][side]["language"] for side in ("a", "b")}:
        name = language_name(code)
        if name != code:
            # As written within a sentence.
            small = get_language() in ("fr", "it", "es")
            names[f"language.{code}"] = name[:1].lower() + name[1:] if small else name
        with suppress(KeyError):
            names[f"own.{code}"] = get_language_info(code)["name_local"]
    return names


@register.filter
def outcome_name(verdict: str) -> str:
    """A verdict's outcome; empty for none."""
    return str(OUTCOMES.get(verdict, ""))
