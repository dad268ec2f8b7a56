"""Fixtures of all tests of agreement."""

from __future__ import annotations

import pytest

from agreement.report.services import reports


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """A process caches disputes by the keys of rows, which the next test's rows reuse."""
    reports._remembered.clear()
