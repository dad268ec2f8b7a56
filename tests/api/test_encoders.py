"""What the API says of encoders that are compared."""

from __future__ import annotations

from typing import Any

import pytest

from assist.encoder_comparisons.jobs import comparisons_run
from assist.methods.encoder.pretrained import PACKAGED
from tests.api.encoders import FILE, WANTED, addresses
from tests.api.site import site
from tests.assist.conftest import fakes, notified  # noqa: F401

pytestmark = [pytest.mark.any_database, pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]


@pytest.mark.long
@pytest.mark.takes(12)
def test_figures_and_rows_come_once_a_worker_is_done() -> None:
    at = site()
    at.ask("comparison_cancel")
    waiting = at.ask("comparison_request", body=WANTED).json()
    assert (waiting["status"], waiting["files"], waiting["encoders"]) == ("queued", ["rows.csv"], [PACKAGED])
    address = addresses(at.home.project.slug, waiting["id"])["comparison"]
    assert at.ask("comparison", address=address).json()["found"] is None
    comparisons_run()
    done = at.ask("comparison", address=address).json()
    assert done["status"] == "done" and done["found"]["compositionality"] is done["found"]["gold"] is None
    (model,) = done["found"]["clsd"]["models"]
    assert model["model"] == PACKAGED and model["direct"]["rows"] == 2 and model["effort"]["sentences"] > 8
    only = model["pivot"]["only_direct"] + model["pivot"]["only_pivot"]
    assert [row["line"] for row in done["rows"]] == sorted(only) and done["rows"][0]["direct"]["source"]
    listed = at.ask("comparisons").json()
    assert listed["count"] == 2 and listed["comparisons"][0]["id"] == waiting["id"]


def test_what_cannot_be_compared_is_refused() -> None:
    at = site()
    changes: list[dict[str, Any]] = [
        {"encoders": []},
        {"encoders": [PACKAGED, PACKAGED]},
        {"encoders": ["/models/x"]},
        {"encoders": ["../x"]},
        {"clsd": {"name": "rows.csv", "text": "Source\n"}},
        {"settings": {"clsd": False, "compositionality": False, "gold": False}},
        {"settings": {"translation_model": "owner/name"}},
        {"settings": {"nothing": 1}},
    ]
    for change in changes:
        refused = at.ask("comparison_request", body={**WANTED, "clsd": FILE, **change})
        assert refused.status_code == 422, change
    assert at.ask("comparisons").json()["count"] == 1
