"""Fixtures of this app's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from tests.annotation.hooked import Clock
from tests.annotation.receiver import Receiver, receiving


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    """A server on this machine that webhooks may call."""
    settings.PRIVATE_ADDRESSES = True
    with receiving() as made:
        yield made


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The site's clock."""
    made = Clock()
    monkeypatch.setattr("django.utils.timezone.now", made)
    return made


@pytest.fixture
def nobody_notified(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is told of deliveries: the test does their work."""
    monkeypatch.setattr("annotation.services.webhooks.notify", lambda name: None)
