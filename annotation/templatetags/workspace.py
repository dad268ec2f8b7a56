"""What only the workspace's page needs: `{% load workspace %}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from annotation.text.packing import packed
from annotation.words import OUTCOMES

register = template.Library()


@register.filter(name="packed")
def packed_assignment(assignment: Mapping[str, Any]) -> dict[str, Any]:
    """The assignment as it is embedded in the page: ranges packed."""
    return packed(assignment)


@register.filter
def outcome_name(verdict: str) -> str:
    """What became of a pair by a verdict; nothing for none."""
    return str(OUTCOMES.get(verdict, ""))
