"""What publications cost: `script/bench exports [--pairs 100000] [--people 3] [--formats jsonl,csv,archive,hub]`.

Makes a project by bulk inserts in a site of its own, and does the job of a publication in each format in a process of
its own, as a worker does. Measures seconds, the process's peak memory (and what it was before the job) and the size of
the file.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.serving import ROOT

MAKE = """
import django, random, sys; django.setup()
from django.db import transaction
from annotation.models import *
from annotation.formats.record import TextRecord
from annotation.services.projects import preset, project_create
from annotation.services.texts import texts_prepare
pairs, people = int(sys.argv[1]), int(sys.argv[2])
draw = random.Random(1)
words = [f"word{number}" for number in range(5000)]
project = project_create(name="Measured", slug="measured", scheme=preset("graded"))
annotators = [Annotator.objects.create(project=project, alias=f"A{number}") for number in range(people)]
def text(language):
    parts = draw.choices(words, k=40)
    ends, at = [], 0
    for part in parts:
        ends.append((at, at + len(part)))
        at += len(part) + 1
    return TextRecord(language, " ".join(parts), ends)
def work():
    spans = []
    for number in range(3):
        sides = []
        for side, record in (("a", a), ("b", b)):
            start, end = draw.choice(record.tokens)
            sides.append({"side": side, "start": start, "end": end})
        spans.append({"id": f"s{number}", "label": draw.choice("12345"), "origin": "manual", "comment": "",
                      "fragments": sides})
    return {"v": 1, "spans": spans}
for first in range(0, pairs, 1000):
    rows, spans = [], []
    for number in range(first, min(first + 1000, pairs)):
        a, b = text("en"), text("de")
        one, other = texts_prepare(records=[a, b])
        rows.append(Pair(project=project, a=one, b=other, external_id=f"p{number}", position=number))
        spans.append([work() for _ in annotators] + [work()])
    with transaction.atomic():
        Text.objects.bulk_create([each for row in rows for each in (row.a, row.b)], batch_size=500)
        for row in rows:
            row.a, row.b = row.a, row.b
        Pair.objects.bulk_create(rows, batch_size=500)
        assigned = Assignment.objects.bulk_create(
            [Assignment(pair=row, annotator=who, order=row.position, status="done") for row in rows
             for who in annotators], batch_size=500)
        given = [document for documents in spans for document in documents[:-1]]
        made = Annotation.objects.bulk_create(
            [Annotation(source="human", pair=each.pair, assignment=each, revision=1, spans=document,
                        verdict="submitted", span_count=3, token_count=6)
             for each, document in zip(assigned, given, strict=True)], batch_size=500)
        Revision.objects.bulk_create(
            [Revision(annotation=each, number=1, spans=each.spans, verdict="submitted") for each in made],
            batch_size=500)
        Annotation.objects.bulk_create(
            [Annotation(source="gold", pair=row, gold_version=0, spans=documents[-1])
             for row, documents in zip(rows, spans, strict=True)], batch_size=500)
"""
WRITE = """
import django, json, resource, sys, time; django.setup()
from config.celery import app; app.loader.import_default_modules()
from agreement.models import Publication
from annotation.models import JobStatus
from agreement.publication.card import Terms
from agreement.publication.facts import NAMES
from agreement.publication.services.facts import facts_save
from agreement.publication.services.publications import publication_request, publications_run
from annotation.models import Project
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
project = Project.objects.get(slug="measured")
facts = {name: "expert-generated" if name == "creators" else "stated" for name in NAMES
         if name not in ("homepage", "paper")}
facts_save(project=project, values=facts, base=int(project.settings.get("card", {}).get("revision", 0)))
project.refresh_from_db()
made = publication_request(project=project, to=sys.argv[1], terms=Terms("cc-by-4.0", ""), by=None)
before, began = peak(), time.perf_counter()
if made.status != JobStatus.DONE:
    publications_run()
made.refresh_from_db()
assert made.status == JobStatus.DONE, made.problem
print(json.dumps({"seconds": time.perf_counter() - began, "before": before, "megabytes": peak(), "size": made.size}))
"""
FORMATS = ("jsonl", "csv", "spans-csv", "archive", "tei", "hub")


def run(site: Path, database: str, program: str, *arguments: str) -> str:
    environment = os.environ | {"DIPTYCH_DATA": str(site), "DJANGO_SETTINGS_MODULE": "config.settings"}
    if database:
        environment["DATABASE_URL"] = database
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=3)
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--database", default="", help="an empty database's URL; SQLite otherwise")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        site.mkdir()
        run(site, options.database, "import django; django.setup(); from django.core.management import call_command; "
            "call_command('migrate', verbosity=0)")  # fmt: skip
        began = time.perf_counter()
        run(site, options.database, MAKE, str(options.pairs), str(options.people))
        print(f"made {options.pairs} pairs x {options.people} in {time.perf_counter() - began:.0f} s", flush=True)
        print("| format | s | MB before | peak MB | file MB |\n| --- | --- | --- | --- | --- |", flush=True)
        for name in options.formats.split(","):
            measured = json.loads(run(site, options.database, WRITE, name))
            cells = (measured["seconds"], measured["before"], measured["megabytes"], measured["size"] / 2**20)
            print(f"| `{name}` | {' | '.join(f'{cell:.0f}' for cell in cells)} |", flush=True)


if __name__ == "__main__":
    main()
