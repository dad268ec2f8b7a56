"""The hub on this machine to which tests push."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.agreement.publication.hub_server import LocalHub, local_hub


@pytest.fixture
def hub(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    """The site's hub. Faults are answered at once, without the library's patience."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda seconds: None)
    with local_hub() as made:
        settings.HUB = made.url
        yield made
