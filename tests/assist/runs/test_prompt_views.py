"""The page of a prompt: what would be sent about a pair, what a run would cost, and its start."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from annotation.models import Project
from annotation.text.schemes import PRESETS
from assist.methods.language_models.texts import PROMPTS
from assist.models import Run
from assist.runs.services import run_request
from tests.agreement.access import member
from tests.assist.finished_work import work_through
from tests.assist.prompted import KEY, pairs_make, served, text
from tests.factories import PairFactory, ProjectFactory
from tests.llm_server import LlmServer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("notified")]
PAGE = "/projects/town/prelabels/prompt/"
SETTINGS = {
    "set-target": "graded",
    "set-unit": "document",
    "set-model": "small",
    "set-prompt": "1",
    "set-structured": "auto",
    "set-temperature": "0",
    "set-words": "400",
    "set-reasoning": "0",
    "set-limit": "1",
    "set-prompt_price": "0",
    "set-answer_price": "0",
    "set-per_minute": "10000",
    "set-parallel": "4",
    "pair": "1",
}


@pytest.fixture
def town() -> Project:
    project: Project = ProjectFactory(slug="town", scheme=PRESETS["graded"].to_json())
    pairs_make(project, 3)
    return project


@pytest.fixture
def model(settings: Settings) -> Iterator[LlmServer]:
    with served(settings) as made:
        yield made


@pytest.fixture
def lead(town: Project) -> Client:
    return member(town, "lead")


def shown(client: Client, **given: str) -> str:
    response = client.post(PAGE, {**SETTINGS, **given}) if given else client.get(PAGE)
    return unescape(response.content.decode())


def test_the_page_shows_the_request_and_the_cost(lead: Client, model: LlmServer) -> None:
    page = shown(lead)
    assert "About <b>3 requests</b>" in page and "The texts of all pairs are sent to http://127.0.0.1" in page
    assert '"words": ["The", "red", "house", "number", "0", "is", "old", "."]' in page
    assert "You compare two texts, A and B" in page and 'value="small"' in page
    assert KEY not in page and "/v1" not in page.replace("example.org/v1", "") and not model.received


def test_another_pair_and_other_instructions(lead: Client, model: LlmServer) -> None:
    page = shown(lead, **{"pair": "3", "set-instructions": "Be strict <b>."})
    assert '"number", "2"' in page and "Be strict <b>.\n\nYou are asked in JSON" in page
    assert "the pair pair-2:" in " ".join(page.split())
    assert "There is no such pair" in shown(lead, pair="4")
    assert "You look for" in page or "You read two texts" in shown(lead, **{"set-target": "new"})


def test_the_instructions_begin_with_ours_which_are_not_stored(lead: Client, model: LlmServer) -> None:
    ours = PROMPTS["1", "graded"].instructions
    assert shown(lead).count("Information that only one text has is 0 in that text.") == 2
    page = shown(lead, **{"set-instructions": ours.replace("\n", "\r\n"), "set-target": "new"})
    assert "Information that only one text has" not in page and page.count("You read two texts about") == 2
    lead.post(PAGE, {**SETTINGS, "set-instructions": ours.replace("\n", "\r\n"), "do": "run"})
    lead.post(PAGE, {**SETTINGS, "set-instructions": "One.\r\nTwo.", "do": "run"})
    assert {run.settings["instructions"] for run in Run.objects.all()} == {None, "One.\nTwo."}


def test_settings_that_are_wrong_are_named(lead: Client, model: LlmServer) -> None:
    response = lead.post(PAGE, {**SETTINGS, "set-words": "3", "pair": "0"})
    assert response.status_code == 422 and not Run.objects.exists()
    assert "errorlist" in response.content.decode()
    assert "“huge” is not among the models" in shown(lead, **{"set-model": "huge"})
    assert "not allowed here" in shown(lead, **{"set-address": "http://127.0.0.1:1/v1"})
    for name, value in (("set-instructions", "x" * 20_001), ("set-model", "m" * 1001), ("set-address", "h" * 1001)):
        assert "at most" in shown(lead, **{name: value}).lower(), name


def test_a_limit_that_is_too_low_is_said_before(lead: Client, model: LlmServer) -> None:
    assert "The limits are too low" in shown(lead, **{"set-limit": "0.0001"})
    assert "The limits are too low" not in shown(lead)


def test_a_run_is_started_and_its_page_has_cost_and_rates(lead: Client, model: LlmServer) -> None:
    response = lead.post(PAGE, {**SETTINGS, "do": "run"})
    run = Run.objects.get()
    assert response.status_code == 302 and response["Location"].endswith(f"/prelabels/{run.slug}/")
    assert work_through(run).status == "done"
    page = unescape(lead.get(response["Location"]).content.decode())
    assert "Cost and answers" in page and "0.0060" in page and "Answers that needed a repair" in page
    assert "0 of 3" in page and KEY not in page
    found = lead.get(f"/api/projects/town/runs/{run.slug}/").json()["answers"]
    assert (found["requests"], found["spent"], found["repaired_share"], found["spans"]) == (
        3,
        pytest.approx(0.006),
        0,
        0,
    )
    assert found["unmatched_share"] is None


def test_runs_of_other_methods_have_no_cost(lead: Client, town: Project) -> None:
    Run.objects.create(project=town, slug="r", method="default.v1")
    assert "Cost and answers" not in lead.get("/projects/town/prelabels/r/").content.decode()
    assert lead.get("/api/projects/town/runs/r/").json()["answers"] is None


def test_without_a_server_the_page_says_what_to_do(lead: Client, settings: Settings) -> None:
    settings.LLM_URL = ""
    assert "llm cannot be run: no server is set" in shown(lead)
    response = lead.post(PAGE, {**SETTINGS, "set-model": "", "do": "run"})
    assert response.status_code == 422 and not Run.objects.exists()


def test_a_hostile_text_is_only_shown(lead: Client, town: Project, model: LlmServer) -> None:
    PairFactory(project=town, a=text("<script>alert(1)</script>"), b=text("</pre>"), position=9)
    response = lead.post(PAGE, {**SETTINGS, "pair": "4"})
    assert b"<script>alert" not in response.content and b'"</pre>"' not in response.content


def test_the_methods_panel_leads_to_the_page(lead: Client, model: LlmServer) -> None:
    panel = lead.get("/projects/town/prelabels/method/?method=llm").content.decode()
    assert PAGE in panel and "<textarea" in panel
    assert PAGE not in lead.get("/projects/town/prelabels/method/?method=default").content.decode()


def test_the_number_of_queries_does_not_grow(
    lead: Client, town: Project, model: LlmServer, django_assert_max_num_queries: object
) -> None:
    shown(lead)
    pairs_make(ProjectFactory(slug="large", scheme=PRESETS["graded"].to_json()), 100)
    with django_assert_max_num_queries(40):  # type: ignore[operator]
        member(Project.objects.get(slug="large"), "lead").get("/projects/large/prelabels/prompt/")


@pytest.mark.parametrize(("role", "status"), [(None, 404), ("annotator", 403)])
def test_only_leads(town: Project, role: str | None, status: int) -> None:
    client = member(town, role) if role else member(ProjectFactory(slug="elsewhere"), "lead")
    assert client.get(PAGE).status_code == client.post(PAGE, SETTINGS).status_code == status


def test_an_answer_that_is_known_is_shown_with_what_it_marks(lead: Client, town: Project, model: LlmServer) -> None:
    assert "Model's answer" not in shown(lead, pair="2")
    work_through(run_request(project=town, method="llm", settings={"per_minute": 10_000}))
    page = " ".join(shown(lead, pair="2").split())
    assert "Model's answer" in page and '{"word": "old", "similarity": 0}' in page
    assert 'A: <span dir="auto">old</span> <span class="quiet">1.00</span>' in page
    assert "Model's answer" not in shown(lead, **{"pair": "2", "set-temperature": "1"}), "another question"
    assert len(model.received) == 3
