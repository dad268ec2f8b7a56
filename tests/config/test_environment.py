"""Variables of the environment that can't be read are named in a sentence, by whatever starts with them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import Environment
from tests.environment import without_settings
from tests.paths import ROOT

PASSWORD = "known-to-nobody"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DIPTYCH_JOB_ATTEMPTS", "three", "'three'; a whole number is expected"),
        ("DIPTYCH_STALE_SECONDS", "abc", "'abc'; a number is expected"),
        ("DIPTYCH_LLM_LIMIT", "x", "'x'; a number is expected"),
        ("DIPTYCH_TIME_ZONE", "Mars/X", "'Mars/X'; the name of a time zone is expected, such as Europe/Zurich"),
        ("DIPTYCH_TIME_ZONE", "../etc", "'../etc'; the name of a time zone is expected"),
        ("DIPTYCH_LOG_LEVEL", "foo", "'foo'; a level such as INFO or WARNING is expected"),
        ("CELERY_BROKER_URL", "foo://x", "no address of a broker: "),
        ("DIPTYCH_EMAIL_URL", "foo://x", "no address of a mail server, such as "),
        ("DATABASE_URL", "foo", "no address of a database: sqlite:///PATH or postgres://"),
        ("DATABASE_URL", f"mysql://a:{PASSWORD}@127.0.0.1/town", "no address of a database: "),
        ("DATABASE_URL", f"postgres://a:{PASSWORD}@127.0.0.1:99999/town", "no address of a database: "),
        ("DATABASE_URL", f"postgres://a:{PASSWORD}@127.0.0.1", "no address of a database: "),
    ],
)
def test_a_variable_that_can_not_be_read_is_named(tmp_path: Path, name: str, value: str, said: str) -> None:
    environment = without_settings() | {"DIPTYCH_DATA": str(tmp_path), name: value}
    command = [sys.executable, "-c", "import config.settings"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"django.core.exceptions.ImproperlyConfigured: {name} is {said}"), done.stderr
    assert PASSWORD not in last


def test_what_is_right_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    env = Environment()
    monkeypatch.setenv("TOWN", "postgres://a:b%40c@127.0.0.1:5432/town?sslmode=require")
    found = env.database("TOWN", "")
    assert (found["NAME"], found["PASSWORD"], found["PORT"]) == ("town", "b@c", 5432)
    monkeypatch.setenv("TOWN", "smtp+tls://a:b@mail.example.org:587")
    assert env.mail("TOWN")["EMAIL_HOST"] == "mail.example.org" and env.mail("NONE") == {}
    monkeypatch.setenv("TOWN", "redis://127.0.0.1:6379/0")
    assert env.broker("TOWN") == "redis://127.0.0.1:6379/0" and env.broker("NONE") == "filesystem://"
    assert env.zone("NONE", "UTC") == "UTC" and env.database("NONE", "sqlite:////srv/x")["NAME"] == "/srv/x"
    monkeypatch.setenv("TOWN", "x")
    with pytest.raises(ImproperlyConfigured, match="TOWN is 'x'; a whole number is expected"):
        env.int("TOWN")


def test_a_command_ends_with_the_sentence(tmp_path: Path) -> None:
    environment = without_settings() | {"DIPTYCH_DATA": str(tmp_path), "DIPTYCH_LOOK_SECONDS": "soon"}
    for command in (["manage.py", "migrate"], ["-m", "config.serving", "--port", "1"]):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode and "DIPTYCH_LOOK_SECONDS is 'soon'; a number is expected." in done.stderr
        assert "Traceback" not in done.stderr, done.stderr
