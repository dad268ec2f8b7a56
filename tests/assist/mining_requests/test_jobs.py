"""Mining from the browser: request, worker, preview, import."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, JobStatus, Pair, Project, Role, User
from annotation.services.import_jobs import imports_run
from annotation.services.jobs import jobs_run
from assist.mining.settings import MiningSettings
from assist.mining_requests.importing import ArticlesRefused, mining_settings
from assist.mining_requests.jobs import (
    MINING_JOBS,
    RESULT_KEPT,
    mining_cancel,
    mining_import,
    mining_jobs_run,
    mining_preview,
    mining_request,
)
from assist.models import Mining, MiningArticle
from tests.annotation.work import client_of
from tests.assist.mining.test_mine import EN, ES
from tests.factories import AnnotatorFactory, ProjectFactory

pytestmark = pytest.mark.django_db
FREE: dict[str, Any] = {"per_article": "none", "shortest": 20}


@pytest.fixture
def lead() -> Annotator:
    return AnnotatorFactory(project=ProjectFactory(slug="town"), role=Role.LEAD)


def files() -> list[SimpleUploadedFile]:
    return [
        SimpleUploadedFile(f"town.{language}.txt", "\n".join(texts).encode())
        for language, texts in (("en", EN), ("es", ES))
    ]


def user_of(lead: Annotator) -> User:
    assert lead.user is not None
    return lead.user


def requested(lead: Annotator, sent: list[SimpleUploadedFile] | None = None, **settings: Any) -> Mining:
    return mining_request(project=lead.project, files=sent or files(), settings=settings, by=user_of(lead))


def found(lead: Annotator) -> Mining:
    row = requested(lead, **FREE)
    assert jobs_run(MINING_JOBS) == 1
    row.refresh_from_db()
    return row


def test_a_worker_compares_the_articles_and_keeps_the_matches_only(lead: Annotator) -> None:
    row = requested(lead, **FREE)
    assert (row.status, row.total, MiningArticle.objects.count()) == (JobStatus.QUEUED, 8, 2)
    with pytest.raises(Conflict, match="haven't been compared yet"):
        mining_preview(row, {})
    jobs_run(MINING_JOBS)
    row.refresh_from_db()
    assert (row.status, row.done, MiningArticle.objects.count()) == (JobStatus.DONE, 8, 0)
    mined, _settings = mining_preview(row, {})
    assert {(match.a, match.b) for match in mined.kept_matches} == {(1, 3), (3, 1)}
    assert not mining_preview(row, {"least_similar": "0.99"})[0].kept_matches


def test_pairs_that_are_not_left_out_are_imported(lead: Annotator) -> None:
    row = found(lead)
    mining_import(row=row, bounds={"longest": 500}, left_out={"town:4-2"}, by=user_of(lead))
    imports_run()
    pair = Pair.objects.get()
    assert (pair.external_id, pair.a.content, pair.b.language) == ("town:2-4", EN[1], "es")
    assert pair.metadata["mined"]["settings"]["longest"] == 500
    with pytest.raises(Invalid, match="no pairs to import"):
        mining_import(row=row, bounds={}, left_out={"town:4-2", "town:2-4"}, by=user_of(lead))


def test_a_zip_of_folders_is_read(lead: Annotator) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for language, texts in (("en", EN), ("es", ES)):
            archive.writestr(f"{language}/town.txt", "\n".join(texts))
    row = requested(lead, [SimpleUploadedFile("articles.zip", packed.getvalue())])
    assert sorted(row.articles.values_list("name", "language")) == [("town", "en"), ("town", "es")]


def test_hostile_and_wrong_files_are_refused_and_nothing_is_stored(lead: Annotator) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../out.en.txt", "One.")
    with pytest.raises(ArticlesRefused, match="outside the archive"):
        requested(lead, [SimpleUploadedFile("articles.zip", packed.getvalue())])
    with pytest.raises(ArticlesRefused, match="its name shows no language"):
        requested(lead, [SimpleUploadedFile("town.txt", b"One.")])
    with pytest.raises(Invalid, match="all in one language"):
        requested(lead, files()[:1])
    with pytest.raises(Invalid, match="not a path"):
        requested(lead, method="encoder", model="/etc")
    assert not Mining.objects.exists()


def test_one_that_cannot_be_done_says_why(lead: Annotator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assist.mining.embeddings.importlib.util.find_spec", lambda name: None)
    row = requested(lead, method="encoder")
    jobs_run(MINING_JOBS)
    row.refresh_from_db()
    assert row.status == JobStatus.FAILED and "script/setup" in row.problem and not MiningArticle.objects.exists()


def test_a_cancelled_one_is_not_done(lead: Annotator) -> None:
    row = requested(lead)
    mining_cancel(row=row)
    assert jobs_run(MINING_JOBS) == 0 and not MiningArticle.objects.exists()
    with pytest.raises(Conflict, match="already ended"):
        mining_cancel(row=row)


def test_one_that_is_cancelled_while_it_runs_writes_nothing(lead: Annotator, monkeypatch: pytest.MonkeyPatch) -> None:
    row = requested(lead)

    def cancelled(given: Any) -> MiningSettings:
        mining_cancel(row=row)
        return mining_settings(given)

    monkeypatch.setattr("assist.mining_requests.jobs.mining_settings", cancelled)
    jobs_run(MINING_JOBS)
    row.refresh_from_db()
    assert row.status == JobStatus.CANCELLED and row.result is None


def test_what_was_found_long_ago_is_removed(lead: Annotator, client: Client) -> None:
    old, new = found(lead), found(lead)
    long_ago = timezone.now() - RESULT_KEPT - timedelta(minutes=1)
    Mining.objects.filter(pk=old.pk).update(finished=long_ago)
    Mining.objects.filter(pk=new.pk).update(finished=long_ago + timedelta(hours=1))
    waiting = requested(lead)
    Mining.objects.filter(pk=waiting.pk).update(requested=long_ago)
    assert mining_jobs_run() == 1
    for row in (old, new, waiting):
        row.refresh_from_db()
    assert (old.result, old.file_names, old.status) == (None, ["town.en.txt", "town.es.txt"], JobStatus.DONE)
    assert new.result is not None and waiting.result is not None
    with pytest.raises(Conflict, match="have been deleted"):
        mining_import(row=old, bounds={}, left_out=(), by=user_of(lead))
    shown = client.get(f"{ADDRESS}{old.pk}/").content.decode()
    assert "The results of this search have been deleted." in shown and "Import</button>" not in shown


@pytest.fixture
def client(lead: Annotator) -> Client:
    return client_of(user_of(lead))


ADDRESS = "/projects/town/mining/"
FORM = {"method": "words", "skip_summary": "on"}
BOUNDS: dict[str, Any] = {"shortest": 20, "most_copied": 0.6, "seed": 1}


def test_the_page_from_upload_to_import(client: Client, lead: Annotator) -> None:
    assert "Compare the articles" in client.get(ADDRESS).content.decode()
    response: Any = client.post(ADDRESS, {**FORM, "upload": files()})
    row = Mining.objects.get()
    assert response.headers["Location"] == f"{ADDRESS}{row.pk}/"
    waiting = client.get(f"{ADDRESS}{row.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert "Waiting for a worker." in waiting and "<h1>" not in waiting and "every 1s" in waiting
    jobs_run(MINING_JOBS)
    # One of the two is short of the default's 86 characters, as is the other.
    assert "a paragraph is too short" in client.get(f"{ADDRESS}{row.pk}/").content.decode()
    shown = " ".join(client.get(f"{ADDRESS}{row.pk}/", BOUNDS).content.decode().split())
    assert "2 paragraphs were excluded as summaries and not compared (en: 1, es: 1)." in shown
    assert "<b>2 pairs</b> found." in shown and 'value="town:2-4"' in shown and 'lang="es" dir="ltr"' in shown
    response = client.post(f"{ADDRESS}{row.pk}/import/", {**BOUNDS, "leave_out": ["town:2-4"]})
    assert "/import/" in response.headers["Location"]
    imports_run()
    assert Pair.objects.get(project=Project.objects.get(slug="town")).external_id == "town:4-2"
    assert f"{ADDRESS}{row.pk}/" in client.get(ADDRESS).content.decode()


def test_the_pages_name_what_is_wrong(client: Client, lead: Annotator) -> None:
    refused = client.post(ADDRESS, {**FORM, "upload": [SimpleUploadedFile("town.txt", b"One.")]})
    page = refused.content.decode()
    assert refused.status_code == 422 and "its name shows no language" in page
    assert "No articles were compared: 1 problem found." in page and "Nothing was imported" not in page
    row = found(lead)
    assert "least_similar" in client.get(f"{ADDRESS}{row.pk}/", {**BOUNDS, "least_similar": 2}).content.decode()
    nothing = client.post(f"{ADDRESS}{row.pk}/import/", {**BOUNDS, "least_similar": 0.99})
    assert nothing.status_code == 422 and "There are no pairs to import" in nothing.content.decode()
    assert client.post(f"{ADDRESS}{row.pk}/cancel/").status_code == 409
    assert client.get(f"{ADDRESS}{row.pk + 1}/").status_code == 404
