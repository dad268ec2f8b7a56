"""Writing an archive: rows are read in the order of their keys and written one by one, so that nothing is held."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

from django.utils import timezone

from annotation.formats.project_archive import MANIFEST
from annotation.formats.safe_paths import target_file
from annotation.models import Annotator, Pair, Project, User
from annotation.progress import OnDone
from annotation.selectors.export_records import (
    FORMER,
    PUBLIC_NAME,
    annotators_by_source,
    project_aliases,
    published_names,
    reason_renamed,
    reasons_of_reassigned,
)
from annotation.services.project_archive.manifest import ACCOUNTS, VERSION, ArchiveManifest, TableFile, entry_name
from annotation.services.project_archive.tables import (
    ANNOTATIONS,
    ANNOTATORS,
    TABLES,
    TEXTS,
    ArchivedTable,
    is_account,
    reference,
    remap_value,
)
from annotation.site_version import site_version

BATCH = 100
PROGRESS_EVERY = 500
"""How many rows are written between two calls of `on_progress`."""
HISTORY = "annotation.historicalannotator"


def project_archive_write(
    *, project: Project, out: Path, names: bool = False, on_progress: OnDone | None = None
) -> list[Path]:
    """Write the archive of a project to the file `out`. Call it in a snapshot.

    People have the numbers under which they are published, or with `names` their aliases, usernames and names.
    `on_progress` is called with the number of pairs that the rows written so far correspond to.
    """
    keys = _Keys(project, names)
    counted = {
        table.label: len(keys.texts) if table.label == TEXTS else table.rows(project).count() for table in TABLES
    }
    report = _Report(sum(counted.values()), Pair.objects.filter(project=project).count(), on_progress)
    target = target_file(out)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        tables = {ACCOUNTS: _entry(packed, ACCOUNTS, keys.account_lines())}
        for table in TABLES:
            tables[table.label] = _entry(packed, table.label, report.counted(_lines(table, project, keys)))
        manifest = ArchiveManifest(
            format="diptych-project",
            version=VERSION,
            made=timezone.now().isoformat(),
            diptych=site_version(),
            names=names,
            project={
                "name": project.name,
                "scheme": project.scheme,
                "settings": project.settings,
                "created": project.created.isoformat(),
            },
            tables=tables,
        )
        packed.writestr(MANIFEST, manifest.model_dump_json(indent=1))
    return [target]


class _Keys:
    """The numbers and names that rows have in the archive, by their keys and names here."""

    def __init__(self, project: Project, names: bool) -> None:
        self.names = names
        self.aliases = project_aliases(project) if names else published_names(project)
        now = project_aliases(project)
        # Reports and options of imports have the names that people had then.
        earlier = Annotator.history.filter(project=project.pk, id__in=list(now)).values_list("alias", "id").distinct()
        self.by_alias = {
            alias: self.aliases[pk] for alias, pk in [*earlier, *((alias, pk) for pk, alias in now.items())]
        }
        self.source = annotators_by_source(project)
        self.reassigned = set(reasons_of_reassigned(project).order_by().values_list("pk", flat=True))
        self.texts = _texts(project)
        self._rows: dict[str, array[int]] = {}
        self._project = project
        accounts = set[int]()
        for table in TABLES:
            for field in filter(is_account, table.fields):
                if table.label != TEXTS:
                    rows = table.rows(project).exclude(**{f"{field.name}__isnull": True})
                    accounts.update(rows.order_by().values_list(field.attname, flat=True).distinct())
        people = User.objects.filter(pk__in=accounts).order_by("pk")
        self._people = list(people.values_list("pk", "username", "first_name", "last_name"))
        self._accounts = {row[0]: number for number, row in enumerate(self._people, 1)}
        self._usernames = {row[1]: self._name(number, row[1]) for number, row in enumerate(self._people, 1)}

        each = "|".join(map(re.escape, self._usernames))
        self._named = re.compile(rf"(?<!\w)(?:{each})(?!\w)")

    def _name(self, number: int, username: str) -> str:
        return username if self.names else f"account{number}"

    def account_lines(self) -> Iterator[bytes]:
        yield _line(["username", "first_name", "last_name"])
        for number, (_, username, first, last) in enumerate(self._people, 1):
            yield _line([self._name(number, username), first, last] if self.names else [self._name(number, ""), "", ""])

    def account(self, key: int) -> int | None:
        """The number of an account; None for one that was deleted, whose key histories keep."""
        return self._accounts.get(key)

    def row(self, label: str, key: int) -> int | None:
        """The number of a row in its table; None for one that is no longer there."""
        if label == TEXTS:
            return self.texts.get(key)
        if label not in self._rows:
            table = next(table for table in TABLES if table.label == label)
            keys = table.rows(self._project).values_list("pk", flat=True)
            self._rows[label] = array("q", keys.iterator(chunk_size=10_000))
        rows = self._rows[label]
        at = bisect_left(rows, key)
        return at + 1 if at < len(rows) and rows[at] == key else None

    def remap(self, kind: str, value: Any) -> Any:
        if kind == "alias":
            return self._alias(value)
        if kind == "source":
            return self.aliases.get(self.source(value) or 0)
        if kind == "username":
            return self._usernames.get(value, value if self.names else FORMER)
        if kind == "log":
            return self._named.sub(lambda match: self._usernames[match[0]], value) if self._usernames else value
        return self.row(kind, value)

    def _alias(self, name: str) -> str:
        """The alias to write for a name. Someone who was never in the project has no number."""
        if name in self.by_alias or not name:
            return self.by_alias.get(name, name)
        return name if self.names or PUBLIC_NAME.fullmatch(name) else FORMER

    def alias(self, key: int, alias: str) -> str:
        """The alias to write for a membership, even if it was deleted or had another alias then."""
        return alias if self.names else self.aliases.get(key, FORMER)


def _texts(project: Project) -> dict[int, int]:
    """The texts of the pairs, numbered as pairs first use them: they may be older than the project."""
    numbers: dict[int, int] = {}
    pairs = Pair.objects.filter(project=project).order_by("pk").values_list("a_id", "b_id", "statement_id")
    for row in pairs.iterator(chunk_size=10_000):
        for key in row:
            if key is not None:
                numbers.setdefault(key, len(numbers) + 1)
    return numbers


def _lines(table: ArchivedTable, project: Project, keys: _Keys) -> Iterator[bytes]:
    fields = table.fields
    columns = [field.attname for field in fields]
    yield _line(columns)
    refers = [(index, field, reference(field, table)) for index, field in enumerate(fields)]
    # The key of the membership whose alias a row has: its own, or that of which it is the history.
    member = {ANNOTATORS: len(columns), HISTORY: columns.index("id") if "id" in columns else 0}.get(table.label)
    if table.label == TEXTS:
        rows = _text_rows(table, columns, keys)
    else:
        rows = table.rows(project).values_list(*columns, "pk").iterator(chunk_size=BATCH)
    for values in rows:
        row: list[Any] = list(values)[: len(columns)]
        person = None if member is None else values[member]
        for index, field, label in refers:
            if row[index] is None:
                continue
            if is_account(field):
                row[index] = keys.account(row[index])
            elif label:
                row[index] = keys.row(label, row[index]) or (-abs(row[index]) if field.name == "id" else None)
            elif table.label == ANNOTATIONS and field.name == "reason":
                if values[-1] in keys.reassigned:
                    row[index] = reason_renamed(row[index], keys.by_alias)
            elif person is not None and field.name == "alias":
                row[index] = keys.alias(person, row[index])
            elif table.label == "annotation.import" and field.name == "names" and not keys.names:
                row[index] = [f"file{number}{Path(name).suffix}" for number, name in enumerate(row[index], 1)]
            else:
                row[index] = remap_value(table.label, field.attname, row[index], keys.remap)
        yield _line(row)


def _text_rows(table: ArchivedTable, columns: list[str], keys: _Keys) -> Iterator[tuple[Any, ...]]:
    order = list(keys.texts)
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        rows = table.model._base_manager.filter(pk__in=batch).values_list("pk", *columns)
        texts = {row[0]: row[1:] for row in rows}
        yield from (texts[key] for key in batch)


class _Report:
    """Tells how far the rows are, in pairs."""

    def __init__(self, rows: int, pairs: int, on_progress: OnDone | None) -> None:
        self.rows, self.pairs, self.on_progress, self.done = max(rows, 1), pairs, on_progress, 0

    def counted(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        for line in lines:
            yield line
            self.done += 1
            if self.on_progress is not None and self.done % PROGRESS_EVERY == 0:
                self.on_progress(min(self.pairs, self.pairs * self.done // self.rows))


def _entry(packed: zipfile.ZipFile, label: str, lines: Iterable[bytes]) -> TableFile:
    digest, size, count = hashlib.sha256(), 0, -1
    described = zipfile.ZipInfo(entry_name(label), timezone.now().timetuple()[:6])
    described.compress_type = zipfile.ZIP_DEFLATED
    described.external_attr = 0o600 << 16
    with packed.open(described, "w", force_zip64=True) as file:
        for line in lines:
            file.write(line)
            digest.update(line)
            size += len(line)
            count += 1
    return TableFile(bytes=size, sha256=digest.hexdigest(), rows=count)


def _line(values: list[Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=_encoded).encode() + b"\n"


def _encoded(value: Any) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    raise TypeError(f"an archive cannot hold a value of type {type(value).__name__}")
