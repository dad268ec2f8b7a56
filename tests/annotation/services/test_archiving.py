"""Archiving: what is refused then, which jobs end, and taking a project out again."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.utils import timezone

from agreement.models import GoldJob, Publication
from agreement.publication.card import Terms
from agreement.publication.services.publications import publication_request
from annotation.errors import Conflict
from annotation.models import Annotation, JobStatus, Pair, Project
from annotation.models.imports import Import
from annotation.models.lifecycle import ProjectEvent, ProjectEventType
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.archive_check import changes_project
from annotation.services.archive_imports import import_sources
from annotation.services.archiving import project_archive, project_unarchive
from annotation.services.import_jobs import import_request, imports_run
from assist.encoder_comparisons.jobs import comparison_request
from assist.methods.encoder.pretrained import PACKAGED
from assist.mining_requests.jobs import mining_request
from assist.models import EncoderComparison, ItemMaking, Mining, Run
from assist.runs import services
from assist.runs.automatic import prelabel_automatically
from tests.annotation.work import LIBRARY, doc, house, span
from tests.api.item_jobs import requested as generation_requested
from tests.assist.conftest import fakes, notified  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]


def test_a_project_is_archived_and_taken_out_again_once() -> None:
    home = house()
    lead = home.project.annotators.get(role="lead").user
    project = project_archive(project=home.project, by=lead)
    assert project.archived is not None and timezone.now() - project.archived < timedelta(minutes=1)
    with pytest.raises(Conflict, match="archived already"):
        project_archive(project=home.project, by=lead)
    assert project_unarchive(project=project, by=lead).archived is None
    with pytest.raises(Conflict, match="is not archived"):
        project_unarchive(project=project, by=lead)
    events = ProjectEvent.objects.filter(project=project).order_by("pk")
    assert [(event.what, event.made_by) for event in events] == [
        (ProjectEventType.ARCHIVED, lead),
        (ProjectEventType.UNARCHIVED, lead),
    ]
    assert not Project.history.filter(id=project.pk, history_type="~").exists(), "no setting has changed"


def test_work_is_saved_again_once_it_is_out() -> None:
    home = house()
    work = AnnotationInput(spans=doc(span(LIBRARY)))
    annotation_save(assignment=home.assignment, by=None, base=0, sent=work)
    project_archive(project=home.project, by=None)
    # What its view read before: a save that was on its way.
    for change in (
        lambda: annotation_save(assignment=home.assignment, by=None, base=1, sent=AnnotationInput(spans=doc())),
        lambda: annotation_submit(assignment=home.assignment, by=None, base=1, verdict="submitted"),
    ):
        with pytest.raises(Conflict, match="is archived") as refused:
            change()
        assert refused.value.code == "archived"
    assert Annotation.objects.get().revision == 1
    project_unarchive(project=home.project, by=None)
    home.assignment.refresh_from_db()
    annotation_submit(assignment=home.assignment, by=None, base=1, verdict="submitted")
    assert Annotation.objects.get().verdict == "submitted"


def test_jobs_that_would_change_it_are_cancelled_and_those_that_read_go_on() -> None:
    home = house()
    project, lead = home.project, home.project.annotators.get(role="lead").user
    assert lead is not None
    sent = SimpleUploadedFile("p.jsonl", b'{"id": "p9", "a": {"language": "en", "text": "A."}, "b": {}}\n')
    import_request(project=project, files=[sent], format="jsonl", options={}, dry_run=False, by=lead)
    articles = [SimpleUploadedFile(f"town.{language}.txt", b"One.\nTwo.") for language in ("en", "de")]
    mining_request(project=project, files=articles, settings={}, by=lead)
    comparison_request(project=project, encoders=[PACKAGED], files={}, settings={}, by=lead)
    generation_requested(project, lead)
    services.run_request(project=project, method="fake")
    GoldJob.objects.create(project=project, action=GoldJob.CREATE, rule="union", requested=timezone.now())
    publication_request(project=project, to="jsonl", terms=Terms(), by=lead)
    Publication.objects.update(status=JobStatus.QUEUED)
    project_archive(project=project, by=lead)
    assert ProjectEvent.objects.get().details == {"cancelled": 6}
    assert Import.objects.get().status == JobStatus.CANCELLED
    assert Mining.objects.get().status == JobStatus.CANCELLED
    assert EncoderComparison.objects.get().status == JobStatus.CANCELLED
    assert ItemMaking.objects.get().status == JobStatus.CANCELLED
    assert Run.objects.get().status == JobStatus.CANCELLED
    assert not GoldJob.objects.exists()
    assert Publication.objects.get().status == JobStatus.QUEUED
    assert imports_run() == 0 and Pair.objects.filter(project=project).count() == 1


def test_an_import_that_is_sent_while_it_is_archived_changes_nothing(tmp_path: Any) -> None:
    """The last check is in the transaction in which an import takes effect: also for a command that runs meanwhile."""
    home = house()
    project_archive(project=home.project, by=None)
    path = tmp_path / "pairs.csv"
    path.write_text("id,language_a,text_a,language_b,text_b\np9,en,Open.,de,Offen.\n")
    with pytest.raises(Conflict, match="is archived"):
        import_sources(slug=home.project.slug, paths=[path])
    assert Pair.objects.filter(project=home.project).count() == 1
    assert Project.with_staged.filter(staged=True).count() == 0


def test_it_is_not_pre_labelled_by_itself() -> None:
    home = house()
    home.project.settings = {"prelabel": {"method": "fake", "automatic": True}}
    home.project.save()
    project_archive(project=home.project, by=None)
    assert prelabel_automatically() == []
    project_unarchive(project=home.project, by=None)
    assert len(prelabel_automatically()) == 1


def test_the_guard_finds_the_project_among_the_arguments() -> None:
    home = house()

    @changes_project("assignment.annotator.project_id")
    def change(*, assignment: Any) -> str:
        return "changed"

    assert change(assignment=home.assignment) == "changed"
    project_archive(project=home.project, by=None)
    with pytest.raises(Conflict, match="is archived"):
        change(assignment=home.assignment)


def test_the_command_does_the_same() -> None:
    home = house()
    said = StringIO()
    call_command("archive_project", home.project.slug, stdout=said)
    assert Project.objects.get(pk=home.project.pk).archived is not None
    with pytest.raises(CommandError, match="archived already"):
        call_command("archive_project", home.project.slug, stdout=said)
    call_command("archive_project", home.project.slug, "--undo", stdout=said)
    assert Project.objects.get(pk=home.project.pk).archived is None
    assert said.getvalue() == f"{home.project.slug}: archived\n{home.project.slug}: out of the archive\n"
    with pytest.raises(CommandError, match="There is no project"):
        call_command("archive_project", "nowhere", stdout=said)
