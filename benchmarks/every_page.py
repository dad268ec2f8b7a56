"""How long every page and answer takes with much work: `script/bench every_page [--pairs 1000] [--people 6]`.

Fills a project with a tenth of the pairs, and then with all of them, in a folder of its own (SQLite; texts of about 150
words a side, 4 to 9 spans of each annotator, gold, a run and a report), and requests, as its lead, every address that
answers to GET, as the access tests find them. Prints the milliseconds of processor time of the second request, and the
number of queries at both sizes: it should be the same.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import django
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from benchmarks.pages import ROOT, row

if TYPE_CHECKING:
    from tests.access.site import Filled

LIMIT = 200.0
"""Milliseconds within which a page should answer."""


def fill(folder: Path, pairs: int, people: int) -> Filled:
    """The access tests' project, with so many pairs more, everyone's work on them, gold of all and a report."""
    from agreement.gold.services.versions import gold_create
    from agreement.prelabel_eval.analyses_jobs import ANALYSES_JOBS
    from agreement.report.jobs import REPORTS
    from annotation.services.jobs import jobs_run
    from assist.runs.processing import lots_process
    from tests.access.site import filled

    call_command("migrate", verbosity=0)
    at = filled()
    rng, names = random.Random(7), [f"P{number}" for number in range(people)]
    path = folder / "pairs.jsonl"
    path.write_text("\n".join(json.dumps(row(rng, number, names)) for number in range(pairs)))
    call_command("import_pairs", str(path), project=at.project.slug, stdout=sys.stderr)
    gold_create(project=at.project, rule="majority", phase="main", settings={"ties": "higher"})
    lots_process(["cpu"])
    for page in ("agreement", "analyses"):
        at.clients["lead"].get(reverse(page, args=[at.project.slug]))
    jobs_run(REPORTS)
    jobs_run(ANALYSES_JOBS)
    return at


def measure(folder: Path, pairs: int, people: int) -> dict[str, tuple[float, int]]:
    """By the name of each address, milliseconds and queries of the second request."""
    from tests.access.test_matrix import routes

    at = fill(folder, pairs, people)
    lead, costs = at.clients["lead"], {}
    for name, arguments in routes():
        address = at.address(name, arguments)
        if lead.get(address).status_code != 200:
            continue
        with CaptureQueriesContext(connection) as queries:
            started = time.process_time()
            response = lead.get(address)
            b"".join(response)
            spent = 1000 * (time.process_time() - started)
        costs[name] = spent, len(queries)
    return costs


def measured(pairs: int, people: int) -> dict[str, tuple[float, int]]:
    """The same in a process and a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "DIPTYCH_DATA": folder,
            "DATABASE_URL": f"sqlite:///{folder}/diptych.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            # Broker messages go nowhere: this process does what workers do.
            "CELERY_BROKER_URL": "memory://",
        }
        command = [sys.executable, "-m", "benchmarks.every_page", "--here", folder]
        command += ["--pairs", str(pairs), "--people", str(people)]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        return {name: tuple(each) for name, each in json.loads(done.stdout.splitlines()[-1]).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--people", type=int, default=6)
    parser.add_argument("--here", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        django.setup()
        from tests.assist import fake_registered  # noqa: F401

        print(json.dumps(measure(options.here, options.pairs, options.people)))
        return
    few, many = (measured(pairs, options.people) for pairs in (options.pairs // 10, options.pairs))
    print(f"{len(many)} addresses, {options.pairs} pairs × {options.people} annotators, SQLite, processor time")
    slow = sorted(many, key=lambda name: -many[name][0])
    print(f"over {LIMIT:.0f} ms: {sum(many[name][0] > LIMIT for name in many)}; the slowest:")
    for name in slow[:25]:
        print(f"{name:<45} {many[name][0]:8.0f} ms  {many[name][1]:4d} queries")
    print(f"more queries than with {options.pairs // 10} pairs:")
    for name in slow:
        if name in few and many[name][1] > few[name][1]:
            print(f"{name:<45} {few[name][1]:4d}  {many[name][1]:4d}")
    print(f"shown only at one of the sizes: {', '.join(sorted(set(few) ^ set(many))) or 'none'}")


if __name__ == "__main__":
    main()
