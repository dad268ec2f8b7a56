"""What docs/llm.md tells a lead to do, on the demo: choose llm, preview, see the estimate, run, see cost and rates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from annotation.models import Highlight, User
from annotation.services.demo import demo_load
from assist.models import Queue, Run
from assist.runs import processing
from tests import llm_server as server
from tests.assist.prompted import served
from tests.browser.test_mining_page import settled
from tests.browser.waits import follow
from tests.llm_server import LlmServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def model(settings: Settings, tmp_path: Path) -> Iterator[LlmServer]:
    settings.DATA_DIR = tmp_path
    with served(settings, server.fenced, server.halved, server.well) as made:
        yield made


@pytest.mark.long
@pytest.mark.takes(15)
def test_from_the_prompt_to_the_quality(
    page: Page, live_server: LiveServer, log_in: Callable[..., None], model: LlmServer
) -> None:
    demo_load()
    log_in(page.context, User.objects.get(username="lena"))
    page.goto(f"{live_server.url}/projects/demo-graded/prelabels/")
    page.get_by_label("Method", exact=True).select_option("llm")
    expect(page.get_by_text("The texts are sent to another server, which may charge for it.")).to_be_visible()
    follow(page.get_by_role("link", name="Preview the prompt and the cost"))
    expect(page.locator("#estimate")).to_contain_text("at most")
    expect(page.locator("pre", has_text="You compare two texts, A and B")).to_be_visible()
    settled(page, "llm")

    page.get_by_label("Pair shown").fill("2")
    page.get_by_label("Instructions", exact=True).fill("Compare the two texts word by word, strictly.")
    follow(page.get_by_role("button", name="Preview"))
    expect(page.locator("pre", has_text="word by word, strictly.")).to_be_visible()
    assert not model.received, "a preview asks nothing"

    page.get_by_label("Spending limit").fill("5")
    page.get_by_label("Requests per minute").fill("10000")
    follow(page.get_by_role("button", name="Pre-label all pairs"))
    expect(page.locator("#run-status")).to_contain_text("waiting for a worker")
    processing.lots_process(Queue.values)
    run = Run.objects.get(method="llm.v1")
    expect(page.locator("#run-status")).to_contain_text(f"{run.total} of {run.total} pairs")
    page.reload()
    answers = page.locator("#answers")
    expect(answers).to_contain_text("Spent")
    expect(answers.get_by_role("row", name="Answers that needed a repair")).to_contain_text(
        f"2 of {len(model.received)}"
    )
    settled(page, "llm-run")
    # Long documents need several requests.
    assert Highlight.objects.filter(run=run.slug).count() == run.total <= len(model.received)
    assert all(body["messages"][0]["content"].startswith("Compare the two") for body in model.bodies)

    page.goto(f"{live_server.url}/projects/demo-graded/prelabels/prompt/")
    page.get_by_label("Instructions", exact=True).fill("Compare the two texts word by word, strictly.")
    follow(page.get_by_role("button", name="Preview"))
    expect(page.get_by_role("heading", name="Suggested passages")).to_be_visible()
    settled(page, "llm-answer")

    page.goto(f"{live_server.url}/projects/demo-graded/quality/")
    expect(page.locator("main")).to_contain_text(run.slug)
