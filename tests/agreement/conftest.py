"""What every test of agreement starts with."""

from __future__ import annotations

import pytest

from agreement.report.services import reports


@pytest.fixture(autouse=True)
def empty_report_cache() -> None:
    """A process remembers disputes by the keys of rows, which the next test's rows have again."""
    reports._cache.clear()
