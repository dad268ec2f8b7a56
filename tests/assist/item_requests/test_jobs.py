"""Items made from the browser and the API: nothing asked before the cost is seen, a worker, a rating project."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.errors import Conflict, Forbidden, Invalid
from annotation.models import Annotator, JobStatus, Pair, Project, Role
from annotation.services.archiving import project_archive
from annotation.services.jobs import jobs_run
from annotation.services.projects import project_create
from annotation.text.schemes import PRESETS
from assist.item_requests.jobs import (
    GENERATION_JOBS,
    MAX_ROWS,
    TEXT_KEPT,
    generation_cancel,
    generation_jobs_run,
    generation_preview,
    generation_request,
    generation_retry,
    generation_start,
)
from assist.models import ItemMaking, LlmAnswer
from tests.annotation.work import client_of
from tests.assist.commands.test_make_items import ROWS, TEXT, cosines, model  # noqa: F401
from tests.assist.encoder_comparisons.test_jobs import zipped
from tests.factories import AnnotatorFactory, ProjectFactory
from tests.llm_server import LlmServer

pytestmark = pytest.mark.django_db
FAST = {"per_minute": 10_000}


@pytest.fixture
def lead() -> Any:
    return AnnotatorFactory(project=ProjectFactory(slug="town"), role=Role.LEAD).user


def sent(text: str = ROWS, name: str = "rows.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def requested(by: Any, task: str = "clsd", into: str = "rated", **more: Any) -> ItemMaking:
    file = more.pop("file", None) or (sent() if task == "clsd" else sent(TEXT, "text.txt"))
    project = Project.objects.get(slug="town")
    return generation_request(project=project, task=task, file=file, into=into, settings={**FAST, **more}, by=by)


def done(row: ItemMaking, by: Any) -> ItemMaking:
    generation_start(row=row, by=by)
    assert jobs_run(GENERATION_JOBS) == 1
    row.refresh_from_db()
    return row


def test_nothing_is_asked_before_it_is_started_and_the_cost_is_said(lead: Any, model: LlmServer) -> None:  # noqa: F811
    row = requested(lead)
    assert generation_jobs_run() == 0 and model.bodies == [] and not Project.objects.filter(slug="rated").exists()
    preview = generation_preview(row)
    assert preview is not None and (preview.estimate.rows, preview.estimate.requests) == (2, 2)
    # At most: what the model may answer, at its price for a million tokens; and the texts of the two rows' sentences.
    assert 0 < preview.estimate.max_cost < 0.1
    assert [role for role, _ in preview.messages] == ["system", "user"]
    assert "The old mill closed." in preview.messages[1][1]


def test_a_worker_makes_distractors_in_a_project_of_the_lead(lead: Any, model: LlmServer) -> None:  # noqa: F811
    row = done(requested(lead), lead)
    assert (row.status, row.problem, row.text) == (JobStatus.DONE, "", "") and (row.done, row.total) == (2, 2)
    assert row.result is not None
    assert (row.result["rows"], row.result["unusable"], row.result["items"]) == (2, 0, 8)
    assert row.result["jaccard"] == pytest.approx([0.6, 0.0])
    project = Project.objects.get(slug="rated")
    assert project.pairs.count() == 8 and project.guidelines.count() == 1
    assert Annotator.objects.get(project=project, user=lead).role == Role.LEAD
    again = done(requested(lead), lead)
    assert again.status == JobStatus.DONE and Pair.objects.count() == 8 and len(model.bodies) == 2


def test_triples_are_filtered_as_the_command_does(lead: Any, model: LlmServer, cosines: list[str]) -> None:  # noqa: F811
    row = done(requested(lead, "compositionality"), lead)
    assert row.result is not None and row.result["operators"]["overlap"] == 2 and row.result["items"] > 4
    assert cosines and Project.objects.get(slug="rated").labels.questions


def test_the_page_says_how_many_rows_were_left_out(lead: Any, model: LlmServer) -> None:  # noqa: F811
    row = requested(lead, file=sent(ROWS + ROWS.split("\n", 1)[1]))
    text = client_of(lead).get(reverse("items-result", args=["town", row.pk])).content.decode()
    assert "2 rows are duplicates and were excluded." in text
    done(row, lead)
    assert row.result is not None and (row.result["rows"], row.result["repeated"], row.result["items"]) == (4, 2, 8)
    text = client_of(lead).get(reverse("items-result", args=["town", row.pk])).content.decode()
    assert "The same as an earlier row, excluded" in text


def test_rows_in_the_project_in_another_language_are_refused_beside_the_file(lead: Any, model: LlmServer) -> None:  # noqa: F811
    done(requested(lead), lead)
    with pytest.raises(Invalid, match="a different text on side A") as refused:
        requested(lead, language="de")
    assert refused.value.where == "file" and len(model.bodies) == 2


def test_a_limit_ends_the_job_with_a_sentence_and_it_goes_on_from_there(lead: Any, model: LlmServer) -> None:  # noqa: F811
    row = done(requested(lead, limit=0.0005), lead)
    assert row.status == JobStatus.FAILED and "limit" in row.problem
    assert not Pair.objects.exists() and row.text
    ItemMaking.objects.update(settings={**row.settings, "limit": 1.0})
    generation_retry(row=row, by=lead)
    assert jobs_run(GENERATION_JOBS) == 1
    row.refresh_from_db()
    assert row.status == JobStatus.DONE and Pair.objects.count() == 8
    assert len(model.bodies) == LlmAnswer.objects.count() == 2


def test_what_is_cancelled_asks_nothing(lead: Any, model: LlmServer) -> None:  # noqa: F811
    row = requested(lead)
    generation_cancel(row=row)
    for refused in (lambda: generation_cancel(row=row), lambda: generation_start(row=row, by=lead)):
        with pytest.raises(Conflict):
            refused()
    assert generation_jobs_run() == 0 and model.bodies == []


@pytest.mark.parametrize(("given", "where"), [
    ({"file": SimpleUploadedFile("x.csv", b"A,B\n1,2\n")}, "Source"),
    ({"file": SimpleUploadedFile("x.csv", b"Source,Target\na,b\nc\0,d\n")}, "x.csv, line 3: .*NUL"),
    ({"task": "compositionality", "file": SimpleUploadedFile("t.txt", b"One.\nTwo\0. Three. Four.")}, "t.txt, line 2"),
    ({"file": zipped()}, "rows.zip is an archive; one table is expected"),
    ({"file": SimpleUploadedFile("x.zip", b"PK")}, "x.zip is an archive"),
    ({"task": "triples"}, "no such kind"),
    ({"distractors": 0}, "from 1 to 20"),
    ({"model": "large"}, "large"),
    ({"address": "http://127.0.0.1:9/v1", "model": "x"}, "private network"),
    ({"task": "compositionality", "encoders": "/etc"}, "not a path"),
    ({"task": "compositionality", "file": SimpleUploadedFile("t.txt", b"One. Two.")}, "three consecutive sentences"),
    ({"file": SimpleUploadedFile("x.csv", b"Source,Target\n" + b"a,b\n" * (MAX_ROWS + 1))}, str(MAX_ROWS)),
])  # fmt: skip
def test_what_cannot_be_made_is_refused(lead: Any, model: LlmServer, given: dict[str, Any], where: str,  # noqa: F811
                                        settings: Settings) -> None:  # fmt: skip
    settings.PRIVATE_ADDRESSES = False
    with pytest.raises(Invalid, match=where):
        requested(lead, **given)
    assert not ItemMaking.objects.exists()


def test_projects_of_others_and_with_other_questions_are_refused(lead: Any, model: LlmServer) -> None:  # noqa: F811
    project_create(name="Theirs", slug="theirs", scheme=PRESETS["distractor"].to_json(), lead=None)
    with pytest.raises(Invalid, match="don't lead"):
        requested(lead, into="theirs")
    with pytest.raises(Invalid, match="different questions"):
        requested(lead, into="town")
    archived = project_create(name="Old", slug="old", scheme=PRESETS["distractor"].to_json(), lead=lead)
    project_archive(project=archived, by=None)
    with pytest.raises(Conflict, match="archived"):
        requested(lead, into="old")
    annotator = AnnotatorFactory(project=Project.objects.get(slug="town"), role=Role.ANNOTATOR).user
    with pytest.raises(Forbidden):
        requested(annotator, into="new")


def test_a_project_that_somebody_else_created_meanwhile_gets_nothing(lead: Any, model: LlmServer) -> None:  # noqa: F811
    row = requested(lead)
    generation_start(row=row, by=lead)
    project_create(name="Theirs", slug="rated", scheme=PRESETS["distractor"].to_json(), lead=None)
    assert jobs_run(GENERATION_JOBS) == 1
    row.refresh_from_db()
    assert row.status == JobStatus.FAILED and "don't lead" in row.problem and not Pair.objects.exists()
    assert model.bodies == []


def test_sentences_are_kept_for_a_while(lead: Any, model: LlmServer) -> None:  # noqa: F811
    row = requested(lead)
    ItemMaking.objects.update(requested=timezone.now() - TEXT_KEPT * 2)
    generation_jobs_run()
    row.refresh_from_db()
    assert row.text == "" and generation_preview(row) is None
    generation_cancel(row=row)
    with pytest.raises(Conflict, match="no longer available"):
        generation_retry(row=row, by=lead)


def test_the_pages_go_from_the_file_to_the_rating_project(lead: Any, model: LlmServer) -> None:  # noqa: F811
    client, address = client_of(lead), reverse("items", args=["town"])
    form = client.get(address).content.decode()
    assert 'value="town-items"' in form and "<code>small</code>" in form
    empty = client.post(address, {"task": "clsd"})
    assert empty.status_code == 422
    given = {
        name: str(value) for name, value in client.get(address).context["form"].initial.items() if value is not None
    }
    given |= {"task": "clsd", "into": "rated", "per_minute": "10000"}
    refused = client.post(address, {**given, "into": "town", "file": sent()})
    assert refused.status_code == 422 and "Enter the name of a new project." in refused.content.decode()
    tag = client.post(address, {**given, "language": "<b>", "file": sent()})
    assert tag.status_code == 422 and "is not a language tag" in tag.context["form"].errors["language"][0]
    archive = client.post(address, {**given, "file": zipped()})
    assert archive.context["form"].errors["file"] == [
        "rows.zip is an archive; one table is expected. Unpack it and send one of its files."
    ]
    answer = client.post(address, {**given, "file": sent()})
    row = ItemMaking.objects.get()
    assert answer.status_code == 302 and answer["Location"] == reverse("items-result", args=["town", row.pk])
    preview = client.get(answer["Location"]).content.decode()
    assert "<b>2 requests</b>" in preview and "The old mill closed." in preview and "this month" in preview
    assert client.post(reverse("items-start", args=["town", row.pk])).status_code == 302
    assert "Waiting for a worker." in client.get(answer["Location"]).content.decode()
    jobs_run(GENERATION_JOBS)
    result = client.get(answer["Location"]).content.decode()
    assert "excluded" not in result
    assert "<b>8 items</b> to rate." in result and reverse("project", args=["rated"]) in result
    assert "rows.csv, rated" in client.get(address).content.decode()


def test_a_server_that_has_gone_is_said_where_the_cost_was(lead: Any, model: LlmServer, settings: Settings) -> None:  # noqa: F811
    row = requested(lead)
    settings.LLM_URL = ""
    text = client_of(lead).get(reverse("items-result", args=["town", row.pk])).content.decode()
    assert "Create the items" not in text and "Cancel" in text


def test_the_api_goes_the_same_way(lead: Any, model: LlmServer) -> None:  # noqa: F811
    client = client_of(lead)
    body = {"task": "clsd", "file": {"name": "rows.csv", "text": ROWS}, "into": "rated", "settings": FAST}
    made = client.post(reverse("api-items", args=["town"]), body, content_type="application/json").json()
    assert made["preview"]["requests"] == 2 and made["started"] is False
    assert made["preview"]["messages"][1]["role"] == "user"
    started = client.post(reverse("api-items-start", args=["town", made["id"]]), content_type="application/json")
    assert started.json()["started"] is True
    jobs_run(GENERATION_JOBS)
    found = client.get(reverse("api-items-result", args=["town", made["id"]])).json()
    assert (found["status"], found["preview"], found["found"]["items"]) == ("done", None, 8)
    assert client.get(reverse("api-items", args=["town"])).json()["makings"][0]["id"] == made["id"]
