"""Who changed what in a project, newest first: read from the histories and tables in which it is kept anyway.

Each source gives the keys, times and people of its rows to one query, which sorts and cuts them; what a row says is
read for the rows of a page alone. So the number of queries does not grow with the project or its history.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import CharField, F, OuterRef, QuerySet, Subquery, Value

from annotation.hooks import AUDIT_SOURCES
from annotation.models import Project, User


class Topic(StrEnum):
    """What a change is about."""

    PROJECT = "project"
    SETTINGS = "settings"
    PEOPLE = "people"
    PLAN = "plan"
    GUIDELINES = "guidelines"
    GLOSSARY = "glossary"
    IMPORTS = "imports"
    GOLD = "gold"
    PUBLICATIONS = "publications"


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value before and after, in words; '' for none."""

    name: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """What a row says: what happened, about whom or what, and the values that it changed."""

    what: str
    about: str = ""
    values: tuple[ValueChange, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditedChange:
    """A change. `by` is '' for a command, a worker, and an account that was removed."""

    at: datetime
    by: str
    kind: Topic
    what: str
    about: str = ""
    values: tuple[ValueChange, ...] = field(default=())


Read = Callable[[Sequence[int]], Mapping[int, AuditEntry]]


@dataclass(frozen=True, slots=True)
class AuditSource:
    """A table with changes: its rows of a project, the columns of time and person, and what rows say, by their keys."""

    name: str
    kind: Topic
    rows: Callable[[Project], QuerySet[Any]]
    at: str
    by: str
    read: Read


def audit_sources(kind: str = "") -> list[AuditSource]:
    """All sources, or those of a kind."""
    every = [source for sources in AUDIT_SOURCES for source in sources]
    return [source for source in every if kind in ("", source.kind)]


class AuditTrail:
    """The changes of a project, by `kind` and by the account `person` if they are given, as a paginator takes them."""

    ordered = True

    def __init__(self, project: Project, *, kind: str = "", person: int | None = None) -> None:
        self._sources = {source.name: source for source in audit_sources(kind)}
        keys = [_keys(source, project, person) for source in self._sources.values()]
        self._all: QuerySet[Any, Any] = keys[0].union(*keys[1:], all=True) if len(keys) > 1 else keys[0]

    def count(self) -> int:
        """How many changes there are, counted in one query."""
        return self._all.count()

    def page(self, number: Any, size: int) -> Page[Any]:
        """The page with this number; the last one if there are fewer."""
        whole: Any = self
        return Paginator(whole, size).get_page(number)

    def __len__(self) -> int:
        return self.count()

    def __getitem__(self, part: slice) -> list[AuditedChange]:
        """The changes of a page: one query for their keys, one or two for each source that has any among them."""
        rows = list(self._all.order_by("-audit_at", "audit_source", "-audit_key")[part])
        keys: dict[str, list[int]] = defaultdict(list)
        for row in rows:
            keys[row["audit_source"]].append(row["audit_key"])
        entries = {name: self._sources[name].read(rows_of_source) for name, rows_of_source in keys.items()}
        people = {row["audit_by"] for row in rows} - {None}
        names = dict(User.objects.filter(pk__in=people).values_list("pk", "username")) if people else {}
        changes = []
        for row in rows:
            entry = entries[row["audit_source"]].get(row["audit_key"])
            if entry is not None:
                kind = self._sources[row["audit_source"]].kind
                by = names.get(row["audit_by"], "")
                changes.append(AuditedChange(row["audit_at"], by, kind, entry.what, entry.about, entry.values))
        return changes


def _keys(source: AuditSource, project: Project, person: int | None) -> QuerySet[Any, Any]:
    rows = source.rows(project)
    if person is not None:
        rows = rows.filter(**{source.by: person})
    keys: QuerySet[Any, Any] = (
        rows.order_by()
        .annotate(
            audit_source=Value(source.name, output_field=CharField()),
            audit_key=F("pk"),
            audit_at=F(source.at),
            audit_by=F(source.by),
        )
        .values("audit_source", "audit_key", "audit_at", "audit_by")
    )
    return keys


def with_before(history: Any, keys: Sequence[int]) -> dict[int, tuple[Any, Any]]:
    """Rows of a history by key, each with the one before it of the same object (None for the first). Two queries."""
    earlier = history.filter(id=OuterRef("id"), history_id__lt=OuterRef("history_id")).order_by("-history_id")
    rows = list(history.filter(pk__in=keys).annotate(before=Subquery(earlier.values("history_id")[:1])))
    befores = history.in_bulk([row.before for row in rows if row.before is not None])
    return {row.pk: (row, befores.get(row.before)) for row in rows}


def people_in_audit_trail(project: Project) -> list[tuple[int, str]]:
    """The accounts that changed something, by name: one query for their keys and one for their names."""
    keys = [_keys(source, project, None).values("audit_by") for source in audit_sources()]
    accounts = {row["audit_by"] for row in keys[0].union(*keys[1:])} - {None}
    return list(User.objects.filter(pk__in=accounts).order_by("username").values_list("pk", "username"))


def changed_values(values: Iterable[ValueChange]) -> tuple[ValueChange, ...]:
    """The values that changed."""
    return tuple(value for value in values if value.before != value.after)


def audit_person(username: str) -> int | None:
    """The key of the account with this name; None for no name, -1 (which made no change) for an unknown one."""
    if not username:
        return None
    return User.objects.filter(username=username).values_list("pk", flat=True).first() or -1
