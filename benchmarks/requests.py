"""What saving and opening a pair cost in process, without a server: `script/bench requests [--postgres URL]`.

Prints the processor time of each request (the median; other processes don't affect it much) and its database queries.
With `--profile`, also the functions in which a save and the opening of a pair spend it. With `--before CHECKOUT`, the
same of another checkout, in turns with this one, and how many times less this one needs.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import json
import os
import pstats
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks.pages import text_of
from benchmarks.serving import spans_of

ROOT = Path(__file__).resolve().parent.parent
WARM, TIMES = 10, 60
SLUG = "measured"


def cost(ask: Callable[[], None]) -> tuple[float, float, int]:
    """Milliseconds of processor time, milliseconds by the clock (medians), and queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    for _ in range(WARM):
        ask()
    spent, taken = [], []
    for _ in range(TIMES):
        began, ran = time.perf_counter(), time.process_time()
        ask()
        spent.append(time.process_time() - ran)
        taken.append(time.perf_counter() - began)
    with CaptureQueriesContext(connection) as queries:
        ask()
    return 1000 * median(spent), 1000 * median(taken), len(queries)


def requests(folder: Path, pairs: int, words: int) -> dict[str, Callable[[], None]]:
    """The requests of an annotator who works on a pair of a new site."""
    import random

    from django.core.management import call_command
    from django.test import Client

    from annotation.models import Annotator, Assignment, Pair, Project, User

    rng = random.Random(7)
    path = folder / "pairs.jsonl"
    with path.open("w") as file:
        for number in range(pairs):
            texts = {
                side: {"language": name, "text": text_of(rng, words)[0]} for side, name in (("a", "en"), ("b", "de"))
            }
            file.write(json.dumps({"id": f"p{number}", **texts}) + "\n")
    call_command("migrate", verbosity=0)
    call_command("import_pairs", str(path), project=SLUG, scheme="graded", stdout=io.StringIO())
    user = User.objects.create_user("annotator")
    member = Annotator.objects.create(project=Project.objects.get(slug=SLUG), user=user, alias="A1", role="annotator")
    keys = Pair.objects.order_by("position").values_list("pk", flat=True)
    Assignment.objects.bulk_create([Assignment(pair_id=pk, annotator=member, order=n) for n, pk in enumerate(keys)])
    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    first = Assignment.objects.order_by("order").values_list("pk", flat=True)[0]
    data, page = f"/api/assignments/{first}/", f"/projects/{SLUG}/work/{first}/"
    pair = client.get(data).json()["pair"]
    tokens = {side: pair[side]["tokens"] for side in "ab"}
    saved = {"revision": 0, "number": 0}

    def save() -> None:
        saved["number"] += 1
        spans = spans_of(tokens, f"Save {saved['number']}")
        work = {"revision": saved["revision"], "spans": {"v": 1, "spans": spans}, "active_seconds": saved["number"]}
        response = client.put(f"{data}annotation/", json.dumps(work), content_type="application/json")
        assert response.status_code == 200, response.content
        saved["revision"] = response.json()["revision"]

    def get(address: str) -> Callable[[], None]:
        def ask() -> None:
            assert client.get(address).status_code == 200

        return ask

    return {"save 20 spans": save, "open a pair: page": get(page), "open a pair: JSON": get(data)}


def compare(before: Path, rounds: int, arguments: list[str]) -> None:
    """Print what each request costs in another checkout and in this one, measured in turns, and the ratio."""
    by_label: dict[str, dict[Path, list[float]]] = {}
    for _ in range(rounds):
        for checkout in (before.resolve(), ROOT):
            command = [sys.executable, "-m", "benchmarks.requests", *arguments]
            done = subprocess.run(command, cwd=checkout, check=True, stdout=subprocess.PIPE, text=True)
            for line in done.stdout.splitlines():
                if match := re.match(r"(.+?) +([0-9.]+) ms ", line):
                    by_label.setdefault(match[1], {}).setdefault(checkout, []).append(float(match[2]))
    for label, costs in by_label.items():
        old, new = (costs[checkout] for checkout in (before.resolve(), ROOT))
        each = ", ".join(f"{a:.2f} → {b:.2f}" for a, b in zip(old, new, strict=True))
        print(f"{label:<20} {each} ms; {median(new) / median(old):.2f} times")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--words", type=int, default=400, help="words of a text")
    parser.add_argument("--postgres", default="", metavar="URL", help="an empty database")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="another checkout to compare this one with")
    parser.add_argument("--rounds", type=int, default=3, help="how often both are measured")
    options = parser.parse_args()
    if options.before:
        compare(options.before, options.rounds, ["--pairs", str(options.pairs), "--words", str(options.words)])
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {
            "DIPTYCH_DATA": name,
            "DATABASE_URL": options.postgres or f"sqlite:///{folder / 'diptych.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DIPTYCH_CONNECTION_SECONDS": "600",
        }
        import django

        django.setup()
        for label, ask in requests(folder, options.pairs, options.words).items():
            spent, taken, queries = cost(ask)
            print(f"{label:<20} {spent:6.2f} ms {taken:6.2f} ms by the clock {queries:3} queries", flush=True)
            if options.profile:
                profile = cProfile.Profile(time.process_time)
                profile.enable()
                for _ in range(TIMES):
                    ask()
                profile.disable()
                pstats.Stats(profile).sort_stats("tottime").print_stats(45)


if __name__ == "__main__":
    main()
