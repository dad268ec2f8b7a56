"""Shared parsing of commands' arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from django.core.management.base import CommandError

from annotation.settings_model import Setting


def settings_of(given: Iterable[str]) -> dict[str, str]:
    """`--set KEY=VALUE`, repeated, as a dictionary. Raises CommandError for one without '='."""
    settings: dict[str, str] = {}
    for item in given:
        key, mark, value = item.partition("=")
        if not mark or not key.strip():
            raise CommandError(f"--set {item}: must be KEY=VALUE")
        settings[key.strip()] = value
    return settings


def whole_paths(known: Mapping[str, Setting], given: Mapping[str, str]) -> dict[str, str]:
    """The settings with folders by their whole path: what uses them may run in another folder."""
    return {
        key: str(Path(value).resolve()) if key in known and known[key].name_parts and Path(value).is_dir() else value
        for key, value in given.items()
    }
