"""The key that signs sessions and links, in a file of the data folder."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def stored_key(path: Path) -> str:
    """The key in a file, which is made first if there is none, readable only by its owner.

    Raises ImproperlyConfigured, with the file's name, if there is no key in it.
    """
    try:
        if not path.exists():
            _make(path)
        key = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        key = ""
    except OSError as error:
        what = "read" if path.exists() else "written"
        raise ImproperlyConfigured(f"The secret key in {path} can't be {what}: {error.strerror}.") from error
    if not (key.strip() and key.strip().isprintable()):
        raise ImproperlyConfigured(
            f"The secret key in {path} is empty or damaged: put a copy of it there, or delete the file to have a new "
            "one generated, with which everyone logs in again and webhooks have other secrets."
        )
    return key


def _make(path: Path) -> None:
    """Another process may do the same: whichever is first makes the key of both.

    What a power cut takes away must not be in use: an empty file would stop the site, a new key log everyone out.
    """
    from django.core.management.utils import get_random_secret_key

    own_path = path.with_suffix(f".{os.getpid()}")
    try:
        with own_path.open("w", encoding="utf-8") as file:
            own_path.chmod(0o600)
            file.write(get_random_secret_key())
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(own_path, path)
    finally:
        own_path.unlink(missing_ok=True)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # some file systems sync files alone
            os.fsync(opened)
    finally:
        os.close(opened)
