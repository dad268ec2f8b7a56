"""Reading a backup file, which may be damaged or hostile: checked completely before anything is written."""

from __future__ import annotations

import hashlib
import json
import shutil
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.db import connection

from annotation.errors import Invalid
from annotation.formats import zip_files
from annotation.formats.record import FormatError
from operation.backup import manifest as manifests
from operation.backup.manifest import BackupFile, BackupManifest, BackupTable, file_entry, table_entry

MAX_ROW_BYTES = 256 * 1024 * 1024
MAX_RATIO = 500
UNCHECKED_SIZE = 1024 * 1024 * 1024
"""Unpacking to more than this is refused if it is also more than so many times the file: no site's rows do that."""
_CHUNK = 1024 * 1024


class Reader:
    """Reads an entry in chunks and checks its size and hash."""

    def __init__(self, source: IO[bytes], name: str, expected: BackupFile) -> None:
        self.source, self.name, self.expected = source, name, expected
        self.digest, self.size = hashlib.sha256(), 0

    def _count(self, piece: bytes) -> bytes:
        self.size += len(piece)
        if self.size > self.expected.bytes:
            raise Invalid("It is longer than the manifest says; the backup is damaged or forged.", where=self.name)
        self.digest.update(piece)
        return piece

    def pieces(self) -> Iterator[bytes]:
        while piece := self.source.read(_CHUNK):
            yield self._count(piece)
        self._check()

    def lines(self) -> Iterator[bytes]:
        while line := self.source.readline(MAX_ROW_BYTES):
            if not line.endswith(b"\n"):
                raise Invalid(f"A row is longer than {MAX_ROW_BYTES} bytes or cut off.", where=self.name)
            yield self._count(line)
        self._check()

    def _check(self) -> None:
        if (self.size, self.digest.hexdigest()) != (self.expected.bytes, self.expected.sha256):
            raise Invalid("Its content does not match the manifest; the backup is damaged.", where=self.name)


class Backup:
    """A backup file whose entries have been checked: names, sizes and hashes. Raises Invalid where they are wrong."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with zip_files.open_archive(path) as packed:
                self.manifest = _manifest(packed)
                _check_entries(packed, self.manifest, path.stat().st_size)
                for name, expected in self.manifest.entries().items():
                    with packed.open(name) as source:
                        for _ in Reader(source, name, expected).pieces():
                            pass
        except FormatError as error:
            # Who restores a backup has not packed it: what helps is another copy.
            reason = str(error).removesuffix("; pack it again")
            raise Invalid(
                f"This is no backup that can be restored: {reason}.", hint="Copy it again from where it was made."
            ) from error
        except OSError as error:
            raise Invalid(f"The backup cannot be read: {error.strerror}.", where=str(path)) from error

    def rows(self, label: str, table: BackupTable) -> Iterator[list[Any]]:
        """The columns of a table, then its rows. Raises Invalid for anything but a row."""
        name = table_entry(label)
        with zipfile.ZipFile(self.path) as packed, packed.open(name) as source:
            for number, line in enumerate(Reader(source, name, table).lines()):
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise Invalid(f"Line {number + 1} is no JSON.", where=name) from error
                if not isinstance(row, list):
                    raise Invalid(f"Line {number + 1} is no row.", where=name)
                yield row

    def file(self, name: str) -> Iterator[bytes]:
        with zipfile.ZipFile(self.path) as packed, packed.open(file_entry(name)) as source:
            yield from Reader(source, name, self.manifest.files[name]).pieces()


def _manifest(packed: zipfile.ZipFile) -> BackupManifest:
    names = packed.namelist()
    repeated = next((name for name in set(names) if names.count(name) > 1), None) if len(names) < 10_000 else None
    if repeated is None and len(set(names)) < len(names):
        repeated = "a name"
    if repeated is not None:
        raise Invalid("It is in the file twice; this is no backup that can be restored.", where=repr(repeated))
    if manifests.NAME not in names:
        raise Invalid(f"There is no {manifests.NAME} in it; this is no backup.", where=str(packed.filename))
    with packed.open(manifests.NAME) as source:
        data = source.read(manifests.MAX_MANIFEST_BYTES + 1)
    if len(data) > manifests.MAX_MANIFEST_BYTES:
        raise Invalid(f"It has more than {manifests.MAX_MANIFEST_BYTES} bytes.", where=manifests.NAME)
    return manifests.parse_manifest(data, manifests.NAME)


def _check_entries(packed: zipfile.ZipFile, manifest: BackupManifest, size: int) -> None:
    """The entries are those of the manifest and ordinary ones, and what they unpack to is credible and has room."""
    expected = manifest.entries()
    entries = {entry.filename: entry for entry in packed.infolist() if entry.filename != manifests.NAME}
    for name in sorted(entries.keys() ^ expected.keys()):
        reason = "The manifest does not name it" if name in entries else "The manifest names it, but it is not there"
        raise Invalid(f"{reason}; this is no backup that can be restored.", where=repr(name))
    for name, entry in entries.items():
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or entry.flag_bits & 0x41 or entry.is_dir():
            raise Invalid("It is no ordinary file; this is no backup that can be restored.", where=repr(name))
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Invalid("It is packed in an unusual way; this is no backup that can be restored.", where=repr(name))
    total = sum(entry.bytes for entry in expected.values())
    if sum(entry.compress_size for entry in entries.values()) > size or total > max(UNCHECKED_SIZE, MAX_RATIO * size):
        raise Invalid(f"It claims to unpack to {total} bytes, from {size}; no backup does that.", where=manifests.NAME)
    here = manifest.files if connection.vendor != "sqlite" else expected
    needed, free = sum(entry.bytes for entry in here.values()), shutil.disk_usage(settings.DATA_DIR).free
    if needed > free:
        raise Invalid(
            f"It needs {needed // 2**20} MB on the disk of {settings.DATA_DIR}, where {free // 2**20} MB are free.",
            hint="Make room, and restore again.",
        )
