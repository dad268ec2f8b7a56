"""What migrations make of the gold of an older database."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from agreement.adjudication.reasons import Code, Value, make_reason
from agreement.models import GoldVersion
from agreement.selectors import gold_annotations
from annotation.models import Annotation, Project
from annotation.text.schemes import PRESETS

codes = importlib.import_module("agreement.migrations.0006_codes_of_reasons")
VALUES: dict[str, Value] = {"n": 3, "of": 4, "p": 0.25, "share": 92.5, "name": "Anna of Bern"}


@pytest.mark.parametrize("code", [code for code in Code if code is not Code.OTHER])
def test_every_sentence_of_a_rule_becomes_its_code(code: Code) -> None:
    """Those of today, and those of the first release where they were others."""
    reason = make_reason(code, **{name: value for name, value in VALUES.items() if f"({name})" in code.form})
    sentences = [sentence.format(**VALUES) for sentence in codes.SENTENCES[code.value]]
    assert sentences[-1] == str(reason)
    assert [codes.coded(sentence) for sentence in sentences] == [reason.to_json()] * len(sentences)


@pytest.mark.parametrize("words", ["a menu", "some of them marked it", "a tie between friends"])
def test_what_somebody_wrote_stays(words: str) -> None:
    assert codes.coded(words) == {"code": "other", "text": words}


FIRST_RELEASE = [("agreement", "0001_gold_reports_and_publications"), ("annotation", "0001_people_texts_and_work")]
BEFORE = [("agreement", "0005_names_of_publication_states"), ("annotation", "0007_reassigned_assignments")]
SPANS = {"v": 1, "spans": [{"id": "s1", "label": "2", "fragments": [{"side": "a", "start": 0, "end": 3}]}]}
OTHER: dict[str, Any] = {"v": 1, "spans": []}
MADE = datetime(2026, 11, 1, 12, tzinfo=UTC)
BY_RULE = {"annotations": [1], "rule": "union"}
BY_HAND = {"annotations": [1], "rule": "hand", "how": "taken", "by": "mia"}


@pytest.fixture(
    params=[FIRST_RELEASE, pytest.param(BEFORE, marks=pytest.mark.any_database)], ids=["the first release", "before"]
)
def older(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The models of an older database, which is the test's."""
    executor = MigrationExecutor(connection)
    yield executor.migrate(request.param).apps
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


class Old:
    """A project of an older database, with pairs, gold and decisions to be made in it."""

    def __init__(self, apps: Any, slug: str) -> None:
        self.rows = {
            name: apps.get_model(app, name).objects
            for app, name in (
                ("annotation", "User"),
                ("annotation", "Text"),
                ("annotation", "Pair"),
                ("annotation", "Annotation"),
                ("agreement", "GoldVersion"),
                ("agreement", "HandDecision"),
            )
        }
        self.project = apps.get_model("annotation", "Project").objects.create(
            slug=slug, name=slug, scheme=PRESETS["graded"].to_json()
        )
        self.by = self.rows["User"].create(username=f"mia-{slug}")

    def version(self, number: int, **fields: object) -> None:
        self.rows["GoldVersion"].create(project=self.project, number=number, rule="union", phase="main", **fields)

    def pair(self, name: str) -> Any:
        whole = [[0, 11]]
        text = self.rows["Text"].create(
            digest=f"{self.project.slug} {name}", content="Some words.", tokens=whole, sentences=whole, paragraphs=whole
        )
        return self.rows["Pair"].create(project=self.project, external_id=name, position=1, a=text, b=text)

    def gold(self, on: Any, number: int, spans: dict[str, Any] = SPANS, **fields: Any) -> int:
        row = self.rows["Annotation"].create(source="gold", pair=on, gold_version=number, spans=spans, **fields)
        return int(row.pk)

    def decide(self, on: Any, comment: str = "") -> None:
        made = self.rows["HandDecision"].create(
            pair=on, spans=SPANS, provenance={"s1": BY_HAND}, comment=comment, revision=2, made_by=self.by
        )
        self.rows["HandDecision"].filter(pk=made.pk).update(made=MADE)


def upgraded() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def decision(name: str) -> tuple[int, int | None, dict[str, Any], str, str]:
    """A pair's decision as it is stored: its row, version, provenance, comment and feedback."""
    row = Annotation.objects.get(pair__external_id=name, decided=MADE)
    assert row.decided_by is not None and row.decided_by.username.startswith("mia") and row.spans == SPANS
    return row.pk, row.gold_version, row.provenance, row.comment, row.feedback


def sentences(older: Any) -> Callable[[], None]:
    """Sentences kept with gold; returns the check that they have become codes."""
    old = Old(older, "codes")
    old.version(1, excluded={"p2": "rejected by 2 annotators", "p3": "a menu"})
    unsure: dict[str, Any] = {
        "g1": BY_RULE | {"unsure": "1 of 2 found it new"},
        "g2": BY_RULE,
        "g3": BY_RULE | {"unsure": "a tie"},
    }
    row = old.gold(old.pair("p1"), 1, verdict="submitted", provenance=unsure)
    changed = old.rows["Annotation"].get(pk=row).changed

    def check() -> None:
        gold = Annotation.objects.get(pk=row)
        assert gold.provenance == {
            "g1": BY_RULE | {"unsure": {"code": "new-by", "n": 1, "of": 2}},
            "g2": BY_RULE,
            "g3": BY_RULE | {"unsure": {"code": "tie"}},
        }
        assert gold.changed == changed
        version = GoldVersion.objects.get(project__slug="codes")
        assert version.excluded == {"p2": {"code": "rejected", "n": 2}, "p3": {"code": "other", "text": "a menu"}}

    return check


def drafts(older: Any) -> Callable[[], None]:
    """Drafts and decisions; returns the check that they have become the pairs' gold."""
    old = Old(older, "rows")
    old.version(1)
    old.version(2, open=True)
    old.version(3)
    here, closed, started, ruled, lost = (old.pair(name) for name in ("here", "closed", "started", "ruled", "lost"))
    own: dict[str, Any] = {"provenance": {"s1": BY_RULE}, "dismissed": ["k1"], "comment": "as I read it"}
    rows = [
        old.gold(here, 2, revision=2, **own),
        old.gold(closed, 1, verdict="submitted", provenance={"s1": BY_HAND}, comment="Read again."),
        old.gold(closed, 3, verdict="submitted", provenance={"s1": BY_HAND}, comment="Well read."),
        old.gold(started, 2, OTHER, **own),
        old.gold(ruled, 3, verdict="submitted", provenance={"s1": BY_RULE}, comment="Well read."),
    ]
    old.gold(here, 1, OTHER, verdict="submitted")
    old.decide(here, "as I read it")
    old.decide(closed, "a remark")
    old.decide(lost)
    elsewhere = Old(older, "elsewhere")
    elsewhere.version(4)
    elsewhere.decide(elsewhere.pair("alone"), "a remark")

    def check() -> None:
        assert decision("here") == (rows[0], 2, {"s1": BY_HAND}, "as I read it", "")
        assert decision("closed") == (rows[2], 3, {"s1": BY_HAND}, "a remark", "Well read.")
        assert decision("lost")[1:] == (2, {"s1": BY_HAND}, "", "")
        assert decision("alone")[1:] == (5, {"s1": BY_HAND}, "a remark", "")
        gold = Annotation.objects.in_bulk(rows)
        assert [gold[pk].unmarked for pk in rows] == [["k1"], [], [], ["k1"], []]
        assert not any(row.dismissed for row in gold.values())
        assert (gold[rows[1]].comment, gold[rows[1]].feedback) == ("", "Read again.")
        assert (gold[rows[3]].comment, gold[rows[3]].decided) == ("as I read it", None)
        assert (gold[rows[4]].feedback, gold[rows[4]].decided) == ("Well read.", None)
        assert Annotation.objects.exclude(pair__project__slug="codes").count() == len(rows) + 3
        assert list(gold_annotations(Project.objects.get(slug="rows"), 3).values_list("pk", flat=True)) == [
            rows[2],
            rows[4],
        ]

    return check


@pytest.mark.long
@pytest.mark.takes(15)
@pytest.mark.django_db(transaction=True)
def test_the_gold_of_an_older_database_becomes_todays(older: Any) -> None:
    """Both at once, for migrating back and forth takes seconds."""
    checks = [sentences(older), drafts(older)]
    upgraded()
    for check in checks:
        check()


@pytest.mark.long
@pytest.mark.any_database
@pytest.mark.takes(22)
@pytest.mark.django_db(transaction=True)
def test_columns_that_databases_from_before_the_first_release_lack_are_added() -> None:
    executor = MigrationExecutor(connection)
    old = Old(executor.migrate(FIRST_RELEASE).apps, "first")
    old.decide(old.pair("p1"))
    old.version(1)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE agreement_handdecision DROP COLUMN answers")
        cursor.execute("ALTER TABLE annotation_pair DROP COLUMN translations")
    upgraded()
    gold = Annotation.objects.select_related("pair").get(decided=MADE)
    assert (gold.answers, gold.pair.translations, gold.spans) == ({}, {}, SPANS)
