"""The manifest of a backup: what it holds, and by which names. Reading it trusts nothing."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from annotation.errors import Invalid
from annotation.services.project_archive.manifest import PrintableText
from operation.backup.tables import is_kept

NAME = "manifest.json"
MAX_MANIFEST_BYTES = 64 * 1024 * 1024
PUBLICATIONS = "publications"
_TABLE = re.compile(r"[a-z_]+\.[a-z_0-9]+")
_FILE = re.compile(rf"{PUBLICATIONS}/(?!\.)[^/\\\x00-\x1f\x7f]{{1,200}}")


class BackupFile(BaseModel):
    """What an entry unpacks to."""

    model_config = ConfigDict(extra="forbid", strict=True)

    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class BackupTable(BackupFile):
    """`last_key` is the last key that was given to a row."""

    rows: int = Field(ge=0)
    last_key: int = Field(ge=0, lt=2**62)


class BackupManifest(BaseModel):
    """`migrations` are `app.name` of all that were applied; `missing` are files that a row names and nobody found."""

    model_config = ConfigDict(extra="forbid", strict=True)

    format: Literal["diptych-backup"] = "diptych-backup"
    version: Literal[1] = 1
    made: PrintableText
    diptych: PrintableText
    django: PrintableText
    database: PrintableText
    migrations: list[PrintableText]
    tables: dict[str, BackupTable]
    files: dict[str, BackupFile]
    missing: list[PrintableText]

    @field_validator("tables")
    @classmethod
    def _tables(cls, tables: dict[str, BackupTable]) -> dict[str, BackupTable]:
        for label in tables:
            if not _TABLE.fullmatch(label) or not is_kept(label):
                raise ValueError(f"{label!r} is not a table of a backup")
        return tables

    @field_validator("files")
    @classmethod
    def _files(cls, files: dict[str, BackupFile]) -> dict[str, BackupFile]:
        for name in files:
            if not _FILE.fullmatch(name):
                raise ValueError(f"{name!r} is not a path for a file of a backup")
        return files

    def entries(self) -> dict[str, BackupFile]:
        """Every entry but the manifest, by its name in the file."""
        tables: dict[str, BackupFile] = {table_entry(label): table for label, table in self.tables.items()}
        return tables | {file_entry(name): file for name, file in self.files.items()}


def table_entry(label: str) -> str:
    return f"tables/{label}.jsonl"


def file_entry(name: str) -> str:
    return f"files/{name}"


def parse_manifest(data: bytes, where: str) -> BackupManifest:
    """Raises Invalid for anything but a manifest of this format."""
    try:
        return BackupManifest.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        message = ": ".join(filter(None, (field, first["msg"])))
        raise Invalid(f"This is no backup that can be restored: {message}", where=where) from error
