"""Shared parsing of commands' arguments."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.management.base import CommandError


def settings_of(given: Iterable[str]) -> dict[str, str]:
    """`--set KEY=VALUE`, repeated, as a dictionary. Raises CommandError for one without '='."""
    settings: dict[str, str] = {}
    for item in given:
        key, mark, value = item.partition("=")
        if not mark or not key.strip():
            raise CommandError(f"--set {item}: must be KEY=VALUE")
        settings[key.strip()] = value
    return settings
