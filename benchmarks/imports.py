"""How long a save waits while pairs are imported: `script/bench imports [--pairs 10000] [--database URL]`.

Starts its own web server and worker, as processes. An annotator saves four times a second, first alone and then while a
lead imports on the page. Measures the wall-clock time from request to response.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.pages import text_of
from benchmarks.serving import ROOT, Server

ALONE_SECONDS = 15
WORK = """
import django; django.setup()
from annotation.services.import_jobs import imports_run
while not imports_run():
    import time; time.sleep(0.2)
"""
MAKE = """
import django, json, sys; django.setup()
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from annotation.models import Annotator, Assignment, Pair, User
from annotation.services.projects import preset, project_create
from tests.annotation.writes import text_create
project = project_create(name="Measured", slug="measured", scheme=preset("graded"))
texts = [text_create(language=name, content="The library opens on Sundays.") for name in ("en", "de")]
pair = Pair.objects.create(project=project, a=texts[0], b=texts[1], external_id="own", position=0)
found = {}
for name, role in (("annotator", "annotator"), ("lead", "lead")):
    user = User.objects.create_user(name)
    member = Annotator.objects.create(project=project, user=user, alias=name, role=role)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "config.accounts.AccountBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    found[name] = session.session_key
    if role == "annotator":
        found["assignment"] = Assignment.objects.create(pair=pair, annotator=member, order=0).pk
print(json.dumps(found))
"""
TOKEN = "a" * 32


class Browser:
    """A user who is logged in, over one connection."""

    def __init__(self, server: Server, session: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        self.headers = {"Cookie": f"sessionid={session}; csrftoken={TOKEN}", "X-CSRFToken": TOKEN}

    def ask(self, method: str, path: str, body: bytes | None = None, kind: str = "") -> tuple[int, str, bytes]:
        headers = self.headers | ({"Content-Type": kind} if kind else {})
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        return response.status, response.headers.get("Location", ""), response.read()


class Saver:
    """Saves with a new comment each time, and measures the seconds that each takes."""

    def __init__(self, browser: Browser, assignment: int) -> None:
        self.browser, self.path, self.revision = browser, f"/api/assignments/{assignment}/annotation/", 0

    def save(self) -> float:
        work = {"revision": self.revision, "spans": {"v": 1, "spans": []}, "comment": f"Save {self.revision}"}
        began = time.perf_counter()
        status, _, answer = self.browser.ask("PUT", self.path, json.dumps(work).encode(), "application/json")
        took = time.perf_counter() - began
        assert status == 200, (status, answer)
        self.revision = json.loads(answer)["revision"]
        return took

    def until(self, done: Callable[[], bool]) -> list[float]:
        times = []
        while not done():
            times.append(self.save())
            time.sleep(max(0.0, 0.25 - times[-1]))
        return times


def upload(browser: Browser, path: Path) -> str:
    """Request an import on the page; returns the URL of its result."""
    fields = [("step", "import", ""), ("format", "jsonl", ""), ("options", "", "")]
    parts = [f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value, _ in fields]
    named = f'--x\r\nContent-Disposition: form-data; name="upload"; filename="{path.name}"\r\n\r\n'
    body = "".join(parts).encode() + named.encode() + path.read_bytes() + b"\r\n--x--\r\n"
    status, location, answer = browser.ask(
        "POST", "/projects/measured/import/", body, "multipart/form-data; boundary=x"
    )
    assert status == 302, (status, answer[:2000])
    return location


def told(name: str, times: list[float]) -> None:
    high = quantiles(times, n=20)[-1]
    print(
        f"{name:<28} {len(times):6} saves   p50 {1000 * median(times):6.0f} ms   p95 {1000 * high:6.0f} ms   "
        f"longest {1000 * max(times):6.0f} ms",
        flush=True,
    )


def measure(server: Server, path: Path) -> None:
    environment = server.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}

    def program(text: str) -> list[str]:
        return [sys.executable, "-c", text]

    server.manage("migrate", "-v0")
    process = subprocess.run(program(MAKE), cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    who: dict[str, Any] = json.loads(process.stdout)
    server.start()
    try:
        saver = Saver(Browser(server, who["annotator"]), who["assignment"])
        end = time.monotonic() + ALONE_SECONDS
        told("alone", saver.until(lambda: time.monotonic() > end))
        worker = subprocess.Popen(program(WORK), cwd=ROOT, env=environment)
        began = time.monotonic()
        address = upload(Browser(server, who["lead"]), path)
        told("while pairs are imported", saver.until(lambda: worker.poll() is not None))
        page = Browser(server, who["lead"]).ask("GET", urllib.parse.urlsplit(address).path)[2].decode()
        assert "pairs</b> imported" in page, page
        print(f"{'the import':<28} {time.monotonic() - began:6.0f} s")
    finally:
        server.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--words", type=int, default=40, help="words of a text")
    parser.add_argument("--database", default="", help="an empty database; SQLite unless given")
    options = parser.parse_args()
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        if options.database:
            server.environment["DATABASE_URL"] = options.database
        path = Path(folder, "pairs.jsonl")
        with path.open("w") as file:
            for number in range(options.pairs):
                sides = {side: {"language": "en", "text": text_of(rng, options.words)[0]} for side in "ab"}
                file.write(json.dumps({"id": f"p{number}", **sides}) + "\n")
        kind = "PostgreSQL" if options.database.startswith("postgres") else "SQLite"
        size = path.stat().st_size / 1e6
        print(f"{options.pairs} pairs of 2 × {options.words} words, {size:.0f} MB, {kind}, {os.cpu_count()} cores")
        measure(server, path)


if __name__ == "__main__":
    main()
