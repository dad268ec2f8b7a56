"""What readers see for groups of items."""

from __future__ import annotations

from django.utils.translation import gettext as _


def group_name(group: str) -> str:
    """An operator, or what a question about distractors asks."""
    return {
        "overlap": _("overlap"),
        "difference": _("difference"),
        "union": _("union"),
        "close": _("close in form"),
        "different": _("different in meaning"),
    }.get(group, group)
