"""How fast the pages of agreement and adjudication are with much work: `script/bench pages [--pairs 1000]`.

Creates a project of pairs × 3 annotators in its own folder (texts of about 150 words per side, 4 to 9 spans each,
linked and one-sided), and requests every page twice: cold, right after the work changed, and again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORDS = ("the", "town", "opens", "its", "library", "on", "most", "days", "and", "lends", "books", "to", "all", "comers")
PEOPLE = ("A1", "A2", "A3")
SLUG = "much"
Fragments = list[dict[str, Any]]


def text_of(rng: random.Random, words: int) -> tuple[str, list[list[int]]]:
    """A text in sentences of twelve words, and its words as ranges."""
    content, tokens = "", []
    for number in range(words):
        word = rng.choice(WORDS)
        tokens.append([len(content), len(content) + len(word)])
        content += word + ("." if number % 12 == 11 else "") + " "
    return content.rstrip(), tokens


def fragment(rng: random.Random, side: str, tokens: list[list[int]], near: float) -> dict[str, Any]:
    first = min(int(near * len(tokens)), len(tokens) - 9)
    last = first + rng.randint(0, 8)
    return {"side": side, "start": tokens[first][0], "end": tokens[last][1]}


def row(rng: random.Random, number: int, people: Sequence[str] = PEOPLE) -> dict[str, Any]:
    """A pair as a JSONL line; annotators mark mostly the same passages, with different boundaries and labels."""
    texts = {side: text_of(rng, rng.randint(100, 200)) for side in "ab"}
    passages = [(rng.random(), rng.choice(("a", "b", "ab", "ab")), rng.randint(1, 5)) for _ in range(9)]
    annotations = []
    for person in people:
        spans = []
        for index, (near, sides, label) in enumerate(passages[: rng.randint(4, 9)]):
            fragments: Fragments = [fragment(rng, side, texts[side][1], near) for side in sides]
            said = min(5, max(1, label + rng.choice((-1, 0, 0, 1))))
            spans.append({"id": f"s{index}", "label": str(said), "fragments": fragments})
        annotations.append({"annotator": person, "spans": spans})
    both = {
        side: {"language": language, "text": texts[side][0], "tokens": texts[side][1]}
        for side, language in (("a", "en"), ("b", "de"))
    }
    return {"id": f"p{number:04}", **both, "annotations": annotations}


def timed(name: str, ask: Callable[[], Any]) -> Any:
    """Request, and print how long it took: processor time, which other processes don't affect, and wall-clock time."""
    began, ran = time.perf_counter(), time.process_time()
    answer = ask()
    spent = 1000 * (time.process_time() - ran), 1000 * (time.perf_counter() - began)
    print(f"{name:<58} {spent[0]:8,.0f} ms {spent[1]:8,.0f} ms by the clock")
    return answer


def measure(path: Path) -> None:
    from django.core.management import call_command
    from django.test import Client

    from agreement.gold.rule_previews import DRY_RUNS
    from agreement.gold.services.jobs import GOLD
    from agreement.report.jobs import REPORTS
    from agreement.report.services.reports import is_small
    from annotation.models import Annotator, Pair, Project, User
    from annotation.services.jobs import jobs_run

    call_command("migrate", verbosity=0)
    timed(
        "import_pairs",
        lambda: call_command("import_pairs", str(path), project=SLUG, scheme="graded", stdout=sys.stderr),
    )
    project = Project.objects.get(slug=SLUG)
    lead = User.objects.create_user("lead", password="a lead's password")
    Annotator.objects.create(project=project, user=lead, alias="Lead", role="lead")
    client = Client(headers={"host": "localhost"})
    client.force_login(lead)
    base = f"/projects/{SLUG}"
    pair = Pair.objects.filter(project=project).order_by("position").first()
    assert pair is not None

    def get(address: str) -> Callable[[], None]:
        def ask() -> None:
            response = client.get(base + address)
            assert response.status_code == 200, (address, response.status_code)

        return ask

    timed("agreement, asked for (a worker computes it)", get("/agreement/"))
    timed("the worker's report", lambda: jobs_run(REPORTS))
    pages = (
        "/agreement/",
        "/agreement/documents/?side=a",
        "/agreement/disagreements/",
        "/agreement/disagreements/?labels=3,4&side=a&least=3",
        "/agreement/spans/?annotator=A1&label=3",
        "/agreement/spans/?matched=50",
        f"/agreement/pairs/{pair.pk}/",
        f"/adjudication/pairs/{pair.pk}/rules/",
        "/adjudication/",
        "/adjudication/manual/",
    )
    for turn in ("first", "again"):
        for page in pages:
            timed(f"{page}, {turn}", get(page))

    body = {"rule": "majority", "phase": "main", "ties": "higher"}

    def attempt(status: int, **more: str) -> None:
        response = client.post(f"{base}/adjudication/try/", {**body, **more}, headers={"HX-Request": "true"})
        assert response.status_code == status

    def make() -> None:
        assert client.post(f"{base}/adjudication/make/", body).status_code == 302

    # A worker's part: only projects with little work have none.
    waiting = 200 if is_small(project, "main") else 202
    timed("dry run of a rule, asked for", lambda: attempt(waiting))
    timed("the worker's dry run, other rules included", lambda: jobs_run(DRY_RUNS))
    timed("dry run of a rule, shown", lambda: attempt(200))
    timed("the other rules against it, shown", lambda: attempt(200, compare="1"))
    timed("gold, asked for", make)
    timed("the worker's gold", lambda: jobs_run(GOLD))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=1000)
    pairs = parser.parse_args().pairs
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DIPTYCH_DATA": folder,
            "DATABASE_URL": f"sqlite:///{folder}/diptych.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        path = Path(folder, "pairs.jsonl")
        with path.open("w") as file:
            for number in range(pairs):
                file.write(json.dumps(row(rng, number)) + "\n")
        sys.path.insert(0, str(ROOT))
        import django

        django.setup()
        print(f"{pairs} pairs × {len(PEOPLE)} annotators, SQLite")
        measure(path)


if __name__ == "__main__":
    main()
