"""Which Diptych this is: its version, and the commit where it runs in a checkout."""

from __future__ import annotations

import importlib.metadata
import subprocess
import tomllib
from functools import cache
from pathlib import Path

from django.conf import settings


@cache
def site_version() -> str:
    """For example `0.1.0 (aca30d0)`."""
    project = Path(settings.BASE_DIR) / "pyproject.toml"
    if not project.is_file():
        return importlib.metadata.version("diptych")
    version = str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
    commit = _commit(project.parent)
    return f"{version} ({commit})" if commit else version


def _commit(checkout: Path) -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
