"""Restoring a backup into an empty site."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.apps.registry import Apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from annotation.errors import Conflict, Invalid
from operation.backup.archive import Backup
from operation.backup.manifest import BackupManifest
from operation.backup.tables import advance_sequences, columns_of, kept_models, rows_insert
from operation.historical_models import leaf_migrations, models_at

_DJANGO_TABLES = ("django_migrations", "django_content_type", "django_session", "auth_permission", "sqlite_sequence")
_PROCESS_TABLES = ("annotation_worker", "axes_")


def backup_restore(path: Path) -> BackupManifest:
    """Fill an empty site with a backup, and bring it up to date.

    The file is checked completely before anything is written, and its rows are written in one transaction: if that
    fails or is killed, the site is still empty. The tables are first made as they were when the backup was, and
    migrated once the rows are in them; `migrate` completes what ended in between. Raises Conflict if the site is not
    empty, Invalid for a file that cannot be restored here.
    """
    backup = Backup(path)
    _check_empty()
    apps = _create_schema(backup.manifest)
    try:
        with _restored_files(backup), transaction.atomic():
            _load(backup, apps)
    except (DatabaseError, ValidationError, ValueError, TypeError, OverflowError) as error:
        raise Invalid(f"Its rows do not fit ({error}); nothing was restored.", where=str(path)) from error
    call_command("migrate", interactive=False, verbosity=0)
    return backup.manifest


def _check_empty() -> None:
    """Raises Conflict if any table holds a row that is not made by Django or by a process that runs."""
    filled = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if table in _DJANGO_TABLES or table.startswith(_PROCESS_TABLES):
                continue
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")
            if cursor.fetchone():
                filled.append(table)
    if filled:
        raise Conflict(
            f"This site is not empty: there are rows in {', '.join(sorted(filled))}. Nothing was restored.",
            code="not-empty",
            hint="Restore into a new database (DATABASE_URL) or a new data folder (DIPTYCH_DATA).",
        )


def _create_schema(manifest: BackupManifest) -> Apps:
    """Make the tables as the backup knows them; returns the models as they were then."""
    executor = MigrationExecutor(connection)
    loader = executor.loader
    available = {f"{app}.{name}": (app, name) for app, name in loader.disk_migrations}
    if newer := sorted(set(manifest.migrations) - set(available)):
        raise Invalid(
            f"The backup was made by a newer version ({manifest.diptych}): this one has no migration "
            f"{', '.join(newer[:5])}. Nothing was restored.",
            code="newer",
            hint="Update Diptych, and restore again.",
        )
    targets = {available[name] for name in manifest.migrations}
    if ahead := sorted(f"{app}.{name}" for app, name in set(loader.applied_migrations) - targets):
        raise Conflict(
            f"The backup is older than the tables of this database ({', '.join(ahead[:5])}). Nothing was restored.",
            code="ahead",
            hint="Restore into a new database in which `migrate` has not run: restoring makes the tables itself.",
        )
    executor.migrate(leaf_migrations(loader, targets))
    return models_at(targets)


def _load(backup: Backup, apps: Apps) -> None:
    models = kept_models(apps)
    tables = backup.manifest.tables
    if models.keys() != tables.keys():
        odd = ", ".join(sorted(models.keys() ^ tables.keys()))
        raise Invalid(f"Its tables are not those of its migrations: {odd}.", where=str(backup.path))
    for label, table in tables.items():
        rows = backup.rows(label, table)
        count = rows_insert(models[label], [str(name) for name in next(rows, columns_of(models[label]))], rows)
        if count != table.rows:
            raise Invalid(f"It has {count} rows; the manifest says {table.rows}.", where=label)
        advance_sequences(models[label], table.last_key)
    connection.check_constraints()


@contextmanager
def _restored_files(backup: Backup) -> Iterator[None]:
    """Write the files where they belong; they are removed again if what follows fails.

    Raises Conflict, before any is written, if something else is already there.
    """
    targets = {name: settings.DATA_DIR / name for name in backup.manifest.files}
    for name, path in targets.items():
        if os.path.lexists(path) and not _is_restored(path, backup, name):
            raise Conflict(
                "There is already another file where the backup has one. Nothing was restored.",
                where=str(path),
                hint="Restore into a new data folder (DIPTYCH_DATA).",
            )
    written: list[Path] = []
    try:
        for name, path in targets.items():
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                _write(path, backup.file(name))
                written.append(path)
        yield
    except BaseException:
        for path in written:
            path.unlink(missing_ok=True)
        raise


def _is_restored(path: Path, backup: Backup, name: str) -> bool:
    """Whether an earlier attempt, which was killed, put the file there."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size != backup.manifest.files[name].bytes:
        return False
    with path.open("rb") as existing:
        return all(existing.read(len(piece)) == piece for piece in backup.file(name))


def _write(path: Path, pieces: Iterator[bytes]) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("xb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as error:
        raise Invalid(f"A file cannot be written: {error.strerror}. Nothing was restored.", where=str(path)) from error
    finally:
        unfinished.unlink(missing_ok=True)
