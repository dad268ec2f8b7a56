"""Prepared queries give what their querysets give, in one statement, and keep no row."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Count, F, Q
from django.test.utils import CaptureQueriesContext

from annotation.cached_statements import PreparedQuery, PreparedUpdate, row_insert, row_update
from annotation.models import Annotation, Annotator, Assignment, Pair, Project, Revision, Text
from annotation.models.time import WorkDay
from tests.factories import AssignmentFactory, PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def test_instances_have_what_is_selected_along_and_what_is_annotated() -> None:
    work = AssignmentFactory(pair=PairFactory(metadata={"page": [1, "é"]}))
    AssignmentFactory()

    def build(pk: int) -> Any:
        rows = Assignment.objects.filter(pk=pk).select_related("pair__a", "annotator__project", "pair__statement")
        return rows.defer("pair__b", "pair__a__sentences").annotate(double=F("order") * 2)

    prepared: PreparedQuery[Any] = PreparedQuery(build, pk=int)
    wanted = build(work.pk).get()
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            found: Any = prepared.first(pk=work.pk)
            assert (found, found.pair, found.pair.a, found.annotator) == (work, work.pair, work.pair.a, work.annotator)
            assert found.pair.a.tokens == wanted.pair.a.tokens and found.pair.metadata == {"page": [1, "é"]}
            assert found.pair.statement is None and found.double == wanted.double
            assert found.annotator.project.scheme == wanted.annotator.project.scheme
        assert len(queries) == 1
        assert found.get_deferred_fields() == wanted.get_deferred_fields()
        assert found.pair.a.get_deferred_fields() == {"sentences"} and not found._state.adding


def test_values_are_tuples_in_their_order_and_of_their_types() -> None:
    project = ProjectFactory()
    rows = [PairFactory(project=project, position=n, metadata={"n": n}) for n in range(3)]
    prepared: PreparedQuery[tuple[Any, ...]] = PreparedQuery(
        lambda project, least: (
            Pair.objects.filter(project=project, position__gte=least)
            .order_by("-position")
            .values_list("metadata", "pk", "a__language")
        ),
        project=int,
        least=int,
    )
    assert list(prepared.rows(project=project.pk, least=1)) == [({"n": n}, rows[n].pk, "en") for n in (2, 1)]
    assert prepared.first(project=project.pk, least=9) is None


def test_counts_of_a_group() -> None:
    person = AssignmentFactory(order=1).annotator
    AssignmentFactory(annotator=person, order=5)
    prepared: PreparedQuery[tuple[int, int]] = PreparedQuery(
        lambda annotator, order: (
            Assignment.objects.filter(annotator=annotator)
            .order_by()
            .values("annotator")
            .annotate(all=Count("pk"), before=Count("pk", filter=Q(order__lt=order)))
            .values_list("all", "before")
        ),
        annotator=int,
        order=int,
    )
    assert prepared.first(annotator=person.pk, order=5) == (2, 1)
    assert prepared.first(annotator=0, order=5) is None


def test_no_row_is_kept() -> None:
    project = ProjectFactory(slug="town", name="Town")
    prepared: PreparedQuery[Project] = PreparedQuery(lambda slug: Project.objects.filter(slug=slug), slug=str)
    assert prepared.first(slug="town") == project
    Project.objects.update(name="City")
    found = prepared.first(slug="town")
    assert found is not None and found.name == "City"
    project.delete()
    assert prepared.first(slug="town") is None


def test_parameters_are_values_and_never_part_of_the_statement() -> None:
    ProjectFactory(slug="town")
    prepared: PreparedQuery[Project] = PreparedQuery(lambda slug: Project.objects.filter(slug=slug), slug=str)
    for slug in ("' OR 1=1 --", "town' --", "%s", "tow_", "TOWN\\"):
        assert prepared.first(slug=slug) is None
    assert prepared.first(slug="town") is not None


@pytest.mark.parametrize("given", [{}, {"pk": "1"}, {"pk": None}, {"pk": 1, "slug": "a"}, {"key": 1}])
def test_wrong_parameters_are_refused(given: Any) -> None:
    prepared: PreparedQuery[Project] = PreparedQuery(lambda pk: Project.objects.filter(pk=pk), pk=int)
    with pytest.raises(TypeError):
        prepared.first(**given)


def test_a_number_that_no_column_holds_finds_nothing() -> None:
    prepared: PreparedQuery[Project] = PreparedQuery(lambda pk: Project.objects.filter(pk=pk), pk=int)
    for number in (2**63, -(2**63) - 1, 10**40):
        assert prepared.first(pk=number) is None
    assert prepared.first(pk=2**63 - 1) is None


def test_a_query_that_ignores_a_parameter_or_makes_other_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="does not depend on pk"):
        PreparedQuery(lambda pk: Text.objects.all(), pk=int).first(pk=1)
    with pytest.raises(TypeError, match="values_list"):
        PreparedQuery(lambda pk: Annotator.objects.filter(pk=pk).values("alias"), pk=int).first(pk=1)


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_in_a_transaction_only() -> None:
    prepared: PreparedQuery[Project] = PreparedQuery(
        lambda pk: Project.objects.filter(pk=pk).select_for_update(), pk=int
    )
    project = ProjectFactory()
    with transaction.atomic():
        assert prepared.first(pk=project.pk) == project
    with pytest.raises(transaction.TransactionManagementError):
        prepared.first(pk=project.pk)


def test_an_update_adds_to_a_column_in_one_statement_and_says_how_many_rows_there_were() -> None:
    person, day = AssignmentFactory().annotator, date(2026, 11, 26)
    WorkDay.objects.create(annotator=person, day=day, phase="main", seconds=5)
    WorkDay.objects.create(annotator=person, day=day, phase="trial", seconds=7)
    add = PreparedUpdate(
        lambda annotator, day, n: (
            WorkDay.objects.filter(annotator=annotator, day=day, phase="main").order_by(),
            {"seconds": F("seconds") + n},
        ),
        annotator=int,
        day=date,
        n=int,
    )
    for n in (1, 30):
        with CaptureQueriesContext(connection) as queries:
            assert add.run(annotator=person.pk, day=day, n=n) == 1
        assert len(queries) == 1
    assert add.run(annotator=person.pk, day=date(2026, 11, 27), n=1) == 0
    assert add.run(annotator=2**63, day=day, n=1) == 0
    assert dict(WorkDay.objects.values_list("phase", "seconds")) == {"main": 36, "trial": 7}
    with pytest.raises(TypeError):
        add.run(annotator=person.pk, day="2026-11-26", n=1)


def test_rows_are_written_as_save_writes_them() -> None:
    work = AssignmentFactory()
    content = {"spans": {"v": 1, "spans": [{"label": "é \\ % '"}]}, "answers": {}, "comment": "%s “ä” \U0001d518"}
    annotation = Annotation.objects.create(source="human", pair=work.pair, assignment=work, reason="before")
    before = annotation.changed
    row = Annotation.objects.defer("reason").get()
    Annotation.objects.update(reason="meanwhile")
    for name, value in content.items():
        setattr(row, name, value)
    with CaptureQueriesContext(connection) as queries:
        row_update(row)
        row_insert(Revision(annotation=row, number=1, **content))
    assert len(queries) == 2
    saved, revision = Annotation.objects.get(), Revision.objects.get()
    for each in (saved, revision):
        assert {name: getattr(each, name) for name in content} == content
    assert saved.changed > before and saved.made == annotation.made and saved.reason == "meanwhile"
    assert revision.made is not None and revision.made_by is None
    Revision.objects.all().delete()
    Annotation.objects.all().delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        row_update(row)
    assert not Annotation.objects.exists()
