"""The papers again: every number that is printed comes out the same, and nothing is kept."""

from __future__ import annotations

import io
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from agreement.publication import reproduction
from agreement.publication.reproduction import MISPRINTS, SWISSGOV, XPARADE, ReproducedNumber, reproduce
from annotation.errors import Invalid
from annotation.models import Project
from tests.annotation.formats.samples import lines, parade, town, town_line
from tests.factories import ProjectFactory
from tests.paths import published

pytestmark = [pytest.mark.any_database, pytest.mark.django_db, pytest.mark.long]


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch, migrated: Path) -> None:
    """The database in memory gets copies of tables that are there, in place of ten seconds of migrations."""

    def copy(*_: object, **__: object) -> None:
        connection.ensure_connection()
        with closing(sqlite3.connect(migrated)) as source:
            source.backup(connection.connection)

    monkeypatch.setattr(reproduction, "call_command", copy)


@pytest.mark.usefixtures("tables")
@pytest.mark.data
@pytest.mark.parametrize(
    ("data", "path", "known"),
    [
        ("xparade", ("xparade", "complete_data_es"), {("EN-ES", name) for name in XPARADE["EN-ES"]}),
        ("swissgov", ("swissgov",), {("EN-DE, trial", name) for name in SWISSGOV["EN-DE, trial"]}),
    ],
)
def test_every_printed_number_comes_out_the_same(data: str, path: tuple[str, ...], known: set[tuple[str, str]]) -> None:
    cells = reproduce(data, published(*path))
    assert known <= {(cell.data, cell.name) for cell in cells if cell.same}
    assert [cell for cell in cells if cell.same is False] == []
    assert not Project.objects.exists()


@pytest.mark.usefixtures("tables")
@pytest.mark.data
@pytest.mark.parametrize("folder", ["complete_data_hi", "complete_data_zh"])
def test_the_rule_gives_the_released_label_of_every_token(folder: str) -> None:
    cells = reproduce("xparade", published("xparade", folder))
    wrong = [cell for cell in cells if cell.name.startswith("tokens whose adjudicated label")]
    assert len(wrong) == 2 and all(cell.same for cell in wrong)


@pytest.mark.data
def test_the_sites_database_is_neither_written_nor_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    site, made = connection.settings_dict["NAME"], []

    def imported(*_: object) -> None:
        made.append(connection.settings_dict["NAME"])
        assert not Project.objects.exists(), "the project of the site is not here"
        raise Invalid("seen")

    ProjectFactory()
    monkeypatch.setattr(reproduction, "_import_project", imported)
    with pytest.raises(Invalid, match="seen"):
        reproduce("xparade", published("xparade", "complete_data_hi"))
    assert made == [":memory:"] and connection.settings_dict["NAME"] == site and Project.objects.count() == 1


def test_a_slip_is_measured_by_what_it_should_have_been() -> None:
    for data, numbers in MISPRINTS.items():
        for name, corrected in numbers.items():
            printed = SWISSGOV[data][name]
            right, slipped = (ReproducedNumber(data, name, value, printed, corrected) for value in (corrected, printed))
            assert right.same and right.remark.endswith("same")
            assert slipped.same is False and slipped.remark.endswith("DIFFERS")


def run(*arguments: object) -> str:
    out = io.StringIO()
    call_command("reproduce", *map(str, arguments), stdout=out)
    return out.getvalue()


@pytest.mark.usefixtures("tables")
def test_languages_that_we_know_no_number_of_are_computed_all_the_same(tmp_path: Path) -> None:
    for annotator in (1, 2):
        path = tmp_path / "annotations" / "annotations_raw" / f"annotations{annotator}" / "rm" / "a.jsonl"
        lines(path, town_line(page_en="a_en_a.html", page_other="a_rm_a.html", languages=["rm", "en"]))
    town(tmp_path / "annotations", first=[], second=[])
    for german in (tmp_path / "annotations" / "annotations_raw").glob("*/de"):
        shutil.rmtree(german)
    printed = run("swissgov", tmp_path)
    assert "EN-RM, main" in printed and "not printed, or not known here" in printed


@pytest.mark.usefixtures("tables")
def test_a_number_that_differs_ends_with_code_1(tmp_path: Path) -> None:
    lines(tmp_path / "en-es-adj-dev.json", [parade()])
    with pytest.raises(CommandError, match="numbers differ from the printed ones"):
        run("xparade", tmp_path)
    assert not Project.objects.exists()


@pytest.mark.usefixtures("tables")
def test_missing_files_are_named(tmp_path: Path) -> None:
    for data in ("xparade", "swissgov"):
        with pytest.raises(Invalid):
            reproduce(data, tmp_path)
    lines(tmp_path / "en-es-adj-dev.json", [parade(premise=None)])
    with pytest.raises(CommandError, match="premise: missing"):
        run("xparade", tmp_path)
