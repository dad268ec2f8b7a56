"""The same actions on Diptych and on other tools, in one table: `script/bench load [--pairs 2000] [--postgres URL]`.

Diptych runs on SQLite with one web process and, with `--postgres` and an empty database, on PostgreSQL with two.
Potato runs too where `--potato` names a virtual environment with the package potato-annotation. Clients are on the same
machine and take their share of its processors. Times are by the clock: compare them within one run only.
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
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

from benchmarks.imports import Browser
from benchmarks.pages import text_of
from benchmarks.peers import Client, Potato, Site
from benchmarks.serving import ROOT, Server, memory_of, spans_of

CLIENTS = 8
SAVES, SAVES_EACH, VISITS = 200, 50, 60
SEED = """
import django, json, sys; django.setup()
from django.test import Client
from annotation.models import *
pairs = list(Pair.objects.order_by("position").values_list("pk", flat=True))
project = Project.objects.get()
spans = {"v": 1, "spans": json.loads(sys.argv[1])}
found = []
for n in range(int(sys.argv[2])):
    user = User.objects.create_user(f"annotator{n}")
    member = Annotator.objects.create(project=project, user=user, alias=user.username, role="annotator")
    own = pairs if n == 0 else pairs[:50]
    rows = [Assignment(pair_id=pk, annotator=member, order=at) for at, pk in enumerate(own)]
    rows = Assignment.objects.bulk_create(rows)
    client = Client()
    client.force_login(user)
    found.append([client.cookies["sessionid"].value, rows[n].pk])
    if n == 0:
        Annotation.objects.bulk_create(
            [
                Annotation(source="human", pair_id=row.pair_id, assignment=row, spans=spans, revision=1)
                for row in rows[1:]
            ],
            batch_size=200,
        )
print(json.dumps(found))
"""
GROW = """
import django, sys; django.setup()
from annotation.models import Annotation, Revision
own = list(Annotation.objects.values_list("pk", flat=True))
number = int(sys.argv[1])
for first in range(0, number, 5_000):
    rows = range(first, min(first + 5_000, number))
    Revision.objects.bulk_create(
        [
            Revision(annotation_id=own[n % len(own)], number=100_000 + n // len(own), spans={"v": 1, "spans": []})
            for n in rows
        ]
    )
"""


class Annotator:
    """An annotator of Diptych."""

    def __init__(self, server: Server, session: str, assignment: int) -> None:
        self.browser = Browser(server, session)
        self.data, self.page = f"/api/assignments/{assignment}/", f"/projects/measured/work/{assignment}/"
        self.revision = self.number = 0
        pair = json.loads(self._request("GET", self.data)[1])["pair"]
        self.tokens = {side: pair[side]["tokens"] for side in "ab"}

    def _request(self, method: str, path: str, body: bytes | None = None) -> tuple[float, bytes]:
        began = time.perf_counter()
        status, _, answer = self.browser.ask(method, path, body, "application/json" if body else "")
        assert status == 200, (status, answer[:500])
        return time.perf_counter() - began, answer

    def save(self) -> float:
        self.number += 1
        spans = spans_of(self.tokens, f"Save {self.number}")
        work = {"revision": self.revision, "spans": {"v": 1, "spans": spans}, "active_seconds": self.number}
        seconds, answer = self._request("PUT", f"{self.data}annotation/", json.dumps(work).encode())
        self.revision = json.loads(answer)["revision"]
        return seconds

    def open(self) -> list[float]:
        return [self._request("GET", path)[0] for path in (self.page, self.data)]


class Diptych:
    """Diptych over a database of its own."""

    def __init__(self, folder: Path, name: str, database: str = "", processes: int = 1) -> None:
        self.name, self.folder, self.server = name, folder, Server(folder, processes)
        if database:
            self.server.environment["DATABASE_URL"] = database
        self.server.environment["DJANGO_SETTINGS_MODULE"] = "config.settings"

    def _program(self, text: str, *arguments: str) -> str:
        command = [sys.executable, "-c", text, *arguments]
        environment = self.server.environment
        return subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout

    def fill(self, pairs: Path) -> float:
        self.server.manage("migrate", "-v0")
        began = time.perf_counter()
        self.server.manage("import_pairs", "--project", "measured", "--scheme", "graded", str(pairs))
        seconds = time.perf_counter() - began
        with pairs.open() as file:
            words = len(json.loads(file.readline())["a"]["text"].split())
        spans = spans_of({side: [[0, 1]] * words for side in "ab"}, "Seeded")
        self.people = json.loads(self._program(SEED, json.dumps(spans), str(CLIENTS)))
        self.server.manage("collectstatic", "--noinput", "-v0")
        return seconds

    def start(self) -> float:
        began = time.perf_counter()
        self.server.start()
        return time.perf_counter() - began

    def stop(self) -> None:
        self.server.kill()

    def clients(self, number: int) -> list[Client]:
        return [Annotator(self.server, *each) for each in self.people[:number]]

    def export(self) -> float | None:
        began = time.perf_counter()
        self.server.manage("export", "--project", "measured", "--to", "jsonl", str(self.folder / "out.jsonl"))
        return time.perf_counter() - began

    def grow(self, saves: int) -> bool:
        self._program(GROW, str(saves))
        return True

    def memory(self) -> list[int]:
        assert self.server.process is not None
        return memory_of(self.server.process.pid)


def milliseconds(seconds: list[float], part: int = 0) -> str:
    """The median; `part` 95: that percentile."""
    return f"{1000 * (quantiles(seconds, n=100)[part - 1] if part else median(seconds)):.1f}"


def at_once(clients: list[Client]) -> tuple[float, list[float]]:
    """Saves a second by all clients together, and how long each save took."""
    seconds: list[float] = []

    def work(client: Client) -> None:
        seconds.extend(client.save() for _ in range(SAVES_EACH))

    threads = [threading.Thread(target=work, args=(client,)) for client in clients]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seconds) == SAVES_EACH * len(clients), "a client failed"
    return len(seconds) / (time.perf_counter() - began), seconds


def visits(client: Client) -> str:
    """The medians of the requests that open a pair."""
    client.open()
    return " + ".join(milliseconds(list(times)) for times in zip(*(client.open() for _ in range(VISITS)), strict=True))


def measure(site: Site, pairs: Path, grown: int) -> dict[str, str]:
    """What each row of the table says of a tool."""
    imported = site.fill(pairs)
    site.start()
    site.stop()
    started = site.start()
    try:
        clients = site.clients(CLIENTS)
        for client in clients:
            for _ in range(5):
                client.save()
        alone = [clients[0].save() for _ in range(SAVES)]
        rate, together = at_once(clients)
        opened = visits(clients[0])
        memory = " + ".join(map(str, site.memory()))
        later = visits(clients[0]) if grown and site.grow(grown) else "–"
        exported = site.export()
    finally:
        site.stop()
    return {
        "save 20 spans, p50 / p95 ms": f"{milliseconds(alone)} / {milliseconds(alone, 95)}",
        f"saves a second, {CLIENTS} clients; p95 ms": f"{rate:.0f}; {milliseconds(together, 95)}",
        "open a pair (page + JSON), p50 ms": opened,
        f"the same after {grown:,} more saves": later,
        "import, s": f"{imported:.1f}",
        "export, s": "–" if exported is None else f"{exported:.1f}",
        "web processes, MB": memory,
        "command to first page, warm, s": f"{started:.1f}",
    }


def table(columns: dict[str, dict[str, str]]) -> str:
    """A Markdown table with a column for each tool."""
    names = list(columns)
    lines = [["", *names], ["---"] * (len(names) + 1)]
    lines += [[row, *(columns[name][row] for name in names)] for row in columns[names[0]]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=2_000)
    parser.add_argument("--words", type=int, default=400, help="words of a text")
    parser.add_argument("--grown", type=int, default=100_000, help="saves after which a pair is opened again; 0: none")
    parser.add_argument("--postgres", default="", metavar="URL", help="an empty database")
    parser.add_argument("--potato", type=Path, metavar="FOLDER", help="a virtual environment with potato-annotation")
    options = parser.parse_args()
    rng = random.Random(7)
    columns: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs = folder / "pairs.jsonl"
        with pairs.open("w") as file:
            for number in range(options.pairs):
                texts = {
                    side: {"language": language, "text": text_of(rng, options.words)[0]}
                    for side, language in (("a", "en"), ("b", "de"))
                }
                file.write(json.dumps({"id": f"p{number}", **texts}) + "\n")
        makers: list[Callable[[], Site]] = [lambda: Diptych(folder / "sqlite", "Diptych, SQLite")]
        if options.postgres:
            named = "Diptych, PostgreSQL, 2 processes"
            makers.append(lambda: Diptych(folder / "postgres", named, options.postgres, 2))
        if options.potato:
            makers.append(lambda: Potato(folder / "potato", options.potato))
        print(
            f"{options.pairs} pairs of 2 × {options.words} words, {os.cpu_count()} cores, load {_loads()}", flush=True
        )
        for maker in makers:
            site = maker()
            columns[site.name] = measure(site, pairs, options.grown)
            print(f"{site.name}: done at load {_loads()}", file=sys.stderr, flush=True)
    print(f"\n{table(columns)}")


def _loads() -> str:
    return f"{os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    main()
