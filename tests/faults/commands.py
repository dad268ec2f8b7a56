"""What tests of faults ask of a site's web machine: projects with work, jobs of every kind, and their results.

Run as a module it is a process of that machine; see `tests.assist.site`.
"""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from typing import Any

import django

PAIRS, IMPORTED = 6, 60


def reconnect() -> dict[str, Any]:
    """After a restart of the database."""
    from annotation import connections

    connections.reconnect()
    return {}


def migrate() -> dict[str, Any]:
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    return {}


def fill(slug: str) -> dict[str, Any]:
    """A project with work of two annotators and a lead."""
    from tests.agreement.work import submit
    from tests.factories import AnnotatorFactory, PairFactory, ProjectFactory, UserFactory

    made = ProjectFactory(slug=slug, name="Faults")
    people = [AnnotatorFactory(project=made, alias=alias, user=None) for alias in ("A1", "A2")]
    AnnotatorFactory(project=made, alias="L", role="lead", user=UserFactory(username=f"lead-{slug}"))
    for position in range(PAIRS):
        pair = PairFactory(project=made, position=position, external_id=f"own{position}")
        for number, person in enumerate(people):
            submit(pair, person, [("3", [0, position % 2], [0]), (str(1 + number), [2], [])])
    return {}


def request(slug: str) -> dict[str, Any]:
    """A job of every kind: none is done by this process."""
    from django.core.files.uploadedfile import SimpleUploadedFile

    from agreement.gold.services.jobs import gold_request
    from agreement.publication.card import Terms
    from agreement.publication.services import publications
    from agreement.report.page import body_of
    from agreement.report.scope import Scope
    from agreement.report.services import reports
    from annotation.models import Project, User
    from annotation.services.import_jobs import import_request
    from assist.runs.services import run_request

    publications.MAX_SYNC_PAIRS = reports.MAX_SYNC_ANNOTATIONS = 0
    project, lead = Project.objects.get(slug=slug), User.objects.get(username=f"lead-{slug}")
    run_request(project=project, method="fake")
    reports.report_request(project=project, scope=Scope(), body_of=body_of)
    gold_request(project=project, rule="majority", phase="main", by=lead)
    publications.publication_request(project=project, to="jsonl", terms=Terms(), by=lead)
    rows = [
        {
            "id": f"new{number}",
            "a": {"language": "en", "text": f"Room {number} is open."},
            "b": {"language": "de", "text": f"Raum {number} ist offen."},
        }
        for number in range(IMPORTED)
    ]
    upload = SimpleUploadedFile("pairs.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())
    import_request(project=project, files=[upload], dry_run=False, by=lead)
    return {}


def request_gold(slug: str) -> dict[str, Any]:
    """Gold alone, as a worker makes it."""
    from agreement.gold.services.jobs import gold_request
    from agreement.report.services import reports
    from annotation.models import Project

    reports.MAX_SYNC_ANNOTATIONS = 0
    gold_request(project=Project.objects.get(slug=slug), rule="majority", phase="main", by=None)
    return {}


def gold(slug: str) -> dict[str, Any]:
    """The job, the versions, and the rows of gold, by version."""
    from agreement.models import GoldJob, GoldVersion
    from annotation.models import Annotation, Source

    job = GoldJob.objects.get(project__slug=slug)
    rows = Annotation.objects.filter(source=Source.GOLD, pair__project__slug=slug)
    return {
        "status": job.status,
        "attempts": job.attempts,
        "version": job.version,
        "versions": list(GoldVersion.objects.filter(project__slug=slug).values_list("number", flat=True)),
        "rows": sorted(rows.values_list("gold_version", flat=True)),
    }


def hook(slug: str, url: str) -> dict[str, Any]:
    """A webhook with a test event to deliver."""
    from annotation.models import Project
    from annotation.services.webhooks import EVENTS, webhook_create, webhook_test

    made = webhook_create(project=Project.objects.get(slug=slug), url=url, events=EVENTS, by=None)
    webhook_test(hook=made.webhook)
    return {}


def deliveries() -> dict[str, Any]:
    """What became of the events for webhooks."""
    from annotation.models.webhooks import WebhookDelivery

    return {"rows": [list(row) for row in WebhookDelivery.objects.values_list("event", "status", "tried")]}


def _jobs(slug: str) -> dict[str, Any]:
    from agreement.models import CachedReport, GoldJob, Publication
    from annotation.models.imports import Import
    from assist.models import Lot

    return {
        "gold": GoldJob.objects.get(project__slug=slug),
        "import": Import.objects.get(project__slug=slug),
        "publication": Publication.objects.get(project__slug=slug),
        "report": CachedReport.objects.get(project__slug=slug),
        "run": Lot.objects.get(run__project__slug=slug),
    }


def forget(slug: str) -> dict[str, Any]:
    """Drop all jobs but those of a project: what a test left behind that failed."""
    from agreement.models import CachedReport, GoldJob, Publication
    from annotation.models.imports import Import
    from assist.models import Run

    for model in (CachedReport, GoldJob, Publication, Import, Run):
        model._default_manager.exclude(project__slug=slug).delete()
    return {}


def state(slug: str) -> dict[str, Any]:
    """By kind: who holds the job, how many attempts there were, and whether it is done."""
    jobs = _jobs(slug)
    done = {kind: getattr(job, "status", "") == "done" for kind, job in jobs.items()}
    done["report"] = jobs["report"].body is not None and not jobs["report"].requested_fingerprint
    return {kind: [job.claimed_by, job.attempts, done[kind]] for kind, job in jobs.items()}


def result(slug: str) -> dict[str, Any]:
    """What the jobs have left: content alone, without names and times, which differ between projects."""
    from agreement.models import GoldVersion
    from agreement.publication.services.publications import publication_file
    from annotation.models import Annotation, Highlight, Pair, Project, Source, Text

    jobs = _jobs(slug)
    with zipfile.ZipFile(io.BytesIO(b"".join(publication_file(jobs["publication"])))) as packed:
        files = [packed.read(name).decode() for name in sorted(packed.namelist())]
    pairs = Pair.objects.filter(project__slug=slug).order_by("position")
    marks = Highlight.objects.filter(pair__project__slug=slug).order_by("pair__position")
    # A plot's elements are numbered over all plots of a process.
    body = json.dumps(jobs["report"].body, sort_keys=True, indent=1)
    imported = {key: value for key, value in jobs["import"].report.items() if key != "project"}
    decided = Annotation.objects.filter(source=Source.GOLD, pair__project__slug=slug).order_by("pair__position")
    versions = GoldVersion.objects.filter(project__slug=slug)
    return {
        "gold": [list(each) for each in decided.values_list("gold_version", "pair__external_id", "spans")],
        "versions": [list(each) for each in versions.values_list("number", "counts", "open")],
        "files": files,
        "report": re.sub(rf'pair\?pk=\d+|{slug}|"svg": ".*"', "", body).splitlines(),
        "pairs": [list(each) for each in pairs.values_list("position", "external_id", "a__content", "b__content")],
        "highlights": [list(each) for each in marks.values_list("pair__external_id", "scores_a", "scores_b", "run")],
        "counts": [jobs["run"].run.done, jobs["run"].run.failed, imported],
        "staged": Project.with_staged.filter(staged=True).count(),
        "unused texts": Text.objects.exclude(
            pk__in=[key for both in Pair.objects.values_list("a", "b") for key in both]
        ).count(),
    }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from tests.assist.site import serve
    from tests.faults import held  # noqa: F401

    serve(
        {
            "reconnect": reconnect,
            "migrate": migrate,
            "fill": fill,
            "request": request,
            "forget": forget,
            "state": state,
            "result": result,
            "request_gold": request_gold,
            "gold": gold,
            "hook": hook,
            "deliveries": deliveries,
        }
    )
