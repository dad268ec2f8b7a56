"""The agreement page, its documents, disagreements, pairs and downloads."""

import json
import re
import sqlite3
from html import unescape
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.urls import reverse

from agreement.models import CachedReport
from agreement.report.jobs import REPORTS
from agreement.report.project_report import agreement_report
from agreement.report.services import reports
from annotation.models import Annotator, Pair, Project, Role, Worker
from annotation.services.jobs import jobs_run
from annotation.workers import record_presence
from tests.agreement.access import member, statuses
from tests.agreement.work import pair, project, submit

pytestmark = pytest.mark.django_db
LEADS_ONLY = {"stranger": 404, "annotator": 403, "adjudicator": 403, "lead": 200, "nobody": 302}
NO_WORKER = "No worker is running, so nothing will happen yet. Start one with script/worker."


@pytest.fixture
def study() -> Project:
    study, (one, two) = project()
    for label in ("1", "3"):
        on = pair(study)
        submit(on, one, [(label, [0, 1], [0])])
        submit(on, two, [("5", [0, 1, 2], [0])])
    return study


def pages(of: Project) -> list[str]:
    named = ("agreement", "agreement-documents", "agreement-spans", "agreement-disagreements")
    return [reverse(name, args=[of.slug]) for name in named]


def test_access(study: Project) -> None:
    for address in [*pages(study), reverse("agreement-download", args=[study.slug, "json"])]:
        assert statuses(study, address) == LEADS_ONLY, address
    on = Pair.objects.filter(project=study).first()
    assert on is not None
    both = statuses(study, reverse("agreement-pair", args=[study.slug, on.pk]))
    assert both == {**LEADS_ONLY, "adjudicator": 200}


def test_labels_of_a_built_in_scheme_are_in_the_readers_language(study: Project) -> None:
    on = Pair.objects.filter(project=study).first()
    assert on is not None
    address = reverse("agreement-pair", args=[study.slug, on.pk])
    body = unescape(member(study, "lead").get(address, headers={"accept-language": "de"}).content.decode())
    assert 'title="Ohne Bezug"' in body and "A1: Minimal; A2: Ohne Bezug" in body and "Unrelated" not in body


def test_the_answer_comes_first_then_the_four_groups(study: Project) -> None:
    body = member(study, "lead").get(reverse("agreement", args=[study.slug])).content.decode()
    parts = ("answer", "trust", "who", "disputed", "numbers")
    places = [body.index(f'class="{part}"' if part == "answer" else f'id="{part}"') for part in parts]
    assert places == sorted(places)
    assert body.index('id="disputed"') < body.index("Most disputed") < body.index('id="numbers"')
    assert body.index('id="all-numbers"') < body.index("Overlap of marked tokens") < body.index('id="methods"')
    assert "var(--accent)" in body and "#040404" not in body


@pytest.mark.parametrize("scheme", ["graded", "xparade"])
def test_no_group_is_empty_while_there_is_no_work(scheme: str) -> None:
    of, _people = project(scheme)
    pair(of)
    body = member(of, "lead").get(reverse("agreement", args=[of.slug])).content.decode()
    assert 'id="trust"' in body and "Differences between annotators" not in body and "Disputed content" not in body


@pytest.mark.parametrize("scheme", ["graded", "xparade", "likert"])
def test_no_figure_is_lost_between_the_groups(scheme: str) -> None:
    """Every table is on the page once, with every row, and every column in which there is anything."""
    of, people = project(scheme, "A1", "A2", "A3")
    for label in ("1", "2") if scheme == "graded" else ("new", "inferable"):
        on = pair(of)
        for number, person in enumerate(people):
            marks = [] if scheme == "likert" else [(label, [0, number] if scheme == "graded" else [], [number])]
            submit(on, person, marks, answers={"agree": str(number)} if scheme == "likert" else {})
    page = member(of, "lead").get(reverse("agreement", args=[of.slug]))
    text = page.content.decode()
    tables = agreement_report(of).tables
    keys = [table.key for table in tables]
    assert all(keys) and len(set(keys)) == len(keys)
    for table, shown in zip(tables, page.context["body"]["tables"], strict=True):
        assert text.count(f'id="table-{table.key}"') == 1, table.key
        full = [[cell for cell in row if cell not in ("", "–")] for row in table.rows]
        assert [[cell["text"] for cell in row if cell["text"] not in ("", "–")] for row in shown["rows"]] == full
        filled = list(zip(*[[cell["text"] for cell in row[1:]] for row in shown["rows"]], strict=True))
        assert all(set(column) - {"", "–"} for column in filled), f"{table.key}: an empty column"
    assert text.count('id="methods"') == 1
    assert len(page.context["body"]["plots"]) == text.count('class="plot"')


def test_the_recommended_figure_opens_its_data_and_is_compared_with_published_data(study: Project) -> None:
    client = member(study, "lead")
    page = client.get(reverse("agreement", args=[study.slug]))
    figure = page.context["body"]["recommended"]
    assert figure["value"] == "83%" and figure["href"] in unescape(page.content.decode())
    assert client.get(figure["href"]).context["page"].paginator.count == 2
    assert "SwissGov-RSD, EN-DE, English: 11%" in figure["usual"] and "arXiv 2512.07538" in figure["source"]
    assert "higher than in published data" in page.content.decode()
    for step in page.context["body"]["steps"]:
        assert client.get(step["href"]).status_code == 200, step


def test_a_report_stored_by_an_earlier_release_waits_for_the_new_one(
    study: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, address = member(study, "lead"), reverse("agreement", args=[study.slug])
    client.get(address)
    CachedReport.objects.update(body={"headline": "Old words", "rows": []}, fingerprint="old")
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    body = client.get(address).content.decode()
    assert "A worker is computing the report" in body and "Old words" not in body
    assert client.get(reverse("agreement-documents", args=[study.slug])).status_code == 200


def test_names_that_are_numbers_are_quoted_and_costs_have_units(study: Project) -> None:
    page = member(study, "lead").get(reverse("agreement", args=[study.slug]))
    tables = {table["key"]: table for table in page.context["body"]["tables"]}
    assert tables["confusion"]["columns"][1:3] == ["“0”", "“1”"]
    assert tables["confusion"]["rows"][0][0]["text"] == "“0”"
    assert "“1” and “5” are confused most often" in page.content.decode()
    assert "Cost, in words × label steps" in page.content.decode()


def test_an_empty_project_says_what_to_do() -> None:
    study, _ = project()
    body = member(study, "lead").get(reverse("agreement", args=[study.slug])).content.decode()
    assert "be computed yet: no document has been submitted" in body
    assert "at least two annotators must submit the same document" in body


def test_much_work_is_left_to_a_worker_and_never_stale_unseen(
    study: Project, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    notified: list[str] = []
    monkeypatch.setattr("agreement.report.services.cached_reports.notify", notified.append)
    client, address = member(study, "lead"), reverse("agreement", args=[study.slug])
    client.get(address)
    assert not notified
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    client.get(address)
    assert not notified, "kept, and nothing changed"
    on = pair(study)
    submit(on, study.annotators.get(alias="A1"), [("1", [0], [])])
    submit(on, study.annotators.get(alias="A2"), [("1", [0], [])])
    with django_capture_on_commit_callbacks(execute=True):
        body = client.get(address).content.decode()
    assert notified == ["reports"]
    assert "Work has been submitted since" in body and 'hx-trigger="every 2s"' in body
    assert "2 documents, 2 annotators" in body
    documents = reverse("agreement-documents", args=[study.slug])
    assert all(NO_WORKER in client.get(each).content.decode() for each in (address, documents))
    record_presence(["cpu"])
    assert not any(NO_WORKER in client.get(each).content.decode() for each in (address, documents))
    Worker.objects.all().delete()
    assert jobs_run(REPORTS) == 1
    body = client.get(address, headers={"hx-request": "true"}).content.decode()
    assert "3 documents, 2 annotators" in body and "hx-trigger" not in body and NO_WORKER not in body
    assert "<html" not in body
    assert jobs_run(REPORTS) == 0


LISTS = (
    "agreement-disagreements", "agreement-spans", "agreement-texts", "agreement-trends", "agreement-answers",
    "agreement-outcomes",
)  # fmt: skip
COMPUTED = "A worker is computing this"


def test_with_much_work_lists_and_downloads_wait_for_a_worker(study: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    client = member(study, "lead")
    lists = [reverse(name, args=[study.slug]) for name in LISTS]
    files = [reverse("agreement-download", args=[study.slug, ending]) for ending in ("json", "md", "tex", "csv")]

    def answers() -> list[tuple[int, bytes]]:
        reports._cache.clear()
        found = [client.get(each) for each in (*lists, *files)]
        return [
            (each.status_code, re.sub(rb'nonce="[^"]+"|csrf[^>]+>|X-CSRFToken[^>]+>', b"", each.content))
            for each in found
        ]

    at_once = answers()
    assert [status for status, _ in at_once] == [200, 200, 200, 404, 404, 404, 200, 200, 200, 200]
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    waiting = answers()
    assert [status for status, _ in waiting] == [202] * 10
    assert json.loads(waiting[6][1]) == {"status": "computing", "report": "phase=main"}
    assert all(COMPUTED in text.decode() and "refresh" in text.decode() for _, text in waiting[:6] + waiting[7:])
    assert client.get(files[0])["Retry-After"] == "2"
    assert jobs_run(REPORTS) == 1
    for name in ("disputes", "agreement_report", "files_of"):
        monkeypatch.setattr(reports, name, lambda *_, **__: pytest.fail("computed by the web process"))
    assert answers() == at_once


def test_a_list_whose_report_failed_says_why(study: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    reports._cache.clear()
    client, address = member(study, "lead"), reverse("agreement-spans", args=[study.slug])
    assert client.get(address).status_code == 202
    monkeypatch.setattr(reports, "report_compute", lambda *_: 1 / 0)
    assert jobs_run(REPORTS) == 1
    response = client.get(address)
    assert response.status_code == 409 and "could not be computed: Stopped" in response.content.decode()


def test_a_report_that_fails_says_why(study: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    client, address = member(study, "lead"), reverse("agreement", args=[study.slug])
    client.get(address)

    def fail(*_: object) -> None:
        raise ValueError("no memory")

    monkeypatch.setattr(reports, "report_compute", fail)
    assert jobs_run(REPORTS) == 1
    kept = CachedReport.objects.get()
    assert kept.problem.startswith("Stopped because of an internal error.")
    monkeypatch.undo()
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    body = client.get(address).content.decode()
    assert "could not be computed: Stopped" in body and "hx-trigger" not in body
    assert jobs_run(REPORTS) == 0, "a report that cannot be computed is not tried for ever"
    assert client.post(address).status_code == 302
    assert jobs_run(REPORTS) == 1
    assert "2 documents, 2 annotators" in client.get(address).content.decode()


def test_documents_name_what_seems_to_be_behind(study: Project) -> None:
    body = member(study, "lead").get(reverse("agreement-documents", args=[study.slug])).content.decode()
    assert "labels “1” and “5” on the same words" in body


def test_spans_are_filtered_by_people_who_have_some() -> None:
    of, (first, second) = project()
    on = pair(of)
    submit(on, first, [("2", [0], [])])
    submit(on, second, [])
    client, address = member(of, Role.LEAD), reverse("agreement-spans", args=[of.slug])

    def shown(query: str = "") -> str:
        return client.get(address + query).content.decode()

    assert f"<option>{first.alias}</option>" in shown() and f"<option>{second.alias}</option>" not in shown()
    assert f"<option selected>{second.alias}</option>" in shown(f"?annotator={second.alias}"), "the chosen one stays"
    assert f"<option>{second.alias}</option>" in shown("?runs=1"), "words without a label are passages too"


def test_disagreements_are_filtered_and_sorted_by_cost(study: Project) -> None:
    client, address = member(study, "lead"), reverse("agreement-disagreements", args=[study.slug])
    everything = client.get(address).content.decode()
    assert "<b>6 passages</b>" in everything
    few = client.get(address, {"labels": "1,5", "side": "a", "annotator": "A1", "least": "2", "linked": "yes"})
    assert "<b>1 passage</b>" in few.content.decode()
    assert few.context["rows"][0]["cost"] == 8
    assert "There is no such passage." in client.get(address, {"linked": "no"}).content.decode()


def test_a_pair_shows_differences_first(study: Project) -> None:
    on = Pair.objects.filter(project=study).first()
    assert on is not None
    page = member(study, "lead").get(reverse("agreement-pair", args=[study.slug, on.pk]))
    body = page.content.decode()
    assert body.index('class="differences"') < body.index('class="side-by-side"')
    assert [segment.text for _, segment in page.context["side_by_side"].differences] == ["The library", "is", "Die"]
    assert 'title="A1: Minimal; A2: Unrelated"' in body
    assert 'title="A1: unmarked; A2: Unrelated"' in body


def test_downloads(study: Project) -> None:
    client = member(study, "lead")
    for ending, part in (("json", '"documents": 2'), ("md", "| IoU, EN |"), ("tex", r"\toprule"), ("csv", "IoU, EN")):
        page = client.get(reverse("agreement-download", args=[study.slug, ending]))
        assert part in page.content.decode(), ending
        assert f"{study.slug}-agreement.{ending}" in page["Content-Disposition"]
    assert json.loads(client.get(reverse("agreement-download", args=[study.slug, "json"])).content)["left_out"] == 0
    written = client.get(reverse("agreement-download", args=[study.slug, "tex"])).content.decode()
    assert r"95\% percentile" in written, "a bare percent sign would hide the rest of its line"


def test_downloads_have_the_names_that_are_published(study: Project) -> None:
    person = Annotator.objects.filter(project=study).order_by("pk")[0]
    Annotator.objects.filter(pk=person.pk).update(alias="Quillfeather")
    client = member(study, "lead")
    for ending in ("json", "md", "tex", "csv"):
        for asked in ({}, {"annotators": "Quillfeather,A2"}, {"again": "Quillfeather"}):
            said = client.get(reverse("agreement-download", args=[study.slug, ending]), asked).content.decode()
            assert "Quillfeather" not in said and ("annotator1" in said or "again" in asked), (ending, asked)


def test_narrowed_to_a_language_pair_or_annotators(study: Project) -> None:
    client, address = member(study, "lead"), reverse("agreement-download", args=[study.slug, "json"])
    assert json.loads(client.get(address, {"languages": "EN-DE"}).content)["documents"] == 2
    assert json.loads(client.get(address, {"languages": "EN-FR"}).content)["documents"] == 0
    assert json.loads(client.get(address, {"annotators": "A1"}).content)["documents"] == 0
    assert json.loads(client.get(address, {"annotators": "A1,A2"}).content)["documents"] == 2


def test_a_rating_scheme_has_answers_and_no_words() -> None:
    study, people = project("likert")
    for answers in (("1", "2"), ("4", "4"), ("0", "1")):
        on = pair(study)
        for person, answer in zip(people, answers, strict=True):
            submit(on, person, answers={"agree": answer})
    body = member(study, "lead").get(reverse("agreement", args=[study.slug])).content.decode()
    assert "Agreement of answers" in body and "Agreement on “" in body
    assert "Overlap of marked tokens" not in body and "<svg" not in body


def test_no_report_is_computed_while_the_database_is_locked(study: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    lead = member(study, "lead")
    address = reverse("agreement", args=[study.slug])
    assert lead.get(address).status_code == 200
    submit(pair(study), study.annotators.all()[0], [("1", [0, 1], [0])])
    monkeypatch.setattr(reports, "report_compute", lambda *_: pytest.fail("computed, and then not stored"))

    def locked(execute: Any, sql: str, *arguments: Any) -> Any:
        if not sql.startswith("SELECT"):
            raise OperationalError("database is locked") from sqlite3.OperationalError("database is locked")
        return execute(sql, *arguments)

    with connection.execute_wrapper(locked):
        response = lead.get(address)
    assert response.status_code == 503 and response["Retry-After"]
