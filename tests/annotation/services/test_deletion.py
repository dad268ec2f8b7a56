"""Deleting a project: everything of it goes, nothing else does, and an interrupted deletion is finished."""

from __future__ import annotations

import logging
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import Model
from django.urls import reverse

from annotation.api import lifecycle as life_api
from annotation.api import workspace as annotation_api
from annotation.errors import Invalid, NotFound
from annotation.models import Annotation, JobStatus, Pair, Project, Text, User
from annotation.models.lifecycle import ProjectDeletion
from annotation.services import deletion, imports
from annotation.services.annotations import annotation_save
from annotation.services.deletion import DELETIONS, project_delete
from annotation.services.import_jobs import imports_clean
from annotation.services.import_staging import staging_link_mirrors
from annotation.services.jobs import jobs_run
from annotation.services.projects import project_create
from annotation.services.texts import texts_remove_unused
from annotation.text.schemes import PRESETS
from annotation.views import lifecycle as life_views
from assist.runs.modelstore import folder
from tests.access.site import filled
from tests.api.site import SAVE
from tests.assist.conftest import fakes, notified, own_data  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified", "own_data")]
STAY = {"annotation.user", "annotation.projectdeletion", "sessions.session", "axes.accesslog"}


def counted() -> Counter[str]:
    """Rows by table, of everything but accounts and log-ins."""
    models: list[type[Model]] = [model for model in apps.get_models() if model._meta.label_lower not in STAY]
    return Counter({model._meta.label_lower: model._base_manager.count() for model in models})


def test_everything_goes_and_the_other_project_stays_as_it_is() -> None:
    filled("museum")
    other = counted()
    at = filled("library")
    assert counted() != other
    everyone = User.objects.count()
    row = project_delete(project=at.project, name=f" {at.project.name} ", by=None)
    row.refresh_from_db()
    assert row.status == JobStatus.DONE and row.hidden is None
    # The leader of 'elsewhere' has a project of their own, made by each `filled`.
    extra = Project.objects.exclude(slug="museum").filter(annotators__role="lead").count()
    left = counted()
    mine = {
        "annotation.project",
        "annotation.annotator",
        "annotation.historicalproject",
        "annotation.historicalannotator",
    }
    assert {name: n for name, n in (left - other).items() if name not in mine} == {}
    assert {name: left[name] - other[name] for name in mine} == dict.fromkeys(mine, 1) and extra == 2
    assert User.objects.count() == everyone
    wanted = {"pairs": 2, "annotations": 3, "messages": 1, "publications": 1}
    assert {name: row.counts[name] for name in wanted} == wanted


def test_a_text_that_another_project_uses_stays() -> None:
    at = filled()
    other = project_create(name="Other", scheme=PRESETS["graded"].to_json())
    shared = at.pair.a
    kept = Pair.objects.create(project=other, a=shared, b=at.pair.b, external_id="p", position=0)
    project_delete(project=at.project, name=at.project.name, by=None)
    assert set(Text.objects.values_list("pk", flat=True)) == {kept.a_id, kept.b_id}


def test_another_name_changes_nothing() -> None:
    at = filled()
    before = counted()
    with pytest.raises(Invalid, match="not the project's name"):
        project_delete(project=at.project, name="Librarium", by=None)
    assert counted() == before and not ProjectDeletion.objects.exists()


def test_a_large_project_is_hidden_at_once_and_removed_by_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    at = filled()
    monkeypatch.setattr(deletion, "SMALL_PROJECT_PAIRS", 1)
    row = project_delete(project=at.project, name=at.project.name, by=None)
    assert row.status == JobStatus.QUEUED and Annotation.objects.exists()
    for who in ("lead", "annotator", "superuser"):
        assert at.clients[who].get(reverse("project", args=("library",))).status_code == 404
    address = reverse("api-annotation", args=(at.assignment.pk,))
    for who in ("annotator", "superuser"):
        refused = at.clients[who].put(address, SAVE, content_type="application/json")
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "not-found")
    assert project_create(name="library", scheme=PRESETS["graded"].to_json()).slug == "library", "its name is free"
    imports_clean()
    assert Annotation.objects.exists(), "this is no import that was left behind"
    assert jobs_run(DELETIONS) == 1
    row.refresh_from_db()
    assert (row.status, row.hidden) == (JobStatus.DONE, None)
    assert not Annotation.objects.exists() and not Text.objects.exists()


def test_a_worker_that_is_interrupted_is_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    at = filled()
    monkeypatch.setattr(deletion, "SMALL_PROJECT_PAIRS", 0)
    monkeypatch.setattr(deletion, "REMOVED_AT_ONCE", 1)
    row = project_delete(project=at.project, name=at.project.name, by=None)
    removed = texts_remove_unused
    calls: list[int] = []

    def interrupted(**given: Any) -> None:
        removed(**given)
        calls.append(1)
        if len(calls) == 2:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(deletion, "texts_remove_unused", interrupted)
    jobs_run(DELETIONS)
    row.refresh_from_db()
    assert row.status == JobStatus.FAILED and Pair.objects.count() == 1, "the second pair is still whole"
    assert Project.with_staged.get(pk=at.project.pk).staged
    with pytest.raises(CommandError, match="no project elsewhere"):
        call_command("delete_project", "elsewhere", "--yes")
    call_command("delete_project", "library", "--yes", stdout=StringIO())
    row.refresh_from_db()
    assert row.status == JobStatus.DONE and not Pair.objects.exists()


def test_files_of_its_models_go_from_the_disk(tmp_path: Path) -> None:
    at = filled()
    folder().mkdir(parents=True, exist_ok=True)
    for name in ("library.learned@1.pickle", "library-2.learned@1.pickle"):
        (folder() / name).write_bytes(b"x")
    project_delete(project=at.project, name=at.project.name, by=None)
    assert [path.name for path in folder().iterdir()] == ["library-2.learned@1.pickle"]


def test_it_is_a_line_of_the_security_log(caplog: pytest.LogCaptureFixture) -> None:
    at = filled()
    with caplog.at_level(logging.INFO):
        project_delete(project=at.project, name=at.project.name, by=None)
    assert [record.message for record in caplog.records if "project deleted" in record.message] == ["project deleted"]


def test_the_page_says_what_is_lost_and_asks_for_the_name() -> None:
    at = filled()
    at.project.name = "The library"
    at.project.save()
    address = reverse("project-delete", args=("library",))
    page = at.clients["lead"].get(address).content.decode()
    assert "There is no archive of this project yet." in page and "Data to be deleted" in page
    wrong = at.clients["lead"].post(address, {"name": "library"})
    assert wrong.status_code == 422 and "This is not the project&#x27;s name." in wrong.content.decode()
    done = at.clients["lead"].post(address, {"name": "The library"}, follow=True)
    assert "“The library” is deleted." in done.content.decode()
    assert at.clients["lead"].get(address).status_code == 404


def test_the_archive_that_there_is_can_be_downloaded() -> None:
    at = filled()
    made = at.clients["lead"].post(reverse("publish", args=("library",)), {"format": "archive", "licence": "unknown"})
    assert made.status_code == 302
    page = at.clients["lead"].get(reverse("project-delete", args=("library",))).content.decode()
    assert "The newest archive of the project is from" in page
    assert reverse("publication", args=("library", 2)) in page


def test_the_command_asks_and_says_what_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    at = filled()
    said = StringIO()
    call_command("delete_project", "library", "--dry-run", stdout=said)
    assert "pairs: 2" in said.getvalue() and "Dry run: no changes made" in said.getvalue()
    monkeypatch.setattr("builtins.input", lambda _asked: "something else")
    with pytest.raises(CommandError, match="Not confirmed"):
        call_command("delete_project", "library", stdout=said)
    assert Project.objects.filter(slug="library").exists()
    monkeypatch.setattr(deletion, "SMALL_PROJECT_PAIRS", 0)
    call_command("delete_project", "library", "--yes", stdout=said)
    assert said.getvalue().endswith("Deleted.\n") and not Pair.objects.filter(project=at.project).exists()


@pytest.mark.parametrize("again", [False, True])
def test_an_import_into_a_project_that_is_deleted_meanwhile_imports_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    """Nor into another one that took its name."""
    project = project_create(name="Museum", scheme=PRESETS["graded"].to_json())
    link = staging_link_mirrors

    def deleted_before(**given: Any) -> None:
        if Project.objects.filter(pk=project.pk).exists():
            project_delete(project=project, name="Museum", by=None)
            if again:
                project_create(name="Museum", scheme=PRESETS["graded"].to_json())
        link(**given)

    monkeypatch.setattr(imports, "staging_link_mirrors", deleted_before)
    path = tmp_path / "pairs.csv"
    path.write_text("id,language_a,text_a,language_b,text_b\np1,en,Open on Sundays.,de,Sonntags offen.\n")
    with pytest.raises(NotFound, match="deleted during the import"):
        imports.import_files(slug="museum", paths=[path])
    assert Pair.objects.count() == 0 and Project.objects.filter(slug="museum").exists() == again
    assert not Project.with_staged.filter(staged=True).exists()


def test_whoever_deletes_or_saves_a_moment_too_late_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    at = filled("library")
    slug, name = at.project.slug, at.project.name

    def deleted_first(service: Any) -> Any:
        def late(**given: Any) -> Any:
            if Project.objects.filter(slug=slug).exists():
                project_delete(project=Project.objects.get(slug=slug), name=name, by=None)
            return service(**given)

        return late

    with transaction.atomic():
        monkeypatch.setattr(life_api, "project_delete", deleted_first(project_delete))
        told = at.clients["lead"].post(
            reverse("api-project-delete", args=(slug,)), {"name": name}, content_type="application/json"
        )
        assert (told.status_code, told.json()["error"]["code"]) == (404, "deleted")
        transaction.set_rollback(True)
    with transaction.atomic():
        monkeypatch.setattr(life_views, "project_delete", deleted_first(project_delete))
        page = at.clients["lead"].post(reverse("project-delete", args=(slug,)), {"name": name})
        assert page.status_code == 404 and "It was deleted a moment ago" in page.text
        transaction.set_rollback(True)
    monkeypatch.setattr(annotation_api, "annotation_save", deleted_first(annotation_save))
    address = reverse("api-annotation", args=(at.assignment.pk,))
    late = at.clients["annotator"].put(address, SAVE, content_type="application/json")
    assert (late.status_code, late.json()["error"]["code"]) == (404, "deleted")
