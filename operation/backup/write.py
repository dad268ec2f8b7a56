"""Making a backup."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import django
from django.conf import settings
from django.db import connection
from django.utils import timezone

from annotation.consistent_reads import snapshot
from annotation.errors import Conflict, Invalid
from annotation.site_version import site_version
from operation.backup.manifest import (
    NAME,
    PUBLICATIONS,
    BackupFile,
    BackupManifest,
    BackupTable,
    file_entry,
    table_entry,
)
from operation.backup.tables import OPTIONAL_APPS, kept_models, last_key, table_lines
from operation.historical_models import applied_migrations, models_at

IN_DATABASE = ("agreement", "0009_files_of_publications")
"""From this migration on, the files of publications are rows."""
_CHUNK = 1024 * 1024


def backup_write(out: Path) -> BackupManifest:
    """Write a backup of the site as it is at this moment to `out`, readable by its owner alone.

    People and workers go on meanwhile. Rows and files are streamed. `out` appears when it is complete. Raises Conflict
    if there is something at `out`, Invalid if it cannot be written or the database has no tables.
    """
    if not applied_migrations():
        raise Invalid(
            "The database has no tables, so there is nothing to back up.",
            hint="DATABASE_URL or DIPTYCH_DATA names the site; `manage.py migrate` makes a new one.",
        )
    with _new_file(out) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        with snapshot():
            # The tables may be those of an older version: a backup is what one makes before `migrate`.
            migrations = [(app, name) for app, name in applied_migrations() if app not in OPTIONAL_APPS]
            apps = models_at(migrations)
            tables = {label: _table(archive, label, model) for label, model in sorted(kept_models(apps).items())}
            named = apps.get_model("agreement", "Publication").objects.exclude(file="").order_by("file")
            names = [f"{PUBLICATIONS}/{name}" for name in named.values_list("file", flat=True)]
            if IN_DATABASE in migrations:
                names = []
        # Before that, publications were files. One that a row names is never changed, so that it needs no snapshot.
        files = {name: _file(archive, name) for name in names}
        manifest = BackupManifest(
            made=timezone.now().isoformat(),
            diptych=site_version(),
            django=django.get_version(),
            database=connection.vendor,
            migrations=[f"{app}.{name}" for app, name in migrations],
            tables=tables,
            files={name: entry for name, entry in files.items() if entry is not None},
            missing=[name for name, entry in files.items() if entry is None],
        )
        archive.writestr(NAME, manifest.model_dump_json(indent=1))
    return manifest


@contextmanager
def _new_file(out: Path) -> Iterator[IO[bytes]]:
    """A file that has its name only once it is complete and on the disk."""
    if os.path.lexists(out):
        raise Conflict("There is a file of this name already.", where=str(out), hint="Choose another name.")
    unfinished = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        with open(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:  # noqa: PTH123
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.link(unfinished, out)
    except FileExistsError as error:
        raise Conflict("There is a file of this name already.", where=str(out), hint="Choose another name.") from error
    except OSError as error:
        raise Invalid(f"The backup cannot be written: {error.strerror}.", where=str(error.filename or out)) from error
    finally:
        with suppress(OSError):
            unfinished.unlink()


def _table(archive: zipfile.ZipFile, label: str, model: Any) -> BackupTable:
    entry, lines = _entry(archive, table_entry(label), table_lines(model))
    # After the rows: a key that was given meanwhile does no harm.
    return BackupTable(**entry.model_dump(), rows=lines - 1, last_key=last_key(model))


def _file(archive: zipfile.ZipFile, name: str) -> BackupFile | None:
    """None where the file is missing."""
    try:
        with (settings.DATA_DIR / name).open("rb") as file:
            return _entry(archive, file_entry(name), iter(lambda: file.read(_CHUNK), b""))[0]
    except FileNotFoundError:
        return None


def _entry(archive: zipfile.ZipFile, name: str, parts: Iterable[bytes]) -> tuple[BackupFile, int]:
    """Write the parts as one entry; returns what it holds, and how many parts there were."""
    digest, size, count = hashlib.sha256(), 0, 0
    described = zipfile.ZipInfo(name, timezone.now().timetuple()[:6])
    described.compress_type = zipfile.ZIP_DEFLATED
    described.external_attr = 0o600 << 16
    with archive.open(described, "w", force_zip64=True) as entry:
        for part in parts:
            entry.write(part)
            digest.update(part)
            size += len(part)
            count += 1
    return BackupFile(bytes=size, sha256=digest.hexdigest()), count
