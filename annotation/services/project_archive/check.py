"""Reading an archive that may be damaged or hostile: its files and every value of its rows."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.dateparse import parse_datetime

from annotation import strict_json
from annotation.formats.project_archive import MANIFEST
from annotation.formats.source import refusal
from annotation.phrases import Phrase
from annotation.project_options import OptionsError, ProjectOptions
from annotation.services.project_archive.manifest import (
    ACCOUNTS,
    MAX_MANIFEST_BYTES,
    ArchiveManifest,
    TableFile,
    entry_name,
    parse_manifest,
)
from annotation.services.project_archive.tables import ADDED_LATER, TABLES, ArchivedTable, is_account, reference
from annotation.strict_json import JSONError, control_character_problem, name_problem
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import Scheme, SchemeError

_NAMES = ("alias", "term", "external_id", "split")
_TEXTS = (("annotation.glossaryentry", "translations"), ("annotation.historicalglossaryentry", "translations"))
MAX_LINE_BYTES = 64 * 1024 * 1024
_CHUNK = 1024 * 1024
DAMAGED = Phrase("its content does not match the manifest; the archive is damaged")
_KINDS: tuple[tuple[tuple[type[Any], ...], type], ...] = (
    ((models.CharField, models.TextField), str),
    ((models.BooleanField,), bool),
    ((models.IntegerField,), int),
)


def read_manifest(folder: Path) -> ArchiveManifest:
    """The manifest of an unpacked archive whose files are those that it names. Raises FormatError."""
    path = folder / MANIFEST
    if not path.is_file() or path.stat().st_size > MAX_MANIFEST_BYTES:
        raise refusal(
            folder.name, Phrase("there is no %(name)s in it; this is not an archive of a project", {"name": MANIFEST})
        )
    manifest = parse_manifest(path.read_bytes())
    labels = {ACCOUNTS, *(table.label for table in TABLES)}
    for label in sorted(labels ^ manifest.tables.keys()):
        if label in ADDED_LATER:
            continue
        reason = Phrase("missing from the archive") if label in labels else Phrase("unknown here; update Diptych")
        raise refusal(label, reason)
    for label, entry in manifest.tables.items():
        _check_file(folder / entry_name(label), label, entry)
    files = {each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()}
    for name in sorted(files - {MANIFEST, *map(entry_name, manifest.tables)}):
        raise refusal(name, Phrase("not listed in the manifest"))
    return manifest


def _check_file(path: Path, label: str, entry: TableFile) -> None:
    if not path.is_file():
        raise refusal(label, Phrase("missing from the archive"))
    digest, lines = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            digest.update(piece)
            lines += piece.count(b"\n")
    if (path.stat().st_size, digest.hexdigest(), lines - 1) != (entry.bytes, entry.sha256, entry.rows):
        raise refusal(label, DAMAGED)


def read_scheme(manifest: ArchiveManifest) -> Scheme:
    """The project's scheme; its settings are checked too. Raises FormatError."""
    try:
        scheme = parse_scheme(manifest.project.get("scheme"))
        settings = manifest.project.get("settings")
        if not isinstance(settings, dict):
            raise OptionsError("settings: an object is expected")
        ProjectOptions.from_json(settings)
    except SchemeError as error:
        raise refusal(MANIFEST, error.phrase) from error
    except (OptionsError, TypeError) as error:
        raise refusal(MANIFEST, Phrase("%(reason)s", {"reason": str(error)})) from error
    return scheme


def read_rows(folder: Path, label: str) -> Iterator[tuple[str, list[Any]]]:
    """('table:line', values) of the columns' names and of every row. Raises FormatError."""
    with (folder / entry_name(label)).open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES), b""), 1):
            where = f"{label}:{number}"
            try:
                row = strict_json.loads(line.decode("utf-8").rstrip("\n"))
            except UnicodeDecodeError as error:
                raise refusal(where, Phrase("not valid UTF-8; save the file as UTF-8")) from error
            except JSONError as error:
                raise refusal(where, error.located_phrase) from error
            if not isinstance(row, list):
                raise refusal(where, Phrase("a list is expected"))
            yield where, row


class Columns:
    """The columns of a table's file, which is read with those of today: new ones get their defaults."""

    def __init__(self, table: ArchivedTable, names: list[Any], rows: dict[str, int], where: str) -> None:
        self.table, self.rows = table, rows
        fields = {field.attname: field for field in table.fields}
        if unknown := next((name for name in names if not isinstance(name, str) or name not in fields), None):
            reason = Phrase("the column %(name)s is unknown here; update Diptych", {"name": repr(unknown)[:80]})
            raise refusal(where, reason)
        if len(set(names)) < len(names):
            raise refusal(where, Phrase("a column appears twice"))
        self.fields = [fields[name] for name in names]
        absent = [field for field in fields.values() if field.attname not in names]
        if missing := next((field for field in absent if not (field.has_default() or field.null or field.blank)), None):
            raise refusal(where, Phrase("the column %(name)s is missing", {"name": missing.attname}))

    def checked(self, values: list[Any], where: str) -> dict[str, Any]:
        """A row's values by column; what refers to others is still the number of a row. Raises FormatError."""
        if len(values) != len(self.fields):
            raise refusal(where, DAMAGED)
        return {
            field.attname: self._value(field, value, where) for field, value in zip(self.fields, values, strict=True)
        }

    def _value(self, field: Any, value: Any, where: str) -> Any:
        problem = self._problem(field, value)
        if problem is not None:
            reason = Phrase("%(column)s: %(problem)s", {"column": field.attname, "problem": problem})
            raise refusal(where, reason)
        if isinstance(field, models.DateTimeField) and value is not None:
            return parse_datetime(value)
        if type(field) is models.DateField:
            return date.fromisoformat(value)
        return value

    def _problem(self, field: Any, value: Any) -> Phrase | None:
        if value is None:
            return None if field.null else Phrase("missing")
        target = ACCOUNTS if is_account(field) else reference(field, self.table)
        if target:
            history = field.name == "id"
            in_archive = type(value) is int and (
                1 <= value <= self.rows.get(target, 0) or (history and -(2**62) < value < 0)
            )
            return None if in_archive else Phrase("refers to a row that is not in the archive")
        if (self.table.label, field.name) in _TEXTS:
            return None if isinstance(value, list) and all(isinstance(each, str) for each in value) else _kind()
        if isinstance(field, models.JSONField):
            return None if isinstance(value, type(field.get_default()) if field.has_default() else object) else _kind()
        if isinstance(field, models.DateTimeField):
            return None if isinstance(value, str) and _is_time(value) else _kind()
        if type(field) is models.DateField:
            return None if isinstance(value, str) and _is_day(value) else _kind()
        if isinstance(field, models.FloatField):
            return None if type(value) in (int, float) and math.isfinite(value) else _kind()
        expected_kind = next((kind for kinds, kind in _KINDS if isinstance(field, kinds)), None)
        if type(value) is not expected_kind:
            return _kind()
        if field.choices and value not in dict(field.flatchoices):
            return Phrase("not one of the allowed values")
        if isinstance(value, str) and len(value) > (field.max_length or len(value)):
            return Phrase("at most %(longest)s characters can be stored", {"longest": str(field.max_length)})
        if (
            self.table.label == "annotation.guideline"
            and field.name == "text"
            and (problem := control_character_problem(str(value)))
        ):
            return problem
        if field.name in _NAMES and (problem := name_problem(str(value))):
            return problem
        try:
            field.run_validators(value)
        except ValidationError as error:
            return Phrase("%(reason)s", {"reason": " ".join(error.messages)})
        return None


def _kind() -> Phrase:
    return Phrase("a value of another kind is expected")


def _is_time(value: str) -> bool:
    try:
        time = parse_datetime(value)
    except ValueError:
        return False
    return time is not None and time.tzinfo is not None


def _is_day(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False
