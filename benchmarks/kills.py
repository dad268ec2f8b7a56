"""Saves while the site is killed, and what is there afterwards: `script/bench kills [--saves 10000]`.

Eight annotators save as fast as they can and, like a browser, send a save again until it is acknowledged. Meanwhile the
web process is killed again and again, and on PostgreSQL the database's connections are cut and its server killed too.
Then every acknowledged save must be in the database, with every revision once and whole.
"""

from __future__ import annotations

import argparse
import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.imports import Browser
from benchmarks.servers import Postgres
from benchmarks.serving import ROOT, Server

PEOPLE = 8
WORDS = ((0, 3), (4, 11), (12, 17), (18, 20), (21, 28))
SEED = """
import django, json, sys; django.setup()
from django.test import Client
from annotation.models import *
from annotation.services.projects import preset, project_create
from tests.annotation.writes import text_create
project = project_create(name="Faults", slug="faults", scheme=preset("graded"))
texts = [text_create(language=name, content="The library opens on Sundays.") for name in ("en", "de")]
found = []
for n in range(int(sys.argv[1])):
    pair = Pair.objects.create(project=project, a=texts[0], b=texts[1], external_id=f"p{n}", position=n)
    user = User.objects.create_user(f"annotator{n}")
    member = Annotator.objects.create(project=project, user=user, alias=user.username, role="annotator")
    client = Client()
    client.force_login(user)
    assignment = Assignment.objects.create(pair=pair, annotator=member, order=0)
    found.append([client.cookies["sessionid"].value, assignment.pk])
print(json.dumps(found))
"""
STORED = """
import django, json; django.setup()
from annotation.models import *
found = {}
for row in Annotation.objects.order_by("pk"):
    revisions = [[each.number, each.comment, each.spans] for each in row.revisions.order_by("number")]
    found[row.assignment_id] = [row.revision, row.comment, row.spans, row.span_count, revisions]
print(json.dumps(found))
"""


def program(server: Server, text: str, *arguments: str) -> Any:
    """Run a program on a server's data; returns what it prints, from JSON."""
    environment = server.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", text, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def work(number: int) -> dict[str, Any]:
    """What an annotator saves, different for each `number`."""
    spans = [
        {
            "id": f"s{index}",
            "label": str(1 + (number + index) % 5),
            "origin": "manual",
            "comment": f"{number}",
            "fragments": [{"side": "a", "start": WORDS[index][0], "end": WORDS[index][1]}],
        }
        for index in range(number % len(WORDS))
    ]
    return {"spans": {"v": 1, "spans": spans}, "comment": f"save {number}", "active_seconds": number}


@dataclass
class Saver(threading.Thread):
    """An annotator. `acknowledged` has the revision and the number of every save that was answered with 200."""

    server: Server
    session: str
    assignment: int
    enough: Callable[[], bool]
    acknowledged: list[tuple[int, int]] = field(default_factory=list)
    repeated: int = 0
    problems: list[str] = field(default_factory=list)
    busy: int = 0

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.browser = Browser(self.server, self.session)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        revision = number = 0
        while not self.enough() and not self.problems:
            number += 1
            body = json.dumps({"revision": revision, **work(number)}).encode()
            answer = self._until_answered(body)
            if answer is None:
                return
            revision = answer["revision"]
            self.acknowledged.append((revision, number))

    def _until_answered(self, body: bytes) -> Any:
        path = f"/api/assignments/{self.assignment}/annotation/"
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                status, _, answer = self.browser.ask("PUT", path, body, "application/json")
            except (OSError, http.client.HTTPException):
                self.browser.connection.close()
                self.repeated += 1
                time.sleep(0.05)
                continue
            if status == 200:
                return json.loads(answer)
            if status != 503:
                self.problems.append(f"{status}: {answer[:500]!r}")
                return None
            self.busy += 1
            time.sleep(0.1)
        self.problems.append("no answer for two minutes")
        return None


@dataclass(frozen=True)
class SavesResult:
    """What happened: `lost` has a sentence for everything that is not as it must be."""

    acknowledged: int
    faults: int
    repeated: int
    busy: int
    seconds: float
    lost: list[str]


def saves_amid(server: Server, saves: int, faults: Sequence[Callable[[], None]], times: int) -> SavesResult:
    """Have `PEOPLE` annotators save until so many are acknowledged, while `faults` happen in turn so many times."""
    people = program(server, SEED, str(PEOPLE))
    savers: list[Saver] = []

    def count() -> int:
        return sum(len(saver.acknowledged) for saver in savers)

    happened = 0
    savers += [Saver(server, session, pk, lambda: happened >= times and count() >= saves) for session, pk in people]
    began = time.monotonic()
    for saver in savers:
        saver.start()
    while happened < times and any(saver.is_alive() for saver in savers):
        if count() >= (happened + 1) * saves // (times + 1):
            faults[happened % len(faults)]()
            happened += 1
        time.sleep(0.005)
    for saver in savers:
        saver.join()
    seconds = time.monotonic() - began
    lost = [problem for saver in savers for problem in saver.problems]
    stored = program(server, STORED)
    for saver in savers:
        lost += differences(saver.acknowledged, *stored[str(saver.assignment)])
    repeated, busy = sum(saver.repeated for saver in savers), sum(saver.busy for saver in savers)
    return SavesResult(count(), happened, repeated, busy, seconds, lost)


def differences(
    acknowledged: Sequence[tuple[int, int]], revision: int, comment: str, spans: Any, span_count: int, revisions: Any
) -> list[str]:
    """What is wrong with an annotation and its revisions, given which saves were acknowledged."""
    problems = []
    if [number for number, _, _ in revisions] != list(range(1, revision + 1)):
        problems.append(f"{revision} revisions, but stored are {[number for number, _, _ in revisions][-5:]}")
    stored = {number: (said, marked) for number, said, marked in revisions}
    for number, sent in acknowledged:
        whole = work(sent)
        if stored.get(number) != (whole["comment"], whole["spans"]):
            problems.append(f"save {sent} was acknowledged as revision {number}, which is {stored.get(number)}")
    if stored.get(revision) != (comment, spans) or span_count != len(spans["spans"]):
        problems.append(f"revision {revision} is not what the annotation holds")
    return problems


def killed(server: Server) -> Callable[[], None]:
    """Kills the web process and starts it again."""

    def fault() -> None:
        server.kill()
        server.start()

    return fault


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--saves", type=int, default=10_000)
    parser.add_argument("--faults", type=int, default=60)
    parser.add_argument("--database", choices=("sqlite", "postgres"), action="append")
    options = parser.parse_args()
    for database in options.database or ("sqlite", "postgres"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            folder.chmod(0o755)
            server = Server(folder / "site")
            server.environment["DIPTYCH_LOG_LEVEL"] = "CRITICAL"
            faults = [killed(server)]
            cluster = None
            if database == "postgres":
                cluster = Postgres(folder / "postgres")
                cluster.execute("CREATE DATABASE site")
                server.environment["DATABASE_URL"] = cluster.url("site")
                faults += [lambda cluster=cluster: cluster.cut("site"), cluster.restart]  # type: ignore[misc]
            try:
                server.manage("migrate", "-v0")
                server.start()
                result = saves_amid(server, options.saves, faults, options.faults)
            finally:
                server.kill()
                if cluster is not None:
                    cluster.stop()
        print(
            f"{database}: {result.acknowledged} saves acknowledged amid {result.faults} faults in "
            f"{result.seconds:.0f} s, {result.repeated} sent again, {result.busy} told to wait; lost or half-written: "
            f"{len(result.lost)}"
        )
        print("\n".join(result.lost[:20]))


if __name__ == "__main__":
    main()
