"""How often saving and opening a pair ask the database: each statement is a round trip, and every save makes them."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.selectors import texts
from tests.annotation.work import LIBRARY, doc, house, span
from tests.factories import AssignmentFactory


def statements(context: CaptureQueriesContext) -> list[str]:
    """Those that read or write rows, without the ones that begin and end transactions."""
    words = ("SELECT", "INSERT", "UPDATE", "DELETE")
    return [each["sql"] for each in context.captured_queries if each["sql"].startswith(words)]


def test_a_save_makes_eight_statements_and_reads_nothing_that_it_does_not_need(db: Any) -> None:
    home = house()
    address = reverse("api-annotation", args=(home.assignment.pk,))
    for revision in range(2):
        with CaptureQueriesContext(connection) as captured:
            work = {"revision": revision, "spans": doc(span(LIBRARY, label=str(revision + 1)))}
            saved = home.annotator.put(address, work, "application/json")
        assert saved.status_code == 200
    made = statements(captured)
    assert len(made) == 8, "\n".join(made)
    for column in ("sentences", "metadata", "translations", "feedback", "provenance", "content", "tokens"):
        assert not [sql for sql in made if f'"{column}"' in sql], column
    assert not [sql for sql in made if '"annotation_guideline"."text"' in sql]


def test_texts_are_remembered_up_to_a_limit_and_read_again_above_it(db: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = house().assignment.pair
    texts._remembered.clear()

    def statements_needed() -> int:
        with CaptureQueriesContext(connection) as context:
            found = texts.texts_to_check(pair)
        assert [text.content for text in found] == [pair.a.content, pair.b.content]
        return len(statements(context))

    assert [statements_needed(), statements_needed()] == [1, 0]
    monkeypatch.setattr(texts, "MAX_TOKENS", len(pair.b.tokens))
    assert [statements_needed(), statements_needed()] == [0, 1], "only one of the two fits"
    monkeypatch.setattr(texts, "MAX_TOKENS", 0)
    assert statements_needed() == 1 and not texts._remembered


def test_opening_a_pair_makes_thirteen_statements_for_the_page_and_eleven_for_its_data(db: Any) -> None:
    home = house()
    AssignmentFactory(annotator=home.assignment.annotator, order=home.assignment.order + 1)
    for address, number in (
        (reverse("work", args=(home.project.slug, home.assignment.pk)), 13),
        (reverse("api-assignment", args=(home.assignment.pk,)), 11),
    ):
        home.annotator.get(address)
        with CaptureQueriesContext(connection) as captured:
            assert home.annotator.get(address).status_code == 200
        made = statements(captured)
        assert len(made) == number, made
        assert not [sql for sql in made if '"annotation_pair"."translations"' in sql]
