"""Publications: small ones at once, large ones by any worker, and none lost with a worker that died."""

from __future__ import annotations

import errno
import io
import json
import os
import tempfile
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone

from agreement.models import Publication, PublicationPart
from agreement.publication.card import Terms
from agreement.publication.export import KEEP_SPLITS, export
from agreement.publication.forms import formats
from agreement.publication.services import publications as service
from agreement.publication.services.publications import (
    publication_delete,
    publication_file,
    publication_request,
    publication_retry,
    publications_run,
)
from agreement.publication.splits import Splits
from annotation.errors import Conflict, Invalid
from annotation.formats import FORMATS, export_formats
from annotation.models import JobStatus, Project
from annotation.services.claims import ClaimLost
from annotation.temporary_folders import temporary_folder
from tests.agreement.card_facts import state_card_facts
from tests.annotation.writes import gold_write
from tests.factories import PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def temporary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder for temporary files."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def project() -> Project:
    made: Project = ProjectFactory(slug="towns")
    gold_write(pair=PairFactory(project=made), version=0, spans=[], provenance={})
    return state_card_facts(made)


def ask(project: Project, to: str = "hub", splits: Splits = KEEP_SPLITS) -> Publication:
    return publication_request(project=project, to=to, terms=Terms("cc0-1.0", "Two towns."), by=None, splits=splits)


def test_a_small_one_is_there_at_once(project: Project) -> None:
    made = ask(project)
    assert (made.number, made.status, made.gold, made.done, made.total) == (1, JobStatus.DONE, 0, 1, 1)
    with zipfile.ZipFile(io.BytesIO(b"".join(publication_file(made)))) as archive:
        names = archive.namelist()
        assert {"towns-1/README.md", "towns-1/diptych.json"} < set(names)
        assert "Two towns." in archive.read("towns-1/README.md").decode()
    assert ask(project, "jsonl").number == 2


def test_every_format_can_be_chosen() -> None:
    names = [name for name, _ in formats()]
    assert sorted(names) == list(export_formats())
    assert names[0] == "hub", "what is offered first is a dataset that others can load"


def test_what_cannot_be_is_refused_and_leaves_no_row(project: Project) -> None:
    with pytest.raises(Invalid, match="no format"):
        ask(project, "pdf")
    with pytest.raises(Invalid, match="no pairs"):
        ask(ProjectFactory())
    project.scheme = {**project.scheme, "labels": [{"key": "x", "name": "X"}], "default": "same"}
    project.save()
    with pytest.raises(Invalid, match="grades"):
        ask(project, "rsd")
    assert not Publication.objects.exists()


def test_a_large_one_waits_for_a_worker(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", 0)
    made = ask(project, "csv")
    assert made.status == JobStatus.QUEUED
    with pytest.raises(Conflict, match="not ready"):
        publication_file(made)
    assert publications_run() == 1
    made.refresh_from_db()
    assert (made.status, made.file) == (JobStatus.DONE, "towns-1.zip")
    assert publications_run() == 0


def test_splits_of_an_archive_are_refused_before_a_worker_is_asked(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", 0)
    with pytest.raises(Invalid, match="An archive keeps the splits"):
        ask(project, "archive", splits=Splits.parse("train=80, test=20", 1))
    assert not Publication.objects.exists()


def test_gold_made_after_the_request_is_not_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", 0)
    pair = PairFactory(project=ProjectFactory())
    none = ask(pair.project, to="jsonl")
    gold_write(pair=pair, version=0, spans=[], provenance={})
    imported = ask(pair.project, to="jsonl")
    assert publications_run() == 2
    for made, has_gold in ((none, False), (imported, True)):
        made.refresh_from_db()
        with zipfile.ZipFile(io.BytesIO(b"".join(publication_file(made)))) as packed:
            (row,) = (json.loads(packed.read(name)) for name in packed.namelist() if name.endswith(".jsonl"))
        assert (made.gold is not None, "gold" in row) == (has_gold, has_gold)


def test_a_dead_workers_is_taken_over_and_a_living_ones_is_not(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", 0)
    rows = Publication.objects.filter(pk=ask(project).pk)
    rows.update(status=JobStatus.RUNNING, claimed_by="one", heartbeat=timezone.now(), attempts=1)
    assert publications_run() == 0
    rows.update(heartbeat=timezone.now() - timedelta(seconds=31))
    assert publications_run() == 1
    assert rows.get().status == JobStatus.DONE


def _broken(*given: object) -> list[Path]:
    raise TypeError("a fault in a writer")


def test_one_that_fails_says_why_and_does_not_stop_the_rest(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", 0)
    bad, good = ask(project, "rsd"), ask(project)
    Publication.objects.filter(pk=bad.pk).update(format="xparade", gold=None)
    monkeypatch.setitem(FORMATS, "xparade", replace(FORMATS["xparade"], writer=_broken))
    assert publications_run() == 2
    bad.refresh_from_db()
    good.refresh_from_db()
    assert (bad.status, good.status) == (JobStatus.FAILED, JobStatus.DONE)
    assert bad.problem.startswith("Stopped because of an internal error."), "no Python error for a lead"
    assert {part.publication for part in PublicationPart.objects.all()} == {good}


def test_one_that_kills_its_workers_is_failed_with_a_sentence(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", 0)
    rows = Publication.objects.filter(pk=ask(project).pk)
    silent = timezone.now() - timedelta(seconds=31)
    rows.update(status=JobStatus.RUNNING, claimed_by="three", heartbeat=silent, attempts=3)
    assert publications_run() == 1
    made = rows.get()
    assert (made.status, made.claimed_by) == (JobStatus.FAILED, "")
    assert made.problem.startswith("Failed after 3 attempts")
    assert publications_run() == 0


def test_a_double_click_gives_the_first(project: Project) -> None:
    first = ask(project)
    assert ask(project).number == first.number
    assert ask(project, "csv").number == 2, "another format is another publication"
    Publication.objects.update(made=timezone.now() - timedelta(seconds=11))
    assert ask(project).number == 3


def test_one_that_waits_is_not_asked_for_twice(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", 0)
    first = ask(project)
    Publication.objects.update(made=timezone.now() - timedelta(hours=1))
    assert ask(project).number == first.number


@pytest.mark.parametrize("at_once", [0, 200])
def test_a_failed_one_is_tried_again_or_deleted(
    project: Project, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", at_once)

    def crash(**_: object) -> None:
        raise TypeError("unexpected keyword argument 'languages'")

    with monkeypatch.context() as broken:
        broken.setattr(service, "export", crash)
        made = ask(project)
        publications_run()
        made.refresh_from_db()
        assert (made.status, "languages" in made.problem) == (JobStatus.FAILED, False)
    publication_retry(publication=made)
    publications_run()
    made.refresh_from_db()
    assert (made.status, made.problem, made.done) == (JobStatus.DONE, "", 1)
    for refused in (publication_retry, publication_delete):
        with pytest.raises(Conflict):
            refused(publication=made)
    Publication.objects.update(status=JobStatus.FAILED)
    publication_delete(publication=made)
    assert not Publication.objects.exists()


def test_one_that_is_being_written_is_cancelled(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", 0)
    made = ask(project)
    written = export

    def cancelled(**given: Any) -> list[Path]:
        publication_delete(publication=made)
        return written(**given)

    monkeypatch.setattr(service, "export", cancelled)
    publications_run()
    assert not Publication.objects.exists() and not PublicationPart.objects.exists()


def test_what_a_format_has_no_place_for_is_kept_with_the_publication(project: Project) -> None:
    PairFactory(project=project)
    assert ask(project, to="rsd").omitted == {"pairs without gold": 1}
    assert ask(project, to="jsonl").omitted == {}


@pytest.fixture
def killed(project: Project, monkeypatch: pytest.MonkeyPatch) -> Publication:
    """A publication at which a worker was killed."""
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", 0)
    made = ask(project)
    silent = timezone.now() - timedelta(seconds=31)
    Publication.objects.update(status=JobStatus.RUNNING, claimed_by="one", heartbeat=silent, attempts=1)
    made.refresh_from_db()
    return made


def left(folder: Path, name: str) -> Path:
    made = folder / f"{service.TEMPORARY_PREFIX}{name}"
    (made / "towns-1").mkdir(parents=True)
    (made / ".lock").touch()
    return made


def test_a_worker_removes_what_killed_ones_left_and_nothing_that_is_in_use(
    killed: Publication, temporary: Path
) -> None:
    old, young = left(temporary, "old"), left(temporary, "young")
    os.utime(old, (0, 0))
    with temporary_folder(service.TEMPORARY_PREFIX) as used:
        os.utime(used, (0, 0))
        assert publications_run() == 1
        assert sorted(temporary.iterdir()) == sorted([used, young])


def test_who_lost_the_claim_stores_nothing(killed: Publication, tmp_path: Path) -> None:
    packed = tmp_path / "late.zip"
    packed.write_bytes(b"late")
    assert publications_run() == 1
    whole = b"".join(publication_file(Publication.objects.get()))
    with pytest.raises(ClaimLost):
        service._store(killed, packed)
    assert b"".join(publication_file(Publication.objects.get())) == whole


def test_a_file_is_stored_whole_or_not_at_all(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stops the second part, no part is kept, and the publication is not said to be ready."""
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", 0)
    monkeypatch.setattr(service, "PART_BYTES", 500)
    made = ask(project)
    create = PublicationPart.objects.create

    def refused(**given: Any) -> Any:
        if given["number"] == 1:
            raise IntegrityError("the second part")
        return create(**given)

    with monkeypatch.context() as broken:
        broken.setattr(PublicationPart.objects, "create", refused)
        assert publications_run() == 1
    made.refresh_from_db()
    assert (made.status, made.file, PublicationPart.objects.count()) == (JobStatus.FAILED, "", 0)
    publication_retry(publication=made)
    publications_run()
    made.refresh_from_db()
    assert made.status == JobStatus.DONE and made.size == len(b"".join(publication_file(made)))
    assert PublicationPart.objects.count() == -(-made.size // 500) > 1


def test_one_whose_file_is_missing_is_not_ready(project: Project) -> None:
    made = ask(project)
    PublicationPart.objects.all().delete()
    with pytest.raises(Conflict, match="not ready"):
        publication_file(made)


@pytest.mark.parametrize("at_once", [0, 200])
def test_a_full_disk_is_said_in_a_sentence_and_the_folder_is_named_in_the_log_alone(
    project: Project, temporary: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, at_once: int
) -> None:
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", at_once)

    def full(*_: object) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device", str(temporary / "towns-1.zip"))

    with monkeypatch.context() as broken:
        broken.setattr(service, "_pack", full)
        made = ask(project)
        publications_run()
    made.refresh_from_db()
    assert made.status == JobStatus.FAILED
    assert made.problem.startswith("A folder on the server can't be used") and "administrator" in made.problem
    assert str(temporary) not in made.problem and str(temporary) in caplog.text
    assert f"bytes free in {tempfile.gettempdir()}" in caplog.text, "many errors name no folder"
    publication_retry(publication=made)
    publications_run()
    assert Publication.objects.get().status == JobStatus.DONE


def test_a_retry_that_is_refused_stays_with_the_reason(project: Project) -> None:
    made = Publication.objects.create(project=project, number=1, format="rsd", status=JobStatus.FAILED, problem="x")
    project.scheme = {**project.scheme, "labels": [{"key": "x", "name": "X"}], "default": "same"}
    project.save()
    with pytest.raises(Invalid, match="grades"):
        publication_retry(publication=made)
    made.refresh_from_db()
    assert made.status == JobStatus.FAILED and "grades" in made.problem


def test_a_job_whose_folder_is_gone_still_says_so(
    project: Project, temporary: Path, monkeypatch: pytest.MonkeyPatch, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def gone(*_: object) -> Path:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", "towns-1.zip")

    settings.DATA_DIR = temporary / "gone"
    monkeypatch.setattr(service, "_pack", gone)
    made = ask(project)
    publications_run()
    made.refresh_from_db()
    assert made.status == JobStatus.FAILED and made.problem.startswith("A folder on the server can't be used")
    assert f"{settings.DATA_DIR}: No such file or directory" in caplog.text
