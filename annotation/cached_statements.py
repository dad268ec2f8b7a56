"""Statements whose SQL is built once for a process: building it costs Django more than running it.

    _BY_SLUG = PreparedQuery(lambda slug: Project.objects.filter(slug=slug).order_by(), slug=str)
    project = _BY_SLUG.first(slug="town")

The rows are what the queryset would give: instances with what it selects along, or tuples of `values_list`. Only SQL is
kept, no row. The queryset may depend on its parameters by their values alone: not on how many there are, and a
condition must not be omitted for some of them.

    _ADD = PreparedUpdate(lambda pk, n: (Project.objects.filter(pk=pk), {"pairs": F("pairs") + n}), pk=int, n=int)
    changed = _ADD.run(pk=7, n=3)

`row_update` and `row_insert` write an instance as its `save` does, but for signals and the key of a new row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import count
from typing import Any, Generic, TypeVar, cast

from django.db import DatabaseError, connection, transaction
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable, ValuesListIterable, get_related_populators
from django.db.models.sql import UpdateQuery

Row = TypeVar("Row")
Value = int | str | date
_MAX_INTEGER = 2**63
_numbers = count(2_093_000_001)


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A statement, and what Django needs to make rows of what it returns.

    `values` are its parameters, a name for each that is given when it runs.
    """

    sql: str
    values: tuple[tuple[str, Any], ...]
    columns: int
    converters: dict[int, Any]
    locks: bool
    make: Callable[[Any], Any]


class PreparedQuery(Generic[Row]):
    """A queryset of the default database, as a function of its parameters, which are of the types in `parameters`."""

    def __init__(self, build: Callable[..., Any], **parameters: type[Value]) -> None:
        self._build = build
        self._parameters = parameters
        self._compiled: dict[str, _Compiled] = {}

    def first(self, **arguments: Value) -> Row | None:
        """The first row, of a queryset that is limited to one or has no more; None if there is none."""
        return next(self.rows(**arguments), None)

    def rows(self, **arguments: Value) -> Iterator[Row]:
        """All rows, read at once."""
        if not _check(self._parameters, arguments):
            return iter(())
        compiled = self._compiled.get(connection.vendor)
        if compiled is None:
            compiled = self._compiled[connection.vendor] = self._compile()
        if compiled.locks and not connection.in_atomic_block:
            raise transaction.TransactionManagementError("rows are locked in transactions only")
        with _cursor() as cursor:
            cursor.execute(compiled.sql, _filled(compiled.values, arguments))
            fetched = cast("list[Any]", cursor.fetchall())
        return (compiled.make(_converted(row, compiled)) for row in fetched)

    def _compile(self) -> _Compiled:
        marks = _marks(self._parameters)
        queryset: QuerySet[Any] = self._build(**marks)
        query = queryset.query
        compiler: Any = query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        values = _named_parameters(marks, parameters)
        columns = compiler.col_count
        converters = compiler.get_converters([each[0] for each in compiler.select[:columns]])
        return _Compiled(sql, values, columns, converters, query.select_for_update, _maker(queryset, compiler))


class PreparedUpdate:
    """An UPDATE of the default database, as a function of its parameters: the rows, and the new values by field."""

    def __init__(self, build: Callable[..., tuple[QuerySet[Any], dict[str, Any]]], **parameters: type[Value]) -> None:
        self._build = build
        self._parameters = parameters
        self._compiled: dict[str, tuple[str, tuple[tuple[str, Any], ...]]] = {}

    def run(self, **arguments: Value) -> int:
        """How many rows there were."""
        if not _check(self._parameters, arguments):
            return 0
        compiled = self._compiled.get(connection.vendor)
        if compiled is None:
            compiled = self._compiled[connection.vendor] = self._compile()
        sql, values = compiled
        with _cursor() as cursor:
            cursor.execute(sql, _filled(values, arguments))
            return int(cursor.rowcount)

    def _compile(self) -> tuple[str, tuple[tuple[str, Any], ...]]:
        marks = _marks(self._parameters)
        queryset, new = self._build(**marks)
        query: Any = queryset.query.chain(UpdateQuery)
        query.add_update_values(new)
        sql, parameters = query.get_compiler(connection=connection).as_sql()
        return sql, _named_parameters(marks, parameters)


def row_update(row: Model) -> None:
    """Write the columns that are loaded of a row that exists. Raises DatabaseError if it is gone."""
    deferred = row.get_deferred_fields()
    fields = tuple(each for each in _columns(type(row)) if each.attname not in deferred)
    with _cursor() as cursor:
        cursor.execute(_update_sql(connection.vendor, type(row), fields), [*_values(row, fields, False), row.pk])
        if cursor.rowcount != 1:
            raise DatabaseError(f"there is no {type(row).__name__} {row.pk}")


def row_insert(row: Model) -> None:
    """Write a new row; its key is not read back."""
    fields = _columns(type(row))
    with _cursor() as cursor:
        cursor.execute(_insert_sql(connection.vendor, type(row)), _values(row, fields, True))


def _columns(model: type[Model]) -> tuple[Any, ...]:
    return tuple(each for each in model._meta.concrete_fields if not each.primary_key)


def _values(row: Model, fields: Sequence[Any], new: bool) -> list[Any]:
    return [each.get_db_prep_save(each.pre_save(row, new), connection=connection) for each in fields]


@cache
def _update_sql(vendor: str, model: type[Model], fields: tuple[Any, ...]) -> str:
    quote = connection.ops.quote_name
    key: Any = model._meta.pk
    columns = ", ".join(f"{quote(each.column)} = %s" for each in fields)
    return f"UPDATE {quote(model._meta.db_table)} SET {columns} WHERE {quote(key.column)} = %s"


@cache
def _insert_sql(vendor: str, model: type[Model]) -> str:
    quote, fields = connection.ops.quote_name, _columns(model)
    columns, marks = ", ".join(quote(each.column) for each in fields), ", ".join("%s" for _ in fields)
    return f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})"


def _check(parameters: Mapping[str, type[Value]], arguments: Mapping[str, Value]) -> bool:
    """Whether a row may have these values: none has an integer that no column holds."""
    if arguments.keys() != parameters.keys():
        raise TypeError(f"parameters are {', '.join(parameters)}, not {', '.join(arguments)}")
    for name, value in arguments.items():
        if not isinstance(value, parameters[name]):
            raise TypeError(f"{name} is no {parameters[name].__name__}: {value!r}")
        if isinstance(value, int) and not -_MAX_INTEGER <= value < _MAX_INTEGER:
            return False
    return True


def _marks(parameters: Mapping[str, type[Value]]) -> dict[str, Any]:
    """A unique value for each parameter, by which it is recognised among those of the compiled statement."""
    return {
        name: date.fromordinal(next(_numbers) % 1_000_000 + 2_000_000)
        if kind is date
        else cast("Any", kind)(next(_numbers))
        for name, kind in parameters.items()
    }


def _named_parameters(marks: Mapping[str, Any], parameters: Sequence[Any]) -> tuple[tuple[str, Any], ...]:
    """The statement's parameters, with the names of those that are given when it runs."""
    names = {_adapted(mark): name for name, mark in marks.items()}
    values = tuple((names.get(value, "") if isinstance(value, int | str | date) else "", value) for value in parameters)
    if missing := set(marks) - {name for name, _ in values}:
        raise ValueError(f"the query does not depend on {', '.join(sorted(missing))}")
    return values


def _filled(values: Sequence[tuple[str, Any]], arguments: Mapping[str, Value]) -> list[Any]:
    return [_adapted(arguments[name]) if name else value for name, value in values]


def _adapted(value: Any) -> Any:
    return connection.ops.adapt_datefield_value(value) if isinstance(value, date) else value


def _cursor() -> Any:
    """On PostgreSQL one whose statements the server keeps, too (`config/postgresql`)."""
    return getattr(connection, "prepared_cursor", connection.cursor)()


def _converted(row: Any, compiled: _Compiled) -> Any:
    if not compiled.converters:
        return row[: compiled.columns]
    values = list(row[: compiled.columns])
    for index, (converters, expression) in compiled.converters.items():
        value = values[index]
        for convert in converters:
            value = convert(value, expression, connection)
        values[index] = value
    return values


def _maker(queryset: Any, compiler: Any) -> Callable[[Any], Any]:
    """What turns a converted row into what the queryset would give, as its own iterable does."""
    kind = queryset._iterable_class
    if kind is ValuesListIterable:
        return tuple
    if kind is not ModelIterable:
        raise TypeError(f"{kind.__name__} is not supported: use instances or values_list")
    klass, database = compiler.klass_info, queryset.db
    model = klass["model"]
    start, end = klass["select_fields"][0], klass["select_fields"][-1] + 1
    names = [each[0].target.attname for each in compiler.select[start:end]]
    # Its types are those of a later release.
    populators = cast("Any", get_related_populators)(klass, compiler.select, database)
    annotations = list((compiler.annotation_col_map or {}).items())

    def make(row: Any) -> Any:
        instance = model.from_db(database, names, row[start:end])
        for each in populators:
            each.populate(row, instance)
        for name, index in annotations:
            setattr(instance, name, row[index])
        return instance

    return make
