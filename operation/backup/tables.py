"""Which tables a backup holds, and their rows as JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from typing import Any

from django.apps.registry import Apps
from django.core.management.color import no_style
from django.db import connection, models

LEFT_OUT = ("annotation.worker", "annotation.user_user_permissions", "auth.permission", "auth.group_permissions")
OPTIONAL_APPS = ("account", "socialaccount")
"""django-allauth's, which only a site with OpenID Connect has; their tables stay empty."""
LEFT_OUT_APPS = ("sessions", "axes", "contenttypes", *OPTIONAL_APPS)
"""Who is logged in, counts of wrong passwords, workers that run, and what Django makes by itself in each database."""

_BATCH = 10
"""Rows in memory at a time: a part of an uploaded file has 1 MB, a long text several."""


def is_kept(label: str) -> bool:
    """Whether a backup holds the table of a model, given as `app.model`."""
    return label not in LEFT_OUT and label.partition(".")[0] not in LEFT_OUT_APPS


def kept_models(apps: Apps) -> dict[str, type[models.Model]]:
    """The models whose rows are kept, those behind many-to-many fields too, by their label in lower case."""
    return {
        model._meta.label_lower: model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and is_kept(model._meta.label_lower)
    }


def columns_of(model: type[models.Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def table_lines(model: type[models.Model]) -> Iterator[bytes]:
    """The lines of a table: its columns, then its rows in the order of their keys."""
    columns = columns_of(model)
    yield _line(columns)
    rows = model._base_manager.order_by("pk").values_list(*columns)
    for row in rows.iterator(chunk_size=_BATCH):
        yield _line(row)


def _line(values: Iterable[Any]) -> bytes:
    return json.dumps(list(values), ensure_ascii=False, separators=(",", ":"), default=_encoded).encode() + b"\n"


def _encoded(value: Any) -> str:
    """What JSON lacks, in the form that the field's `to_python` reads."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode("ascii")
    raise TypeError(f"a backup cannot hold a value of type {type(value).__name__}")


def rows_insert(model: type[models.Model], columns: list[str], rows: Iterable[list[Any]]) -> int:
    """Insert rows as they are, without defaults and times of their own; returns how many. Raises ValueError for a row
    or a column that the table has not.
    """
    fields = {field.attname: field for field in model._meta.concrete_fields}
    if sorted(columns) != sorted(fields):
        raise ValueError(f"its columns are {', '.join(columns)}; expected are {', '.join(fields)}")
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(fields[column].column)) for column in columns)
    command = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({', '.join('%s' for _ in columns)})"

    def prepared(row: list[Any]) -> list[Any]:
        if len(row) != len(columns):
            raise ValueError(f"a row has {len(row)} values for {len(columns)} columns")
        return [_stored(fields[column], value) for column, value in zip(columns, row, strict=True)]

    count = 0
    remaining = map(prepared, rows)
    with connection.cursor() as cursor:
        while batch := list(islice(remaining, _BATCH)):
            cursor.executemany(command, batch)
            count += len(batch)
    return count


_TYPES = ((models.CharField, str), (models.TextField, str), (models.BooleanField, bool), (models.IntegerField, int))


def _stored(field: Any, value: Any) -> Any:
    """A value as the database gets it. Raises ValueError for what one database would refuse and another take."""
    target = field.target_field if field.is_relation else field
    expected = next((kind for fields, kind in _TYPES if isinstance(target, fields)), None)
    if value is not None and expected is not None and type(value) is not expected:
        raise ValueError(f"{field.attname}: {type(value).__name__} instead of {expected.__name__}")
    if isinstance(value, str) and ("\0" in value or len(value) > (target.max_length or len(value))):
        raise ValueError(f"{field.attname}: longer than {target.max_length} characters, or with a NUL")
    return field.get_db_prep_save(field.to_python(value), connection)


def last_key(model: type[models.Model]) -> int:
    """The last key that the database gave to a row of this table, deleted rows included; 0 where it gives none.

    Histories name deleted rows by their keys, so that no key may be given twice.
    """
    key, table = model._meta.pk, model._meta.db_table
    if not isinstance(key, models.AutoField):
        return 0
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        else:
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [connection.ops.quote_name(table), key.column])
            cursor.execute(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {cursor.fetchone()[0]}")
        row = cursor.fetchone()
    return int(row[0] or 0) if row else 0


def advance_sequences(model: type[models.Model], last: int) -> None:
    """Have the database give keys after `last`, and after those of all rows."""
    key, table = model._meta.pk, model._meta.db_table
    if not isinstance(key, models.AutoField):
        return
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # Inserting rows has set it to the highest key already, if there was any row.
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s AND seq < %s", [table, last])
            cursor.execute(
                "INSERT INTO sqlite_sequence (name, seq) SELECT %s, %s "
                "WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = %s)",
                [table, last, table],
            )
            return
        for command in connection.ops.sequence_reset_sql(no_style(), [model]):
            cursor.execute(command)
        if last > last_key(model):
            name = connection.ops.quote_name(table)
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [name, key.column, last])
