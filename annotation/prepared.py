"""Queries whose SQL is built once for a process: building it costs Django more than running it.

    _BY_SLUG = Prepared(lambda slug: Project.objects.filter(slug=slug).order_by(), slug=str)
    project = _BY_SLUG.first(slug="town")

The rows are what the queryset would give: instances with what it selects along, or tuples of `values_list`. Only SQL is
kept, no row. The queryset may depend on its parameters by their values alone: not on how many there are, and a
condition must not be left out for some of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Generic, TypeVar, cast

from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.query import ModelIterable, ValuesListIterable, get_related_populators

Row = TypeVar("Row")
_LARGEST = 2**63
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


class Prepared(Generic[Row]):
    """A queryset of the default database, as a function of its parameters, which are of the types in `parameters`."""

    def __init__(self, build: Callable[..., Any], **parameters: type[int] | type[str]) -> None:
        self._build = build
        self._parameters = parameters
        self._compiled: dict[str, _Compiled] = {}

    def first(self, **given: int | str) -> Row | None:
        """The first row, of a queryset that is limited to one or has no more; None if there is none."""
        return next(self.rows(**given), None)

    def rows(self, **given: int | str) -> Iterator[Row]:
        """All rows, read at once."""
        if not self._check(given):
            return iter(())
        compiled = self._compiled.get(connection.vendor)
        if compiled is None:
            compiled = self._compiled[connection.vendor] = self._compile()
        if compiled.locks and not connection.in_atomic_block:
            raise transaction.TransactionManagementError("rows are locked in transactions only")
        with _cursor() as cursor:
            cursor.execute(compiled.sql, [given[name] if name else value for name, value in compiled.values])
            found = cast("list[Any]", cursor.fetchall())
        return (compiled.make(_converted(row, compiled)) for row in found)

    def _check(self, given: dict[str, int | str]) -> bool:
        """Whether a row may have these values: none has an integer that no column holds."""
        if given.keys() != self._parameters.keys():
            raise TypeError(f"parameters are {', '.join(self._parameters)}, not {', '.join(given)}")
        for name, value in given.items():
            if not isinstance(value, self._parameters[name]):
                raise TypeError(f"{name} is no {self._parameters[name].__name__}: {value!r}")
            if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
                return False
        return True

    def _compile(self) -> _Compiled:
        # Values that occur nowhere else are found again among the statement's parameters.
        marks = {name: kind(next(_numbers)) for name, kind in self._parameters.items()}
        queryset: QuerySet[Any] = self._build(**marks)
        query = queryset.query
        compiler: Any = query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        names = {mark: name for name, mark in marks.items()}
        values = tuple((names.get(value, "") if isinstance(value, int | str) else "", value) for value in parameters)
        if missing := set(marks) - {name for name, _ in values}:
            raise ValueError(f"the query does not depend on {', '.join(sorted(missing))}")
        columns = compiler.col_count
        converters = compiler.get_converters([each[0] for each in compiler.select[:columns]])
        return _Compiled(sql, values, columns, converters, query.select_for_update, _maker(queryset, compiler))


def _cursor() -> Any:
    """On PostgreSQL one whose statements the server keeps, too (`config/postgresql`)."""
    return getattr(connection, "prepared_cursor", connection.cursor)()


def _converted(row: Any, compiled: _Compiled) -> Any:
    if not compiled.converters:
        return row[: compiled.columns]
    values = list(row[: compiled.columns])
    for at, (converters, expression) in compiled.converters.items():
        value = values[at]
        for convert in converters:
            value = convert(value, expression, connection)
        values[at] = value
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
        made = model.from_db(database, names, row[start:end])
        for each in populators:
            each.populate(row, made)
        for name, at in annotations:
            setattr(made, name, row[at])
        return made

    return make
