"""docs/operations.md, followed to the letter: every block of bash, in order, and the commands of the systemd units.

Only what belongs to a machine of its own is replaced: names of the database, folders, the port and the password; the
administrator's psql is that of the tests' PostgreSQL.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from assist.methods.lexicon.sources import INSTALLED
from benchmarks.serving import free_port
from config.serving import END_SECONDS
from tests.environment import without_settings
from tests.needs import POSTGRES, REDIS
from tests.paths import ROOT

pytestmark = pytest.mark.processes

GUIDE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
PATIENCE = 240.0
PASSWORD = "the owner's own words"
TOKEN = "token-of-the-monitoring"


def blocks() -> list[str]:
    return re.findall(r"^```bash\n(.*?)^```$", GUIDE, re.M | re.S)


@dataclass
class Machine:
    """Where the guide is followed."""

    folder: Path
    port: int
    name: str
    environment: dict[str, str]
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def here(self, text: str) -> str:
        """A text of the guide or of `deploy/` with the names of this machine."""
        server = urlsplit(POSTGRES)
        replaced = {
            "sudo -u postgres psql": f"psql '{POSTGRES}'",
            "postgres://diptych:CHANGE-ME@127.0.0.1:5432/diptych": server._replace(
                netloc=f"{self.name}:CHANGE-ME@{server.hostname}:{server.port or 5432}", path=f"/{self.name}"
            ).geturl(),
            "redis://127.0.0.1:6379/0": REDIS,
            "ROLE diptych": f"ROLE {self.name}",
            "OWNER diptych": f"OWNER {self.name}",
            "DATABASE diptych": f"DATABASE {self.name}",
            "/etc/diptych.env": str(self.folder / "diptych.env"),
            "/srv/": f"{self.folder}/srv/",
            "/opt/diptych/script": str(ROOT / "script"),
            "--port 8000": f"--port {self.port}",
            "127.0.0.1:8000": f"127.0.0.1:{self.port}",
            "git pull --ff-only": "true",
            "createsuperuser": "createsuperuser --noinput --username owner --email owner@example.org",
        }
        for before, after in replaced.items():
            text = text.replace(before, after)
        return text

    def follow(self, block: str) -> str:
        command = ["bash", "-eo", "pipefail", "-c", self.here(block)]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def start(self, unit: str) -> Path:
        """Start what a unit starts, with its settings; returns its log."""
        line = re.search(r"^ExecStart=(.*)$", (ROOT / "deploy" / unit).read_text(), re.M)
        assert line
        log = self.folder / f"{unit}.log"
        settings = f"set -a; . {self.folder}/diptych.env; set +a; exec "
        with log.open("wb") as output:
            command = ["bash", "-c", settings + self.here(line[1])]
            process = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=output, stderr=output)
        self.started.append(process)
        return log

    def stop(self) -> None:
        for process in self.started:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.started:
            process.wait(timeout=120)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    import psycopg

    environment = without_settings()
    environment |= {"DJANGO_SUPERUSER_PASSWORD": PASSWORD}
    made = Machine(tmp_path, free_port(), f"diptych_guide_{os.getpid()}", environment)
    (tmp_path / "srv" / "backups").mkdir(parents=True)
    more = f"DIPTYCH_METRICS_TOKEN={TOKEN}\nDIPTYCH_BROKER_PREFIX={made.name}-\nDIPTYCH_LOOK_SECONDS=0.5\n"
    (tmp_path / "diptych.env").write_text(made.here((ROOT / "deploy" / "diptych.env").read_text()) + more)
    try:
        yield made
    finally:
        made.stop()
        with psycopg.connect(POSTGRES, autocommit=True) as server:
            for name in (made.name, f"{made.name}2"):
                server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            server.execute(f"DROP ROLE IF EXISTS {made.name}")


def answers(machine: Machine, path: str, **headers: str) -> str:
    request = urllib.request.Request(f"http://127.0.0.1:{machine.port}{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.read().decode())


def until_ready(machine: Machine, *logs: Path) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            assert json.loads(answers(machine, "/readyz"))["ready"]
            return
        except OSError:
            said = "\n".join(log.read_text() for log in logs)
            assert time.monotonic() < end and all(each.poll() is None for each in machine.started), said
            time.sleep(0.3)


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.takes(90)
def test_the_guide_leads_to_a_running_site_and_back_from_a_backup(machine: Machine) -> None:
    database, install, ready, backup, second_database, restore, upgrade, metrics = blocks()
    machine.follow(database)
    said = machine.follow(install)
    assert "Superuser created" in said and "System check identified no issues" in said
    logs = [machine.start(unit) for unit in ("diptych-web.service", "diptych-worker.service")]
    until_ready(machine, *logs)
    assert json.loads(machine.follow(ready))["checks"] == dict.fromkeys(
        ("database", "migrations", "data", "broker"), "ok"
    )
    proxied = {"Host": "annotate.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    assert "Log in" in answers(machine, "/login/", **proxied)
    machine.environment["DIPTYCH_METRICS_TOKEN"] = TOKEN
    end = time.monotonic() + PATIENCE
    while "diptych_workers 1.0" not in (counted := machine.follow(metrics)):
        assert time.monotonic() < end, logs[1].read_text()
        time.sleep(0.5)
    assert re.search(r'diptych_requests_total\{method="GET",status="200",view="login"\} [1-9]', counted)
    lines = [json.loads(line) for log in logs for line in log.read_text().splitlines() if line.startswith("{")]
    requests = [line for line in lines if line["message"] == "request"]
    assert {"request", "view", "status", "ms"} <= requests[0].keys()
    with_settings = f"set -a; . {machine.folder}/diptych.env; set +a\n"
    assert "backups/monday.backup" in machine.follow(with_settings + backup)
    machine.follow(second_database)
    assert "Restored" in machine.follow(with_settings + restore)
    machine.stop()
    machine.started.clear()
    assert "No migrations to apply" in machine.follow(upgrade)
    until_ready(machine, machine.start("diptych-web.service"))


def test_units_run_scripts_that_there_are_and_the_settings_are_known() -> None:
    for unit in ("diptych-web.service", "diptych-worker.service"):
        text = (ROOT / "deploy" / unit).read_text()
        found = re.search(r"^ExecStart=/opt/diptych/(\S+)", text, re.M)
        assert found and os.access(ROOT / found[1], os.X_OK)
    readme = (ROOT / "README.md").read_text()
    for file in ("deploy/diptych.env", "compose.yaml"):
        named = set(re.findall(r"\b(?:DIPTYCH_[A-Z_]+|DATABASE_URL|CELERY_BROKER_URL)\b", (ROOT / file).read_text()))
        assert not [name for name in named if f"`{name}`" not in readme], file


def test_an_image_is_built_by_the_steps_of_setup() -> None:
    steps = (ROOT / "Containerfile").read_text()
    assert "RUN script/setup ${SETUP}" in steps and "ARG SETUP=--core" in steps
    assert "pip " not in steps and "requirements" not in steps
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    assert set(services) == {"database", "broker", "migrate", "web", "worker"}
    assert services["worker"]["command"][0] == "script/worker" and 'CMD ["script/web"' in steps
    procfile = (ROOT / "Procfile").read_text()
    assert set(re.findall(r": (script/\w+)", procfile)) == {"script/web", "script/worker"}


NAMED = r"`(DIPTYCH_[A-Z_]+|DATABASE_URL|CELERY_BROKER_URL)`"
FIXED = {"DATABASE_URL", "CELERY_BROKER_URL", "DIPTYCH_HTTPS"}
"""What `compose.yaml` sets, whatever is in `.env`."""
OF_WEB = "DIPTYCH_CONNECTION_SECONDS"
SETTINGS = """
import json
from django.conf import settings
settings.DEBUG
names = [name for name in dir(settings) if name.isupper() and name != "SECRET_KEY"]
print(json.dumps({name: repr(getattr(settings, name)) for name in names}))
"""


def composed(service: str, **env_file: str) -> dict[str, str]:
    """The environment of a service, with what is in `.env`."""

    def value(found: re.Match[str]) -> str:
        name, sign, otherwise = found.groups()
        given = env_file.get(name)
        if sign == "-":
            return otherwise if given is None else given
        assert given or sign == ":-", f"{name}: {otherwise}"
        return given or otherwise

    given = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"][service]["environment"]
    return {name: re.sub(r"\$\{(\w+)(:\?|:-|-)([^}]*)\}", value, text) for name, text in given.items()}


def settings_with(data: Path, variables: dict[str, str]) -> dict[str, str]:
    environment = without_settings() | variables
    environment |= {"DIPTYCH_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", SETTINGS]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def test_containers_get_every_variable_of_the_table_from_the_env_file() -> None:
    table = re.findall(r"^\| (`[A-Z_]+`[^|]*) \|", (ROOT / "README.md").read_text(), re.M)
    named = {name for row in table for name in re.findall(NAMED, row)} - {"DIPTYCH_DATA"}
    assert len(named) > 30
    env_file = {name: f"value-of-{name}" for name in (*named, "POSTGRES_PASSWORD")}
    expected = {name: env_file[name] for name in named - FIXED}
    for service, of_service in (("web", expected), ("worker", expected.keys() - {OF_WEB})):
        found = composed(service, **env_file)
        assert {name: found.get(name) for name in of_service} == {name: expected[name] for name in of_service}, service
        assert found.keys() - of_service == FIXED, service
    assert "value-of-POSTGRES_PASSWORD" in composed("worker", **env_file)["DATABASE_URL"]
    assert "ENV DIPTYCH_DATA=/srv/diptych DIPTYCH_LOG=json" in (ROOT / "Containerfile").read_text()


def test_what_the_env_file_does_not_say_is_as_by_default(tmp_path: Path) -> None:
    needed = {
        "POSTGRES_PASSWORD": "x",
        "DIPTYCH_HOSTS": "annotate.example.org",
        "DIPTYCH_ORIGINS": "https://a.example.org",
    }
    found = composed("web", **needed)
    kept = {*FIXED, "DIPTYCH_HOSTS", "DIPTYCH_ORIGINS", "DIPTYCH_PROXIES", "DIPTYCH_LOG", OF_WEB}
    given = {name: text for name, text in found.items() if name in kept}
    assert settings_with(tmp_path, found) == settings_with(tmp_path, given)
    assert (given[OF_WEB], given["DIPTYCH_LOG"]) == ("600", "json")
    assert (found["DIPTYCH_DICTIONARIES"], found["DIPTYCH_MODELS"]) == (INSTALLED, "")


def test_a_container_has_the_time_to_end_that_the_guide_promises() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    promised = re.search(r"is answered, for up to (\d+) seconds", " ".join(GUIDE.split()))
    assert promised and float(promised[1]) == END_SECONDS
    assert int(services["web"]["stop_grace_period"].removesuffix("s")) > END_SECONDS
