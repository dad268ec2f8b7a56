"""Workers poll for reports and publications."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agreement import workers  # noqa: F401 (what it polls for)
from agreement.models import Publication
from agreement.publication.card import Terms
from agreement.publication.services import publications
from agreement.report.jobs import REPORTS
from annotation import polling
from annotation.models import JobStatus
from tests.factories import PairFactory


@pytest.mark.django_db
def test_a_poll_writes_what_waits(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(publications, "MAX_SYNC_PAIRS", 0)
    publications.publication_request(project=PairFactory().project, to="jsonl", terms=Terms(), by=None)
    action = polling._pollers[publications.PUBLICATIONS.name].action
    assert action(["cpu"], lambda: False) == 1 and action(["cpu"], lambda: False) == 0
    assert Publication.objects.get().status == JobStatus.DONE
    assert polling._pollers[REPORTS.name].action(["cpu"], lambda: False) == 0
