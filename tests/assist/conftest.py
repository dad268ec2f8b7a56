"""Every test of assist has a data folder of its own, and the tests' own methods where it asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from annotation.models import Project
from tests.assist.fake import fakes_registered
from tests.assist.model_memory import forget_models
from tests.factories import PairFactory, ProjectFactory


@pytest.fixture(autouse=True)
def own_data(settings: Settings, tmp_path: Path) -> Iterator[None]:
    settings.DATA_DIR = tmp_path
    forget_models()
    yield


@pytest.fixture
def fakes() -> Iterator[None]:
    with fakes_registered():
        yield


@pytest.fixture
def project(db: None) -> Project:
    """A project of five pairs."""
    project = ProjectFactory(slug="library")
    for position in range(5):
        PairFactory(project=project, position=position, external_id=f"pair-{position}")
    return project


@pytest.fixture
def notified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queues that were notified, instead of a broker."""
    queues: list[str] = []
    monkeypatch.setattr("assist.runs.services.notify", lambda name, queue: queues.append(queue))
    return queues
