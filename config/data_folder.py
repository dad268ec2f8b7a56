"""The folders that the site keeps its files in."""

from __future__ import annotations

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def ensure_folder(folder: Path) -> Path:
    """The folder, made first if it is not there. Raises ImproperlyConfigured, with its name, if it can't be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The folder {folder} can't be made: {error.strerror}. Make it as root, owned by the account "
            "that runs Diptych, or set DIPTYCH_DATA to a folder in which that account may write."
        ) from error
    return folder
