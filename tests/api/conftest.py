"""What all tests of the API need."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pushes are done in tests/agreement/publication."""
    monkeypatch.setattr("agreement.publication.services.pushes.in_thread", lambda work: None)
