"""What grows with a site, and by how much for each pair: `script/bench growth [--pairs 1000 --pairs 10000 …]`.

Makes a site on SQLite of each size, with short texts, and with work and pre-labels for all pairs. Measures processor
time, which other work on the machine hardly changes. The slope is what a further 1,000 pairs cost. `docs/scaling.md`
explains the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sys
import tempfile
from pathlib import Path

from benchmarks.imports import Browser
from benchmarks.kills import program
from benchmarks.load import table
from benchmarks.pages import text_of
from benchmarks.serving import Server

WORDS = 20
VISITS = 20
FILL = """
import django, json, sys; django.setup()
from django.test import Client
from annotation.models import *
from assist.models import Lot, Run
project = Project.objects.get()
keys = list(Pair.objects.order_by("position").values_list("pk", flat=True))
sessions = []
people = []
for n in range(int(sys.argv[1]) + 1):
    user = User.objects.create_user(f"person{n}")
    role = "annotator" if n else "lead"
    people.append(Annotator.objects.create(project=project, user=user, alias=user.username, role=role))
    if n < 2:
        client = Client()
        client.force_login(user)
        sessions.append(client.cookies["sessionid"].value)
marks = {"v": 1, "spans": [{"id": "s1", "label": "3", "origin": "manual", "comment": "",
    "fragments": [{"side": "a", "start": 0, "end": 3}, {"side": "b", "start": 0, "end": 3}]}]}
other = {"v": 1, "spans": [dict(marks["spans"][0], label="4")]}
count = len(people) - 1
for first in range(0, len(keys), 2000):
    rows = []
    for at in range(first, min(first + 2000, len(keys))):
        # Two annotators for each pair; the last pairs of everyone are still to be done.
        for k in range(2):
            status = "done" if at < len(keys) - 2 * count else "open"
            rows.append(Assignment(pair_id=keys[at], annotator=people[1 + (at + k) % count], order=at, status=status))
    rows = Assignment.objects.bulk_create(rows, batch_size=500)
    work = [Annotation(source="human", pair_id=row.pair_id, assignment=row, spans=marks if n % 2 else other,
        revision=1, verdict="submitted", span_count=1) for n, row in enumerate(rows) if row.status == "done"]
    work = Annotation.objects.bulk_create(work, batch_size=500)
    Revision.objects.bulk_create([Revision(annotation=row, number=1, spans=row.spans) for row in work], batch_size=500)
    Highlight.objects.bulk_create([Highlight(pair_id=key, run="run-1", method="default", scores_a=[0.5] * 20,
        scores_b=[0.5] * 20) for key in keys[first : first + 2000]], batch_size=500)
run = Run.objects.create(project=project, slug="run-1", method="default", status="running", total=len(keys))
Lot.objects.bulk_create([Lot(run=run, ordinal=n, pairs=keys[64 * n : 64 * n + 64]) for n in range(len(keys) // 64)])
print(json.dumps(sessions))
"""
INSIDE = """
import django, json, resource, time; django.setup()
from django.db import connection, transaction
from agreement.report.project_report import agreement_report
from agreement.report.scope import Scope
from agreement.report.services.reports import fingerprint
from annotation.models import Project
from assist.runs.lots import lot_claim, lots_prioritise
from assist.models import Run
project, run = Project.objects.get(), Run.objects.get()
found = {}
def timed(name, action, times=3):
    taken = []
    for _ in range(times):
        began = time.process_time()
        action()
        taken.append(time.process_time() - began)
    found[name] = sorted(taken)[len(taken) // 2]
timed("claim a lot", lambda: lot_claim("w", ["cpu", "gpu"]), 5)
timed("put the next pairs' lots first", lambda: lots_prioritise(run))
timed("is a report current", lambda: fingerprint(project, Scope()))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
timed("report", lambda: agreement_report(project, scope=Scope()), 1)
found["report, MB"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
with connection.cursor() as cursor:
    cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
    found["database, MB"] = cursor.fetchone()[0] / 2**20
print(json.dumps(found))
"""
PAGES = {
    "project": "/projects/measured/",
    "pairs, first page": "/projects/measured/pairs/",
    "pairs, last page": "/projects/measured/pairs/?page=last",
    "people": "/projects/measured/people/",
    "assignments": "/projects/measured/plan/",
    "pre-labels": "/projects/measured/prelabels/",
    "publish": "/projects/measured/publish/",
    "adjudication": "/projects/measured/adjudication/",
}


def measured(server: Server, folder: Path, pairs: int, people: int) -> dict[str, float]:
    """Seconds, unless a name says otherwise, on a site of that size."""
    rng, path = random.Random(7), folder / "pairs.jsonl"
    with path.open("w") as file:
        for number in range(pairs):
            languages = {"a": "en", "b": "de"}
            sides = {side: {"language": own, "text": text_of(rng, WORDS)[0]} for side, own in languages.items()}
            file.write(json.dumps({"id": f"p{number}", **sides}) + "\n")
    server.manage("migrate", "-v0")
    began = of_children()
    server.manage("import_pairs", "--project", "measured", "--scheme", "graded", str(path))
    seconds = {"import": of_children() - began}
    seconds["import, MB"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    lead, annotator = program(server, FILL, str(people))
    server.start()
    try:
        browser = Browser(server, lead)
        for name, address in PAGES.items():
            seconds[f"page: {name}"] = visited(server, browser, address)
        browser = Browser(server, annotator)
        seconds["page: my work"] = visited(server, browser, "/")
        seconds["next pair"] = visited(server, browser, "/projects/measured/work/")
    finally:
        server.kill()
    began = of_children()
    server.manage("export", "--project", "measured", "--to", "jsonl", str(folder / "out.jsonl"))
    seconds["export"] = of_children() - began
    return {**seconds, **program(server, INSIDE)}


def of_children() -> float:
    """The processor time of all processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_server(server: Server) -> float:
    """The processor time of the web process, in steps of 10 ms."""
    assert server.process is not None
    columns = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(columns[11]) + int(columns[12])) / os.sysconf("SC_CLK_TCK")


def visited(server: Server, browser: Browser, address: str) -> float:
    """What a visit costs the web process."""
    began = 0.0
    for visit in range(VISITS + 2):
        if visit == 2:  # the first ones load what the page needs
            began = of_server(server)
        status, _, answer = browser.ask("GET", address)
        if status not in (200, 302):
            print(f"{address}: {status} {answer[:200]!r}", file=sys.stderr)
    return (of_server(server) - began) / VISITS


def slope(sizes: list[int], values: list[float]) -> float:
    """By how much a value grows with 1,000 pairs: least squares."""
    middle, mean = sum(sizes) / len(sizes), sum(values) / len(values)
    across = sum((size - middle) * (value - mean) for size, value in zip(sizes, values, strict=True))
    return 1000 * across / sum((size - middle) ** 2 for size in sizes)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, action="append")
    parser.add_argument("--people", type=int, default=10, help="annotators, two for each pair")
    options = parser.parse_args()
    sizes = options.pairs or [1_000, 10_000, 50_000]
    measurements: list[dict[str, float]] = []
    for pairs in sizes:
        with tempfile.TemporaryDirectory() as name:
            server = Server(Path(name) / "site")
            server.environment["DIPTYCH_LOG_LEVEL"] = "ERROR"
            measurements.append(measured(server, Path(name), pairs, options.people))
        print(f"{pairs} pairs: {json.dumps(measurements[-1])}", file=sys.stderr, flush=True)
    columns = {
        f"{pairs:,} pairs": {row: shown(row, each[row]) for row in each}
        for pairs, each in zip(sizes, measurements, strict=True)
    }
    if len(sizes) > 1:
        growth = {row: slope(sizes, [each[row] for each in measurements]) for row in measurements[0]}
        columns["each 1,000 more"] = {row: shown(row, value) for row, value in growth.items()}
    print(f"SQLite, texts of {WORDS} words; ms of processor time unless it says MB\n")
    print(table(columns))


def shown(row: str, value: float) -> str:
    return f"{value:.1f}" if row.endswith("MB") else f"{1000 * value:.1f}"


if __name__ == "__main__":
    main()
