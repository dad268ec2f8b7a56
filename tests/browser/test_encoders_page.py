"""A lead compares encoders: candidates named, a worker's comparison, the figures side by side, the files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Role
from annotation.services.jobs import jobs_run
from assist.encoder_comparisons import comparing
from assist.encoder_comparisons.jobs import COMPARISONS
from tests.agreement.prelabel_eval.test_scores import graded, row
from tests.assist.encoder_comparisons.test_jobs import ROWS, SAMPLES
from tests.assist.methods.tiny import folder
from tests.browser.test_mining_page import settled
from tests.browser.waits import follow
from tests.factories import AnnotatorFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.long
@pytest.mark.takes(15)
def test_from_candidates_to_figures(
    page: Page,
    live_server: LiveServer,
    log_in: Callable[..., None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("DIPTYCH_MODELS", str(tmp_path / "models"))
    for kind in ("bert", "modern"):
        folder(kind, tmp_path / "models")
    (tmp_path / "samples.tsv").write_text(SAMPLES, encoding="utf-8")
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    assert comparing.FILES["clsd"].is_file()
    project = graded(tmp_path, row(1), row(2), row(3))
    lead = AnnotatorFactory(project=project, role=Role.LEAD)
    log_in(page.context, lead.user)

    page.goto(f"{live_server.url}/projects/towns/prelabels/")
    follow(page.get_by_role("link", name="Compare encoders"))
    expect(page.get_by_text("3 pairs of this project have gold.")).to_be_visible()
    settled(page, "encoders")
    page.get_by_label("Encoders", exact=True).fill("bert\nmodern")
    page.get_by_label("Your own rows").set_input_files(tmp_path / "rows.csv")
    page.get_by_label("Your own samples").set_input_files(tmp_path / "samples.tsv")
    follow(page.get_by_role("button", name="Compare", exact=True))
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    assert jobs_run(COMPARISONS) == 1
    expect(page.locator(".answer")).to_contain_text("2 encoders compared.")
    page.reload()
    expect(page.get_by_role("heading", name="Gold of this project")).to_be_visible()
    expect(page.locator(".plot")).to_have_count(6)
    page.get_by_text("The histograms as tables").click()
    settled(page, "encoders-result")
    with page.expect_download() as started:
        page.get_by_role("link", name="JSON").click()
    found = json.loads(Path(started.value.path()).read_text(encoding="utf-8"))
    assert [each["model"] for each in found["gold"]["models"]] == ["bert", "modern"]
    with page.expect_download() as started:
        page.get_by_role("link", name="CSV").click()
    assert Path(started.value.path()).read_text(encoding="utf-8").startswith("model,task,figure,value")
