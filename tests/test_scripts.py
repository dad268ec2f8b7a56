"""The scripts of a checkout: setup, server, end; fast the second time, and clear about failures."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.serving import free_port
from tests.paths import ROOT

pytestmark = pytest.mark.processes

PATIENCE = 240.0
BASH = ("setup", "test", "web", "worker", "bench", "bundle", "messages", "mutate", "static", "types")


def environment(data: Path, **variables: str) -> dict[str, str]:
    unset = ("DATABASE_URL", "CI", "DIPTYCH_HTTPS", "DIPTYCH_HOSTS", "DIPTYCH_ORIGINS", "DIPTYCH_PROXIES")
    kept = {key: value for key, value in os.environ.items() if key not in unset}
    return kept | {"DIPTYCH_DATA": str(data)} | variables


class Server:
    """`script/server` in a process, with its output so far."""

    def __init__(self, data: Path, port: int, script: str = "server", *options: str, **variables: str) -> None:
        self.output = data / f"{script}-output"
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [str(ROOT / "script" / script), "--port", str(port), *options],
                env=environment(data, **variables),
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    @property
    def said(self) -> str:
        return self.output.read_text()

    def until(self, text: str) -> None:
        """Wait until it has said so."""
        began = time.monotonic()
        while text not in self.said:
            assert time.monotonic() - began < PATIENCE, self.said
            assert self.process.poll() is None or text in self.said, self.said
            time.sleep(0.1)

    def until_it_answers(self, port: int) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            assert self.process.poll() is None and time.monotonic() < end, self.said
            try:
                assert urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=30).status == 200
                return
            except urllib.error.URLError:
                time.sleep(0.2)

    def children(self) -> list[int]:
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True)
        return [int(pid) for pid in listed.stdout.split()]


@contextmanager
def server(data: Path, port: int, script: str = "server", *options: str, **variables: str) -> Iterator[Server]:
    running = Server(data, port, script, *options, **variables)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.terminate()
        running.process.wait(timeout=120)


def gone(pids: list[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


def rows(data: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(data / "diptych.sqlite3", timeout=20)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


@pytest.mark.long
def test_the_demo_is_served_and_pre_labelled_and_a_second_start_changes_nothing(tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path, port) as first:
        first.until("Diptych is at")
        assert f"http://127.0.0.1:{port}/" in first.said
        assert "lena" in first.said
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/login/") as page:
            assert page.status == 200
        (pairs,) = rows(tmp_path, "SELECT count(*) FROM annotation_pair")[0]
        end = time.monotonic() + PATIENCE
        query = "SELECT count(*) FROM annotation_highlight WHERE method LIKE 'default.v%'"
        while rows(tmp_path, query) != [(pairs,)]:
            assert time.monotonic() < end, (tmp_path / "logs" / "worker.log").read_text()
            time.sleep(0.5)
        children = first.children()
        assert len(children) == 2
        first.process.send_signal(signal.SIGINT)
        assert first.process.wait(timeout=120) == 0
        assert gone(children)
    before = rows(tmp_path, "SELECT id, made FROM annotation_highlight ORDER BY id")
    with server(tmp_path, port) as second:
        second.until("Diptych is at")
        assert "was there already" in second.said
        assert "setup:" not in second.said
        time.sleep(5)
    assert rows(tmp_path, "SELECT id, made FROM annotation_highlight ORDER BY id") == before
    assert rows(tmp_path, "SELECT count(*) FROM annotation_pair") == [(pairs,)]


def child(running: Server, command: str) -> int:
    """The process of the web server or the worker, by a word of its command line."""
    return next(pid for pid in running.children() if command in Path(f"/proc/{pid}/cmdline").read_text())


@pytest.mark.long
def test_a_worker_that_dies_is_started_again_and_a_web_process_that_dies_ends_it(tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path, port) as running:
        running.until("Diptych is at")
        web, worker = child(running, "config.serving"), child(running, "celery")
        os.kill(worker, signal.SIGKILL)
        running.until("starting it again in 1 s")
        end = time.monotonic() + PATIENCE
        while not any(pid not in (web, worker) for pid in running.children()):
            assert time.monotonic() < end, running.said
            time.sleep(0.1)
        assert child(running, "config.serving") == web
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/login/") as page:
            assert page.status == 200
        children = running.children()
        os.kill(web, signal.SIGKILL)
        assert running.process.wait(timeout=120) == 1
        assert "the web process ended" in running.said
        assert len(children) == 2 and gone(children)


@pytest.mark.parametrize(
    "variable",
    [
        {"DIPTYCH_HTTPS": "1"},
        {"DIPTYCH_HOSTS": "127.0.0.1,annotate.example.org"},
        {"DIPTYCH_HOSTS": "*"},
        {"DIPTYCH_PROXIES": "127.0.0.1"},
    ],
)
def test_the_demo_is_not_served_where_others_could_reach_it(tmp_path: Path, variable: dict[str, str]) -> None:
    with server(tmp_path, free_port(), **variable) as running:
        assert running.process.wait(timeout=120) == 1
        assert "accounts whose passwords are public" in running.said
        assert next(iter(variable)) in running.said and "script/web" in running.said
    assert not (tmp_path / "diptych.sqlite3").exists()


@pytest.mark.long
def test_the_web_process_alone_serves_https_behind_its_proxy_and_loads_no_demo(migrated: Path, tmp_path: Path) -> None:
    shutil.copy(migrated, tmp_path)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with server(tmp_path, port, "web", DIPTYCH_HTTPS="1", DIPTYCH_PROXIES="127.0.0.1") as running:
        running.until_it_answers(port)
        proxied = urllib.request.Request(f"{address}/login/", headers={"X-Forwarded-Proto": "https"})
        with urllib.request.urlopen(proxied) as page:
            assert page.status == 200
            assert "secure" in page.headers["Set-Cookie"].lower()
    assert rows(tmp_path, "SELECT count(*) FROM annotation_user") == [(0,)]


@pytest.mark.long
def test_the_web_process_says_what_is_missing(migrated: Path, tmp_path: Path) -> None:
    with server(tmp_path, free_port(), "web") as running:
        assert running.process.wait(timeout=120) == 1
        assert "manage.py migrate" in running.said
    shutil.copy(migrated, tmp_path)
    with server(tmp_path, free_port(), "web", DIPTYCH_HTTPS="1") as running:
        assert running.process.wait(timeout=120) == 1
        assert "DIPTYCH_PROXIES" in running.said


@pytest.mark.long
def test_a_second_start_leaves_the_running_sites_metrics(migrated: Path, tmp_path: Path) -> None:
    shutil.copy(migrated, tmp_path)
    port, token = free_port(), "token-of-the-monitoring"
    folders = f"diptych-metrics-{os.getuid()}-{port}*"
    memory = Path("/dev/shm") if Path("/dev/shm").exists() else Path(tempfile.gettempdir())
    variables = {"DIPTYCH_METRICS_TOKEN": token}

    def logged_in() -> float:
        """How many pages for logging in the processes have answered, together."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/metrics", headers={"Authorization": f"Bearer {token}"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            counted = re.findall(r'^diptych_requests_total\{.*view="login"\} (\S+)$', answer.read().decode(), re.M)
        return sum(map(float, counted))

    with server(tmp_path, port, "web", "--processes", "2", **variables) as running:
        running.until_it_answers(port)
        for _ in range(5):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/login/", timeout=30).close()
        (folder,) = memory.glob(folders)
        second = subprocess.run(
            [str(ROOT / "script" / "web"), "--port", str(port), "--processes", "2"],
            env=environment(tmp_path, **variables),
            capture_output=True,
            text=True,
        )
        assert second.returncode == 1 and f"port {port} cannot be used" in second.stderr
        assert logged_in() == 5 and list(memory.glob(folders)) == [folder]
    assert running.process.returncode == 0 and not list(memory.glob(folders))


def test_a_port_in_use_is_said_at_once(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with server(tmp_path, port) as running:
            assert running.process.wait(timeout=120) == 1
            assert f"port {port} cannot be used" in running.said
            assert "--port" in running.said


def checkout(folder: Path, requirements: str) -> Path:
    """A checkout of the setup script alone, with other requirements."""
    (folder / "script").mkdir()
    shutil.copy(ROOT / "script" / "setup", folder / "script" / "setup")
    (folder / "requirements-core.txt").write_text("# core\n")
    (folder / "requirements.txt").write_text(f"-r requirements-core.txt\n{requirements}")
    (folder / "requirements-openid.txt").write_text("# openid\n")
    (folder / "requirements-dev.txt").write_text("-r requirements.txt\n-r requirements-openid.txt\n")
    return folder / "script" / "setup"


def setup(script: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(script), *options], env={**os.environ, **environment}, capture_output=True, text=True)


@pytest.mark.long
@pytest.mark.takes(20)
def test_setup_makes_the_environment_once_and_goes_on_from_core_to_everything(tmp_path: Path) -> None:
    script = checkout(tmp_path, "")
    first = setup(script, "--core")
    assert first.returncode == 0, first.stderr
    assert "making .venv" in first.stdout and "installing requirements-core.txt" in first.stdout
    pip = re.findall(r"^pip=(.+)", script.read_text(), re.MULTILINE)
    version = subprocess.run([tmp_path / ".venv/bin/pip", "--version"], capture_output=True, text=True).stdout
    assert version.split()[1:2] == pip or "going on with pip" in first.stdout
    for quiet in ("--core", "--same"):
        again = setup(script, quiet)
        assert (again.returncode, again.stdout) == (0, "")
    (tmp_path / "requirements-core.txt").write_text("# changed\n")
    assert "installing requirements-core.txt" in setup(script, "--same").stdout
    everything = setup(script)
    assert "installing requirements.txt" in everything.stdout and "making .venv" not in everything.stdout
    for quiet in ("--core", "--same"):
        assert setup(script, quiet).stdout == ""
    (tmp_path / "requirements-core.txt").write_text("# changed again\n")
    assert "installing requirements.txt" in setup(script, "--same").stdout


def static_checkout(folder: Path) -> Path:
    """A checkout of what bundles and collects alone, with a `manage.py` that writes an empty manifest."""
    for path in ("script", "config", "static/js", "static/css", ".venv/bin"):
        (folder / path).mkdir(parents=True)
    for name in ("bundle", "static"):
        shutil.copy(ROOT / "script" / name, folder / "script" / name)
    for name in ("requirements-core.txt", "config/static_files.py", "static/js/one.js"):
        (folder / name).write_text("")
    (folder / ".venv/bin/python").symlink_to(sys.executable)
    (folder / "manage.py").write_text(
        "import os, pathlib, sys\nassert 'collectstatic' in sys.argv\n"
        "root = pathlib.Path(os.environ['DIPTYCH_DATA'], 'static')\nroot.mkdir(exist_ok=True)\n"
        "(root / 'staticfiles.json').write_text('')\nprint('collected')\n"
    )
    return folder / "script" / "static"


def test_static_files_are_collected_again_when_one_has_changed(tmp_path: Path) -> None:
    script = static_checkout(tmp_path)
    for said in ("collected\n", ""):
        assert setup(script, DIPTYCH_DATA=str(tmp_path)).stdout == said
    later = time.time() + 10
    os.utime(tmp_path / "static/js/one.js", (later, later))
    assert setup(script, DIPTYCH_DATA=str(tmp_path)).stdout == "collected\n"


def test_scripts_are_bundled_where_esbuild_is_and_a_bundle_goes_with_it(tmp_path: Path) -> None:
    static_checkout(tmp_path)
    script, esbuild = tmp_path / "script/bundle", tmp_path / "node_modules/.bin/esbuild"
    esbuild.parent.mkdir(parents=True)
    esbuild.write_text("#!/bin/sh\nmkdir -p static/bundle\necho bundled\n")
    esbuild.chmod(0o755)
    for said in ("bundled\n", ""):
        assert setup(script).stdout == said
    later = time.time() + 10
    os.utime(tmp_path / "static/js/one.js", (later, later))
    assert setup(script).stdout == "bundled\n"
    esbuild.unlink()
    assert setup(script).returncode == 0
    assert not (tmp_path / "static/bundle").exists()


def test_setup_refuses_an_option_it_has_not(tmp_path: Path) -> None:
    script = checkout(tmp_path, "")
    for options in (["--light"], ["--core", "--dev"]):
        refused = setup(script, *options)
        assert refused.returncode == 1 and "script/setup [--core | --dev | --same]" in refused.stderr
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize("name", ["server", "web", "worker"])
def test_what_serves_installs_no_more_than_there_is(name: str) -> None:
    text = (ROOT / "script" / name).read_text(encoding="utf-8")
    assert re.findall(r"setup\W+(--\w+)", text) == ["--same"]


@pytest.mark.long
@pytest.mark.takes(9)
def test_setup_says_which_step_failed_and_why(tmp_path: Path) -> None:
    script = checkout(tmp_path, "no-such-package-at-all==1\n")
    failed = setup(script, PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)
    assert failed.returncode == 1
    assert "going on with pip" in failed.stdout
    assert "no-such-package-at-all" in failed.stderr
    assert "pip could not install requirements.txt" in failed.stderr
    assert not list((tmp_path / ".venv").glob("installed-*"))


def test_setup_without_a_fitting_python_says_what_to_do(tmp_path: Path) -> None:
    failed = setup(checkout(tmp_path, ""), DIPTYCH_PYTHON="/bin/false")
    assert failed.returncode == 1
    assert "no Python 3.11 found" in failed.stderr


@pytest.mark.parametrize("name", [*(f"script/{name}" for name in BASH), ".ci/run"])
def test_scripts_are_sound_and_can_be_run(name: str) -> None:
    path = ROOT / name
    assert os.access(path, os.X_OK)
    assert subprocess.run(["bash", "-n", str(path)]).returncode == 0
