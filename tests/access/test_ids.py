"""On every page each id is there once, and every label has its field."""

from __future__ import annotations

import pytest

from tests.access.site import filled
from tests.access.test_matrix import expected, routes
from tests.assist.conftest import fakes, notified, own_data  # noqa: F401
from tests.ids import wrong_ids

pytestmark = [pytest.mark.any_database, pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]


@pytest.mark.long
@pytest.mark.takes(10)
def test_ids_are_unique_and_labels_lead_to_fields() -> None:
    at = filled()
    seen, wrong = 0, {}
    for name, arguments in routes():
        if expected().get((name, "GET"), {}).get("superuser") != "200":
            continue
        response = at.clients["superuser"].get(at.address(name, arguments))
        if response.streaming or not response["Content-Type"].startswith("text/html"):
            continue
        seen += 1
        if found := wrong_ids(response.content.decode()):
            wrong[name] = found
    assert not wrong
    assert seen > 60
