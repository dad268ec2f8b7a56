"""The defaults on a fresh machine without any variable set."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.environment import without_settings
from tests.paths import ROOT

PROBE = """
import django, json, sys
django.setup()
from django.conf import settings
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("PRAGMA journal_mode")
    mode = cursor.fetchone()[0]
    cursor.execute("PRAGMA foreign_keys")
    keys = cursor.fetchone()[0]
print(json.dumps({"key": settings.SECRET_KEY, "mode": mode, "keys": keys, "debug": settings.DEBUG,
                  "torch": "torch" in sys.modules, "broker": settings.CELERY_BROKER_URL,
                  "cookies": [settings.SESSION_COOKIE_NAME, settings.SESSION_COOKIE_SECURE,
                              settings.CSRF_COOKIE_SECURE, settings.SECURE_HSTS_SECONDS > 0],
                  "mail": [bool(settings.EMAIL), settings.EMAIL_BACKEND.split(".")[-2], settings.EMAIL_HOST,
                           settings.EMAIL_PORT, settings.EMAIL_USE_TLS, settings.DEFAULT_FROM_EMAIL]}))
"""


def probe(data: Path, **variables: str) -> dict[str, object]:
    environment = without_settings()
    environment |= {"DIPTYCH_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings", **variables}
    done = subprocess.run([sys.executable, "-c", PROBE], cwd=ROOT, env=environment, capture_output=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_defaults_are_safe_and_need_no_service(tmp_path: Path) -> None:
    found = probe(tmp_path / "new")
    assert (found["mode"], found["keys"], found["debug"], found["torch"]) == ("wal", 1, False, False)
    assert found["broker"] == "filesystem://"


def test_the_secret_key_is_created_once_and_readable_only_by_its_owner(tmp_path: Path) -> None:
    first, second = probe(tmp_path), probe(tmp_path)
    assert first["key"] == second["key"] and len(str(first["key"])) >= 50
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.glob("secret-key*")] == ["secret-key"]


def test_environment_variables_take_precedence(tmp_path: Path) -> None:
    assert probe(tmp_path, DIPTYCH_SECRET_KEY="x" * 50)["key"] == "x" * 50


def test_what_is_written_is_closed_to_other_users(tmp_path: Path) -> None:
    data = tmp_path / "new"
    probe(data)
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "diptych.sqlite3").stat().st_mode) == 0o600


def test_what_an_earlier_version_left_open_is_closed(tmp_path: Path) -> None:
    data = tmp_path / "old"
    probe(data)
    data.chmod(0o755)
    for path in data.glob("diptych.sqlite3*"):
        path.chmod(0o644)
    probe(data)
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in data.glob("diptych.sqlite3*")} == {0o600}


@pytest.mark.long
@pytest.mark.takes(7)
def test_mail_is_sent_where_a_server_is_named(tmp_path: Path) -> None:
    found = probe(tmp_path)["mail"]
    assert isinstance(found, list) and found[0] is False
    address = "smtp+tls://user:password@mail.example.org:587"
    sender = "diptych@example.org"
    found = probe(tmp_path, DIPTYCH_EMAIL_URL=address, DIPTYCH_EMAIL_FROM=sender)["mail"]
    assert found == [True, "smtp", "mail.example.org", 587, True, sender]


def test_a_form_of_logs_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        probe(tmp_path, DIPTYCH_LOG="yaml")
    assert b"it can be 'plain' or 'json'" in refused.value.stderr


def test_a_token_that_can_be_guessed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        probe(tmp_path, DIPTYCH_METRICS_TOKEN="a" * 19)
    assert b"DIPTYCH_METRICS_TOKEN has 19 characters" in refused.value.stderr and b"a" * 19 not in refused.value.stderr
    assert probe(tmp_path, DIPTYCH_METRICS_TOKEN="a" * 20)["debug"] is False


def test_cookies_of_a_site_with_https_are_sent_and_set_by_it_alone(tmp_path: Path) -> None:
    assert probe(tmp_path)["cookies"] == ["sessionid", False, False, False]
    found = probe(tmp_path, DIPTYCH_HTTPS="1")["cookies"]
    assert found == ["__Host-sessionid", True, True, True]
