"""Production does not start with what opens a site to everyone; with the documented settings nothing is reported."""

from __future__ import annotations

import io
import os
import subprocess
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from operation.production import refusals
from tests.environment import without_settings
from tests.paths import ROOT

KEY = "k7Zq0-unlikely_to_be_guessed-9fT2mXw4bLs8RvNc6YhD3"


@pytest.fixture(autouse=True)
def documented(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As in docs/operations.md."""
    monkeypatch.delenv("DIPTYCH_SECRET_KEY", raising=False)
    settings.DEBUG = False
    settings.ALLOWED_HOSTS = ["annotate.example.org", "127.0.0.1"]
    settings.SECRET_KEY = KEY
    settings.DATA_DIR = tmp_path
    (tmp_path / "secret-key").touch(0o600)
    return tmp_path


def codes() -> list[str]:
    found = list(refusals())
    assert all(sentence.count(". ") == 0 and sentence.endswith(".") for _code, sentence in found)
    return [code for code, _sentence in found]


def test_nothing_is_wrong_with_the_documented_settings() -> None:
    assert codes() == []
    call_command("check_production")


@pytest.mark.parametrize("hosts", [["*"], ["annotate.example.org", "*"], ["."], [" * "]])
def test_an_open_host_list(hosts: list[str], settings: Settings) -> None:
    settings.ALLOWED_HOSTS = hosts
    assert codes() == ["hosts"]


def test_debug(settings: Settings) -> None:
    settings.DEBUG = True
    with pytest.raises(CommandError, match="DIPTYCH_DEBUG is on"):
        call_command("check_production")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_secret_that_others_can_read(mode: int, documented: Path) -> None:
    (documented / "secret-key").chmod(mode)
    assert codes() == ["secret-read"]


def test_a_file_that_is_not_used_does_not_matter(documented: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (documented / "secret-key").chmod(0o644)
    monkeypatch.setenv("DIPTYCH_SECRET_KEY", KEY)
    assert codes() == []


@pytest.mark.parametrize("key", ["short", "x" * 60, "django-insecure-" + KEY, KEY[:49]])
def test_a_secret_that_can_be_guessed(key: str, settings: Settings) -> None:
    settings.SECRET_KEY = key
    assert codes() == ["secret-weak"]


@pytest.mark.long
@pytest.mark.takes(10)
def test_djangos_own_check_is_clean(tmp_path: Path) -> None:
    environment = without_settings()
    environment |= {
        "DIPTYCH_HOSTS": "annotate.example.org,127.0.0.1",
        "DIPTYCH_ORIGINS": "https://annotate.example.org",
        "DIPTYCH_HTTPS": "1",
        "DIPTYCH_PROXIES": "127.0.0.1",
        "DIPTYCH_DATA": str(tmp_path / "data"),
    }
    command = [".venv/bin/python", "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
    broken = subprocess.run(command, cwd=ROOT, env=environment | {"DIPTYCH_HOSTS": "*"}, capture_output=True, text=True)
    assert broken.returncode == 1 and "diptych.hosts" in broken.stderr


@pytest.mark.takes(10)
@pytest.mark.parametrize("script", ["web", "worker"])
@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"DIPTYCH_DEBUG": "1"}, "DIPTYCH_DEBUG is on"),
        ({"DIPTYCH_HOSTS": "*"}, "accepts every host name"),
        ({"DIPTYCH_SECRET_KEY": "secret"}, "can be guessed"),
    ],
)
def test_neither_script_starts(script: str, variables: dict[str, str], sentence: str, tmp_path: Path) -> None:
    environment = os.environ | {"DIPTYCH_DATA": str(tmp_path / "data")} | variables
    done = subprocess.run([ROOT / "script" / script], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert sentence in done.stderr and f"{script}: not started" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.django_db
def test_a_missing_migration_is_said_to_web_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    call_command("check_production", "--migrated")
    name = "operation.management.commands.check_production.pending_migrations"
    monkeypatch.setattr(name, lambda: ["annotation.0099_more"])
    call_command("check_production", stdout=io.StringIO())
    with pytest.raises(CommandError, match=r"manage.py migrate"):
        call_command("check_production", "--migrated")
