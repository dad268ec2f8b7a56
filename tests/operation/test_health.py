"""Readiness: a code for every check, without a log-in, and nothing that an attacker could use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from config.celery import app as celery_app
from operation import health, historical_models
from tests.needs import REDIS

pytestmark = pytest.mark.django_db


def checked() -> tuple[int, dict[str, str]]:
    response = Client().get(reverse("readyz"))
    assert response["Cache-Control"].startswith("max-age=0")
    body = response.json()
    assert body["ready"] is (response.status_code == 200)
    return response.status_code, body["checks"]


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


def test_a_site_that_can_serve_is_ready() -> None:
    assert checked() == (200, {"database": "ok", "migrations": "ok", "data": "ok", "broker": "folder"})


def test_a_missing_migration_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    applied = [each for each in historical_models.applied_migrations() if each[0] != "assist"]
    monkeypatch.setattr(health, "applied_migrations", lambda: applied)
    status, checks = checked()
    assert status == 503 and checks["migrations"] == "pending"
    assert [name.split(".")[0] for name in health.pending_migrations()] == ["assist"]


def test_an_unreachable_database_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*arguments: Any) -> Any:
        raise OperationalError("cannot connect to db.internal as diptych")

    monkeypatch.setattr(connection, "cursor", away)
    response = Client().get(reverse("readyz"))
    assert response.status_code == 503 and b"internal" not in response.content
    assert response.json()["checks"] | {"data": "ok"} == {
        "database": "unreachable", "migrations": "unknown", "data": "ok", "broker": "folder",
    }  # fmt: skip


def test_a_data_folder_that_cannot_be_written_is_said(settings: Settings, folder: Path) -> None:
    settings.DATA_DIR = folder / "gone"
    assert checked()[1]["data"] == "not-writable"


def test_a_broker_that_does_not_answer_is_said(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(celery_app, "connection_for_write", _at(settings.CELERY_BROKER_URL))
    assert checked() == (503, {"database": "ok", "migrations": "ok", "data": "ok", "broker": "unreachable"})


@pytest.mark.redis
def test_a_redis_that_answers_is_said(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CELERY_BROKER_URL = REDIS
    monkeypatch.setattr(celery_app, "connection_for_write", _at(REDIS))
    assert checked()[1]["broker"] == "ok"


def _at(url: str) -> Any:
    from kombu.connection import Connection

    return lambda: Connection(url, transport_options={"socket_connect_timeout": 2.0})
