"""An import holds no lock while it prepares, shows nothing before it takes effect, and leaves nothing behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection, connections
from django.db.models.functions import Now
from django.utils.module_loading import import_string

from annotation.models import Annotation, Annotator, Assignment, Guideline, JobStatus, Pair, Project, Revision, Text
from annotation.models.imports import Import, StagedLink
from annotation.services import import_assignments as import_assignments_module
from annotation.services import import_checks as import_checks_module
from annotation.services import import_progress as import_progress_module
from annotation.services import imports as imports_module
from annotation.services import texts as texts_module
from annotation.services.import_jobs import COMMAND_TIMEOUT, import_cancel, import_request, imports_clean, imports_run
from annotation.services.imports import import_files
from annotation.services.projects import preset, project_create
from tests.annotation.formats.samples import lines, pair, parade, span, swapped
from tests.annotation.services.test_imports import MARKED, work
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory, UserFactory

import_checks: Any = import_checks_module
import_assignments: Any = import_assignments_module
imports: Any = imports_module
texts: Any = texts_module
MODELS = (Annotator, Text, Pair, Assignment, Annotation, Revision, Guideline, StagedLink, Import)


def counts() -> dict[str, int]:
    found = {model.__name__: model._base_manager.count() for model in MODELS}
    return found | {"Project": Project.with_staged.count()}


def many(tmp_path: Path, number: int) -> Path:
    items = [
        pair(id=f"p{index}", annotations=[work("anna", MARKED)], gold={"spans": [MARKED]}) for index in range(number)
    ]
    return lines(tmp_path / "pairs.jsonl", *items)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "FIRST_BATCH", 2)
    monkeypatch.setattr(imports, "MIN_BATCH", 2)
    monkeypatch.setattr(imports, "MAX_BATCH", 2)


def elsewhere(action: Callable[[], Any]) -> Any:
    """The result of `action` in another thread, with a connection of its own that waits for locks only for a moment."""
    found: list[Any] = []

    def act() -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 100" if connection.vendor == "sqlite" else "SET lock_timeout = 100")
        try:
            found.append(action())
        finally:
            connections.close_all()

    thread = threading.Thread(target=act)
    thread.start()
    thread.join()
    assert found, "the other connection met a lock"
    return found[0]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("dry_run", [False, True])
def test_others_write_while_texts_are_tokenized_and_see_nothing_of_the_import(
    tmp_path: Path, small_batches: None, monkeypatch: pytest.MonkeyPatch, dry_run: bool
) -> None:
    other = ProjectFactory()
    towns = ProjectFactory(slug="towns")
    seen: list[tuple[int, int, int]] = []
    cut = texts.tokenize

    def write() -> tuple[int, int, int]:
        Project.objects.filter(pk=other.pk).update(name=f"Saved {len(seen)}")
        return Project.objects.count(), Pair.objects.filter(project=towns).count(), towns.annotators.count()

    def tokenize(*arguments: Any) -> Any:
        seen.append(elsewhere(write))
        return cut(*arguments)

    monkeypatch.setattr(texts, "tokenize", tokenize)
    report = import_files(slug="towns", paths=[many(tmp_path, 6)], dry_run=dry_run)
    assert report.pairs_new == 6 and set(seen) == {(2, 0, 0)} and len(seen) >= 6
    assert Pair.objects.filter(project=towns).count() == (0 if dry_run else 6)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("preparing", "waits"), [(0.5, 0), (0.125, 2)])
def test_the_lock_is_free_for_as_long_as_it_was_held(
    tmp_path: Path, small_batches: None, monkeypatch: pytest.MonkeyPatch, preparing: float, waits: int
) -> None:
    now, slept = [0.0], list[float]()

    def passing(seconds: float, act: Callable[..., Any]) -> Callable[..., Any]:
        def acted(*arguments: Any, **named: Any) -> Any:
            now[0] += seconds
            return act(*arguments, **named)

        return acted

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(imports, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    monkeypatch.setattr(imports, "prepare", passing(preparing, imports.prepare))
    monkeypatch.setattr(imports, "staging_write", passing(0.25, imports.staging_write))
    import_files(slug="towns", paths=[many(tmp_path, 6)], scheme=preset("graded"))
    assert slept == ([0.125] * waits if connection.vendor == "sqlite" else []), (
        "the first of three batches waits for none"
    )


@pytest.mark.django_db(transaction=True)
def test_a_dry_run_writes_nothing_at_all(tmp_path: Path) -> None:
    with connection.execute_wrapper(_only_reads):
        import_files(slug="towns", paths=[many(tmp_path, 3)], dry_run=True)


def _only_reads(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
    assert sql.startswith("SELECT"), sql
    return execute(sql, params, many, context)


@pytest.mark.django_db(transaction=True)
def test_a_staged_project_is_in_no_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slugs: list[tuple[list[str], list[bool]]] = []
    activate = imports.staging_activate

    def watched(**arguments: Any) -> Any:
        staged = Project.with_staged.filter(staged=True).values_list("staged", flat=True)
        slugs.append((list(Project.objects.values_list("slug", flat=True)), list(staged)))
        return activate(**arguments)

    monkeypatch.setattr(imports, "staging_activate", watched)
    import_files(slug="towns", paths=[many(tmp_path, 1)])
    assert slugs == [([], [True])] and counts()["Project"] == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small_batches")
def test_what_is_refused_late_leaves_nothing_behind(tmp_path: Path) -> None:
    ProjectFactory(slug="towns", scheme=preset("graded"))
    before = counts()
    items = [pair(id=f"p{index}") for index in range(5)] + [pair(id="bad", gold={"spans": [span("9", ("a", 0, 4))]})]
    with pytest.raises(imports.ImportRefused):
        import_files(slug="towns", paths=[lines(tmp_path / "pairs.jsonl", *items)])
    assert counts() == before


@pytest.mark.django_db(transaction=True)
def test_a_text_that_others_use_survives_a_refused_import(tmp_path: Path) -> None:
    import_files(slug="first", paths=[lines(tmp_path / "pairs.jsonl", pair())])
    before = counts()
    path = lines(tmp_path / "pairs.jsonl", pair(), pair(id="bad", gold={"spans": [span("9", ("a", 0, 4))]}))
    with pytest.raises(imports.ImportRefused):
        import_files(slug="second", paths=[path], scheme=preset("graded"))
    assert counts() == before


@pytest.mark.django_db(transaction=True)
def test_open_assignments_get_the_imported_work_and_keep_their_order(tmp_path: Path) -> None:
    towns = ProjectFactory(slug="towns")
    import_files(slug="towns", paths=[lines(tmp_path / "pairs.jsonl", pair(), pair(id="p2"))])
    anna = AnnotatorFactory(project=towns, alias="anna")
    first, second = Pair.objects.order_by("position")
    given = [AssignmentFactory(pair=each, annotator=anna, order=order) for each, order in ((second, 0), (first, 1))]
    path = lines(
        tmp_path / "pairs.jsonl",
        pair(annotations=[work("anna", MARKED), work("bruno", MARKED)], gold={"spans": [MARKED]}),
        pair(id="p2"),
        pair(id="p3", annotations=[work("anna", MARKED)]),
    )
    import_files(slug="towns", paths=[path])
    done = Annotation.objects.get(assignment=given[1])
    assert (done.pair, done.revisions.count(), done.assignment and done.assignment.status) == (first, 1, "done")
    orders = Assignment.objects.filter(annotator=anna).order_by("order").values_list("pair__external_id", "status")
    assert list(orders) == [("p2", "open"), ("p1", "done"), ("p3", "done")]
    assert Annotation.objects.filter(pair=first).count() == 3 and Pair.objects.count() == 3
    assert Assignment.objects.filter(pair=first, annotator__alias="bruno").exists()


@pytest.mark.django_db(transaction=True)
def test_a_project_that_changes_in_the_meantime_is_prepared_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    towns = ProjectFactory(slug="towns")
    last_step = imports.staging_link_mirrors

    def meanwhile(**arguments: Any) -> None:
        monkeypatch.setattr(imports, "staging_link_mirrors", last_step)
        import_files(slug="towns", paths=[path])
        last_step(**arguments)

    monkeypatch.setattr(imports, "staging_link_mirrors", meanwhile)
    path = many(tmp_path, 3)
    report = import_files(slug="towns", paths=[path])
    assert (report.pairs_new, report.pairs_known, report.annotations_known) == (0, 3, 3)
    assert Pair.objects.filter(project=towns).count() == 3 and Annotation.objects.count() == 6
    assert counts()["Project"] == 1 and counts()["Text"] == 2


@pytest.mark.django_db(transaction=True)
def test_an_import_that_is_cancelled_while_it_runs_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ProjectFactory(slug="towns")
    before = counts()
    row = requested(project, many(tmp_path, 2))
    # On SQLite nobody can cancel within the transaction in which it takes effect, so cancel just before it.
    monkeypatch.setattr(imports, "staging_link_mirrors", cancelled_before(row))
    imports_run()
    row.refresh_from_db()
    assert row.status == JobStatus.CANCELLED and counts() == before | {"Import": 1}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stage", ["check", "_annotation"])
def test_a_cancel_ends_the_work_on_a_single_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    project = ProjectFactory(slug="towns")
    items = [pair(annotations=[work(f"person {number}", MARKED) for number in range(20)])]
    row = requested(project, lines(tmp_path / "pairs.jsonl", *items))
    calls = 0
    module = import_checks if stage == "check" else import_assignments
    acted = getattr(module, stage)

    def act(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 1:
            cancelled_before(row)()
        return acted(*arguments, **named)

    monkeypatch.setattr(module, stage, act)
    monkeypatch.setattr(import_progress_module, "EVERY_SECONDS", 0)
    imports_run()
    row.refresh_from_db()
    assert (row.status, calls) == (JobStatus.CANCELLED, 1)


def cancelled_before(row: Import) -> Callable[..., None]:
    def cancel() -> bool:
        import_cancel(row=row)
        return True

    return lambda **_: elsewhere(cancel)


def requested(project: Project, path: Path) -> Import:
    file = SimpleUploadedFile(path.name, path.read_bytes())
    return import_request(project=project, files=[file], dry_run=False, by=UserFactory())


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_died_is_replaced_by_another_that_starts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ProjectFactory(slug="towns")
    row = requested(project, many(tmp_path, 2))

    class Died(BaseException):
        """Simulates the end of the process: nothing is cleaned up."""

    def died(**_: Any) -> None:
        raise Died

    with monkeypatch.context() as patch:
        patch.setattr(imports, "staging_link_mirrors", died)
        patch.setattr(imports, "staging_discard", lambda **_: None)
        with pytest.raises(Died):
            imports_run()
    assert Project.with_staged.filter(staged=True).count() == 1 and not Pair.objects.filter(project=project).exists()
    assert imports_run() == 0  # the lease has not run out
    Import.objects.update(heartbeat=Now() - COMMAND_TIMEOUT)
    assert imports_run() == 1
    row.refresh_from_db()
    assert (row.status, row.attempts) == (JobStatus.DONE, 2)
    assert Pair.objects.filter(project=project).count() == 2 and counts()["Project"] == 1


@pytest.mark.django_db(transaction=True)
def test_an_import_that_kills_every_worker_fails_with_a_message(tmp_path: Path) -> None:
    row = requested(ProjectFactory(slug="towns"), many(tmp_path, 1))
    Import.objects.update(attempts=settings.JOB_ATTEMPTS)
    imports_run()
    row.refresh_from_db()
    assert row.status == JobStatus.FAILED and "Failed after" in row.problem and not row.files.exists()


@pytest.mark.django_db(transaction=True)
def test_what_a_killed_command_left_is_removed_when_it_has_been_silent(tmp_path: Path) -> None:
    project = project_create(name="towns", scheme=preset("graded"))
    row = Import.objects.create(slug="x", foreground=True, status=JobStatus.RUNNING, heartbeat=Now())
    imports.staging_begin(row=row, target=imports.import_target("towns", None, None), aliases=["anna"], guidelines={})
    imports_clean()
    assert Project.with_staged.count() == 2
    Import.objects.update(heartbeat=Now() - 2 * COMMAND_TIMEOUT)
    imports_clean()
    assert list(Project.with_staged.all()) == [project] and not Annotator.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_command_needs_no_worker_and_keeps_its_warnings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = lines(tmp_path / "en-es-dev.json", [parade()])
    call_command("import_pairs", str(path), project="x", scheme="xparade")
    printed = capsys.readouterr().out
    assert "spans labelled connotation, imported as inferable" in printed and "--scheme xparade-extended" in printed
    row = Import.objects.get()
    assert (row.status, row.better_scheme, row.project and row.project.slug) == ("done", "xparade-extended", "x")
    assert row.warnings["spans labelled connotation, imported as inferable: the scheme has no such label"] == 1


def test_pairs_are_linked_once(db: None, tmp_path: Path) -> None:
    PairFactory()
    items = [pair(id="a", mirror="b"), swapped(pair(), id="b", mirror="a"), pair(id="c")]
    import_files(slug="towns", paths=[lines(tmp_path / "pairs.jsonl", *items)])
    found = dict(Pair.objects.filter(project__slug="towns").values_list("external_id", "mirror__external_id"))
    assert found == {"a": "b", "b": "a", "c": None}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stage", ["annotation.strict_json.loads", "annotation.formats.checks._text_problems"])
def test_a_cancel_ends_the_reading_and_the_next_import_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    project = ProjectFactory(slug="towns")
    row = requested(project, many(tmp_path, 20))
    other = requested(project, lines(tmp_path / "other.jsonl", pair(id="other")))
    calls: list[object] = []
    module, _dot, name = stage.rpartition(".")
    acted = import_string(stage)

    def act(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 1:
            cancelled_before(row)()
            assert Import.objects.get(pk=row.pk).status == JobStatus.CANCELLED
        return acted(*arguments)

    monkeypatch.setattr(f"{module}.{name}", act)
    monkeypatch.setattr(import_progress_module, "EVERY_SECONDS", 0)
    imports_run()
    assert len(calls) <= 4, "two texts of the first import's first pair, and those of the other"
    assert Import.objects.get(pk=row.pk).status == JobStatus.CANCELLED
    assert Import.objects.get(pk=other.pk).status == JobStatus.DONE
