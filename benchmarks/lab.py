"""A laboratory at work: `script/bench lab [--minutes 10] [--people 30] [--database sqlite|postgres]`.

Thirty annotators open a pair, mark it a few times and submit it, each at the pace of a person who is in a hurry, while
a lead has the agreement page open, a run pre-labels every pair, and an import of 10,000 pairs comes in. The site is as
in production: web processes, a worker, and on PostgreSQL a server and a Redis of its own. No answer may be an error.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

from benchmarks.imports import Browser, upload
from benchmarks.kills import program
from benchmarks.load import table
from benchmarks.pages import text_of
from benchmarks.servers import Postgres, Redis
from benchmarks.serving import ROOT, Server, spans_of

PAUSE = (2.0, 6.0)
"""Seconds between two actions of an annotator."""
MARKS = 4
"""Saves of a pair before it is submitted."""
WATCHED = 5.0
"""Seconds after which the lead loads the agreement page again."""
SEED = """
import django, json, sys; django.setup()
from django.test import Client
from annotation.models import *
project = Project.objects.get()
pairs = list(Pair.objects.order_by("position").values_list("pk", flat=True))
found = []
for n in range(int(sys.argv[1]) + 1):
    user = User.objects.create_user(f"person{n}")
    role = "annotator" if n else "lead"
    member = Annotator.objects.create(project=project, user=user, alias=user.username, role=role)
    own = pairs[n % 2 :: 2] if n else []
    Assignment.objects.bulk_create([Assignment(pair_id=pk, annotator=member, order=at) for at, pk in enumerate(own)])
    client = Client()
    client.force_login(user)
    found.append(client.cookies["sessionid"].value)
print(json.dumps(found))
"""
OUTCOME = """
import django, json; django.setup()
from annotation.models.imports import Import
from annotation.models import Annotation, Highlight, Pair, Revision
print(json.dumps({
    "imported": Import.objects.get(foreground=False).status, "pairs": Pair.objects.count(),
    "pre-labelled": Highlight.objects.count(), "submitted": Annotation.objects.exclude(verdict="").count(),
    "saved": Revision.objects.count(),
}))
"""


@dataclass
class Times:
    """Seconds by action, and every answer that was an error."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, what: str, browser: Browser, method: str, path: str, body: object = None) -> tuple[str, bytes]:
        data = None if body is None else json.dumps(body).encode()
        began = time.perf_counter()
        try:
            status, location, answer = browser.ask(method, path, data, "application/json" if data else "")
        except OSError as error:
            status, location, answer = 0, "", repr(error).encode()
        took = time.perf_counter() - began
        with self.lock:
            self.seconds.setdefault(what, []).append(took)
            if status not in (200, 302):
                self.errors.append(f"{what}: {status} {answer[:200]!r}")
        return location, answer

    def row(self, what: str) -> str:
        seconds = self.seconds.get(what, [])
        if len(seconds) < 2:
            return "–"
        cuts = [1000 * each for each in quantiles(seconds, n=100, method="inclusive")]
        return f"{cuts[49]:.0f} / {cuts[94]:.0f} / {1000 * max(seconds):.0f}"


class Person(threading.Thread):
    """An annotator who does one pair after the other until the time is over."""

    def __init__(self, times: Times, server: Server, session: str, seed: int, end: float) -> None:
        super().__init__(daemon=True)
        self.times, self.browser, self.end = times, Browser(server, session), end
        self.random = random.Random(seed)

    def pause(self) -> bool:
        """Think; returns whether there is time for more."""
        time.sleep(min(self.random.uniform(*PAUSE), max(0.0, self.end - time.monotonic())))
        return time.monotonic() < self.end

    def run(self) -> None:
        time.sleep(self.random.uniform(0, PAUSE[1]))
        while self.pause():
            location, _ = self.times.ask("next pair", self.browser, "GET", "/projects/measured/work/")
            if not location:
                return
            pk = location.rstrip("/").rpartition("/")[2]
            self.times.ask("open: page", self.browser, "GET", location)
            data = f"/api/assignments/{pk}/"
            answer = json.loads(self.times.ask("open: JSON", self.browser, "GET", data)[1])
            tokens = {side: answer["pair"][side]["tokens"] for side in "ab"}
            revision = answer["annotation"]["revision"]
            for number in range(1, MARKS + 1):
                if not self.pause():
                    return
                spans = spans_of(tokens, "")[: 5 * number]
                work = {"revision": revision, "spans": {"v": 1, "spans": spans}, "active_seconds": number}
                saved = json.loads(self.times.ask("save", self.browser, "PUT", f"{data}annotation/", work)[1])
                revision = saved.get("revision", revision)
            body = {"revision": revision, "verdict": "submitted"}
            self.times.ask("submit", self.browser, "POST", f"{data}submit/", body)


def watch(times: Times, browser: Browser, end: float) -> None:
    """The lead's page of agreement, loaded again and again."""
    while time.monotonic() < end:
        times.ask("agreement page", browser, "GET", "/projects/measured/agreement/")
        time.sleep(min(WATCHED, max(0.0, end - time.monotonic())))


def texts(path: Path, name: str, pairs: int, words: int) -> Path:
    rng = random.Random(name)
    with path.open("w") as file:
        for number in range(pairs):
            sides = {
                side: {"language": own, "text": text_of(rng, words)[0]} for side, own in (("a", "en"), ("b", "de"))
            }
            file.write(json.dumps({"id": f"{name}{number}", **sides}) + "\n")
    return path


def measure(server: Server, folder: Path, options: argparse.Namespace) -> dict[str, str]:
    """What the lab's people had to wait for."""
    server.manage("migrate", "-v0")
    first = texts(folder / "first.jsonl", "p", options.pairs, 150)
    server.manage("import_pairs", "--project", "measured", "--scheme", "graded", str(first))
    lead, *people = program(server, SEED, str(options.people))
    server.manage("collectstatic", "--noinput", "-v0")
    server.start()
    command = [sys.executable, "-m", "celery", "--app", "config", "--quiet", "worker", "--pool", "threads"]
    command += ["--concurrency", "1", "--queues", "cpu", "--without-mingle", "--without-gossip"]
    with (folder / "worker.log").open("wb") as log:
        worker = subprocess.Popen(command, cwd=ROOT, env=server.environment, stdout=log, stderr=log)
    times = Times()
    try:
        end = time.monotonic() + 60 * options.minutes
        threads: list[threading.Thread] = [
            Person(times, server, session, seed, end) for seed, session in enumerate(people)
        ]
        threads.append(threading.Thread(target=watch, args=(times, Browser(server, lead), end), daemon=True))
        for thread in threads:
            thread.start()
        time.sleep(3)
        server.manage("prelabel", "--project", "measured", "--method", "default")
        upload(Browser(server, lead), texts(folder / "more.jsonl", "more", options.imported, 30))
        for thread in threads:
            thread.join()
        ended = program(server, OUTCOME)
    finally:
        server.kill()
        worker.terminate()
        with suppress(subprocess.TimeoutExpired):
            worker.wait(timeout=30)
        worker.kill()
    for error in times.errors[:20]:
        print(error, file=sys.stderr)
    rows = {f"{what}, p50 / p95 / longest, ms": times.row(what) for what in sorted(times.seconds)}
    rows["requests; errors"] = f"{sum(map(len, times.seconds.values()))}; {len(times.errors)}"
    return rows | {
        "saved; submitted": f"{ended['saved']}; {ended['submitted']}",
        "import; pairs at the end": f"{ended['imported']}; {ended['pairs']}",
        "pairs pre-labelled meanwhile": str(ended["pre-labelled"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--pairs", type=int, default=600, help="pairs that there are at the beginning")
    parser.add_argument("--imported", type=int, default=10_000, help="pairs that come in meanwhile")
    parser.add_argument("--database", choices=("sqlite", "postgres"), action="append")
    options = parser.parse_args()
    print(f"{options.people} annotators, {options.minutes:g} minutes, {os.cpu_count()} cores", flush=True)
    columns: dict[str, dict[str, str]] = {}
    for database in options.database or ("sqlite", "postgres"):
        before = os.getloadavg()[0]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            folder.chmod(0o755)
            if database == "sqlite":
                columns["SQLite"] = measure(Server(folder / "site"), folder, options)
            else:
                cluster, broker = Postgres(folder / "postgres"), Redis(folder)
                try:
                    cluster.execute("CREATE DATABASE site")
                    server = Server(folder / "site", processes=2)
                    server.environment |= {"DATABASE_URL": cluster.url("site"), "CELERY_BROKER_URL": broker.url}
                    columns["PostgreSQL, 2 processes"] = measure(server, folder, options)
                finally:
                    broker.stop()
                    cluster.stop()
        print(f"{database}: load before {before:.1f}, at the end {os.getloadavg()[0]:.1f}", file=sys.stderr, flush=True)
    every = sorted({row for rows in columns.values() for row in rows})
    print(table({name: {row: rows.get(row, "–") for row in every} for name, rows in columns.items()}))


if __name__ == "__main__":
    main()
