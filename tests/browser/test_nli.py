"""What docs/nli.md tells a lead to do: choose nli, run it, add the translation that a pair lacks, retry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from annotation.models import Highlight, Project, Role
from annotation.services.translations import TranslationInput, translations_write
from assist.models import Queue, Run
from assist.runs import processing
from tests.assist.methods.tiny import folder
from tests.assist.methods.tiny_nli import save
from tests.browser.test_mining_page import settled
from tests.browser.waits import follow
from tests.factories import AnnotatorFactory, PairFactory, ProjectFactory, TextFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def made(models: Path) -> Project:
    """Two pairs, the second with a German text, and an NLI model and an encoder in the folder of models."""
    (models / "tiny-nli").mkdir(parents=True)
    save(models / "tiny-nli")
    folder("bert", models)
    project: Project = ProjectFactory(slug="library", name="Library")
    a = TextFactory(content="the old dog runs", language="en")
    PairFactory(project=project, a=a, b=TextFactory(content="a dog sees water", language="en"), external_id="english")
    PairFactory(project=project, a=a, b=TextFactory(content="wasser hund", language="de"), external_id="german")
    return project


@pytest.mark.long
@pytest.mark.takes(20)
def test_from_the_method_to_a_pair_that_lacked_its_translation(
    page: Page,
    live_server: LiveServer,
    log_in: Callable[..., None],
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.DATA_DIR = tmp_path / "data"
    monkeypatch.setenv("DIPTYCH_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    project = made(tmp_path / "models")
    lead = UserFactory(username="lea")
    AnnotatorFactory(project=project, user=lead, alias="lea", role=Role.LEAD)
    log_in(page.context, lead)

    page.goto(f"{live_server.url}/projects/library/prelabels/")
    page.get_by_label("Method", exact=True).select_option("nli")
    model = page.get_by_label("NLI model", exact=True)
    expect(model).to_have_count(1)
    expect(page.get_by_text("cross-encoder/nli-deberta-v3-base, bert-base-multilingual-cased")).to_be_visible()
    page.locator("details", has=model).locator("summary").click()
    expect(model).to_be_visible()
    settled(page, "nli-method")
    model.fill("tiny-nli")
    page.get_by_label("Encoder of the aligner", exact=True).fill("bert")
    follow(page.get_by_role("button", name="Pre-label all pairs"))
    processing.lots_process(Queue.values)
    run = Run.objects.get()
    assert (run.done, run.failed) == (1, 1)
    scores = Highlight.objects.get(pair__external_id="english").scores_b
    assert max(scores) == scores[3] > 0.5

    page.goto(f"{live_server.url}/projects/library/prelabels/{run.slug}/")
    expect(page.get_by_text("has no translation into a language that the NLI model reads (en)").first).to_be_visible()
    settled(page, "nli-run")

    german = project.pairs.get(external_id="german")
    translations_write(translations=[TranslationInput(german.pk, "b", "the water", "somebody's model")])
    follow(page.get_by_role("button", name="Try again"))
    processing.lots_process(Queue.values)
    assert Highlight.objects.get(pair=german).scores_b
    run.refresh_from_db()
    assert (run.done, run.failed) == (2, 0)
