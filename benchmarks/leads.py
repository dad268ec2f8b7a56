"""How fast a lead's pages about people are: `script/bench leads [--pairs 1000]`.

Creates a project of pairs × 6 annotators in its own folder, with hours on 60 days, hourly rates and 3,000 rows of
history; all but one of twenty pairs are submitted. Requests each page twice: in a fresh process, and again.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

from benchmarks.pages import text_of, timed

PEOPLE = 6
SLUG = "much"
PAGES = (
    *("monitor/", "time/", "time/timesheet.csv?by=day", "people/", "people/invitations/"),
    *("changes/", "delete/", "archive/", "duplicate/", ""),
)


def seed(pairs: int) -> None:
    from django.utils import timezone

    from annotation import models
    from annotation.models.time import HourlyRate, WorkDay
    from annotation.text.schemes import PRESETS

    rng = random.Random(7)
    project = models.Project.objects.create(slug=SLUG, name=SLUG, scheme=PRESETS["graded"].to_json())
    people = []
    for number in range(PEOPLE):
        user = models.User.objects.create(username=f"a{number}")
        people.append(models.Annotator.objects.create(project=project, user=user, alias=f"A{number}"))
    texts = []
    for number in range(2 * pairs):
        content, tokens = text_of(rng, rng.randint(100, 200))
        own = {"tokens": tokens, "sentences": [], "paragraphs": [[0, len(content)]], "tokenizer": "t", "splitter": "s"}
        texts.append(models.Text(language="ende"[2 * (number % 2) :][:2], content=content, digest=str(number), **own))
    texts = models.Text.objects.bulk_create(texts, batch_size=500)
    rows = [
        models.Pair(project=project, a=a, b=b, external_id=f"p{n:04}", position=n)
        for n, (a, b) in enumerate(zip(texts[::2], texts[1::2], strict=True))
    ]
    stored = models.Pair.objects.bulk_create(rows, batch_size=500)
    work = [
        models.Assignment(pair=pair, annotator=person, order=n, status="open" if n % 20 == 0 else "done")
        for n, pair in enumerate(stored)
        for person in people
    ]
    work = models.Assignment.objects.bulk_create(work, batch_size=500)
    models.Annotation.objects.bulk_create(
        (
            models.Annotation(
                source="human",
                pair=each.pair,
                assignment=each,
                revision=2,
                verdict="flagged" if each.order % 50 == 1 else "submitted",
                comment="hm" if each.order % 70 == 1 else "",
                active_seconds=rng.randint(60, 600) if each.order % 97 else 2,
                span_count=6,
                label_counts={str(label): rng.randint(0, 3) for label in range(1, 6)},
            )
            for each in work
            if each.status == "done"
        ),
        batch_size=500,
    )
    today, now = timezone.localdate(), timezone.now()
    WorkDay.objects.bulk_create(
        WorkDay(annotator=person, day=today - timedelta(days=day), phase="main", seconds=9000)
        for person in people
        for day in range(60)
    )
    history = models.Annotator.history.model
    history.objects.bulk_create(
        history(id=person.pk, project=project, alias=f"A{n}", role="annotator", history_type="~", history_date=now)
        for n in range(500)
        for person in people
    )
    HourlyRate.objects.bulk_create(
        HourlyRate(annotator=person, since=today - timedelta(days=90), amount=Decimal("25.50")) for person in people
    )


def measure(pairs: int) -> None:
    from django.core.management import call_command
    from django.test import Client

    from annotation.models import Annotator, Project, User

    call_command("migrate", verbosity=0)
    seed(pairs)
    lead = User.objects.create_user("lead", password="a lead's password")
    Annotator.objects.create(project=Project.objects.get(slug=SLUG), user=lead, alias="Lead", role="lead")
    client = Client(headers={"host": "localhost"})
    client.force_login(lead)

    def get(address: str) -> Callable[[], None]:
        def ask() -> None:
            assert client.get(address).status_code == 200, address

        return ask

    for turn in ("first", "again"):
        for page in (
            "monitor/",
            "time/",
            "time/timesheet.csv?by=day",
            "people/",
            "people/invitations/",
            "changes/",
            "delete/",
            "",
        ):
            timed(f"/projects/{SLUG}/{page}, {turn}", get(f"/projects/{SLUG}/{page}"))
        timed(f"/, {turn}", get("/"))
        timed(f"/api/projects/{SLUG}/time/, {turn}", get(f"/api/projects/{SLUG}/time/"))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=1000)
    pairs = parser.parse_args().pairs
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DIPTYCH_DATA": folder,
            "DATABASE_URL": f"sqlite:///{folder}/diptych.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        import django

        django.setup()
        measure(pairs)


if __name__ == "__main__":
    main()
