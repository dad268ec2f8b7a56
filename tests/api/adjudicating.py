"""Reports, disagreements and versions of the gold: every response that the document of the API has for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils import timezone

from agreement.gold.services.exclusions import pair_include
from agreement.models import Exclusion, GoldJob
from annotation.models import JobStatus, Project

if TYPE_CHECKING:
    from tests.api.site import Site

LEADS = (403, 403, 403, 200, 404, 403)
DECIDERS = (403, 403, 200, 200, 404, 403)
ACCESS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("report", "report_retry", "disagreements", "gold_make", "gold_draft_close", "gold_pairs"), LEADS),
    **dict.fromkeys(("gold_versions", "gold_dry_run", "gold_draft_open", "gold_job", "pair_excluded"), DECIDERS),
    "gold_job_act": LEADS,  # it makes gold; what opens a draft: test_adjudicating.py
    "documents": LEADS,
    "documents_excluded": (403, 403, 403, 404, 404, 403),
    "gold_compare": (403, 403, 404, 404, 404, 403),
}
RULE = {"rule": "majority", "phase": "main"}
REQUESTS: dict[str, Any] = {
    "report_retry": {"phase": "main"},
    "gold_make": RULE,
    "gold_dry_run": RULE,
    "gold_draft_open": {"rule": "agreed"},
    "gold_compare": {"one": 1, "other": 2},
    "gold_job_act": {"action": "retry"},
    "pair_excluded": {"excluded": False},
    "documents_excluded": {"documents": ["opening-hours"], "excluded": True, "reason": "not comparable"},
}
UNARCHIVED = {"report_retry", "gold_dry_run"}


def job_made(project: Project) -> int:
    """A job that failed."""
    return GoldJob.objects.create(
        project=project,
        action=GoldJob.CREATE,
        rule="majority",
        phase="main",
        status=JobStatus.FAILED,
        requested=timezone.now(),
    ).pk


def addresses(slug: str, job: int, pair: int) -> dict[str, str]:
    """The address of each operation."""
    versions, report = reverse("api-gold-versions", args=(slug,)), reverse("api-report", args=(slug,))
    job_address = reverse("api-gold-job", args=(slug, job))
    return {
        "report": report,
        "report_retry": report,
        "disagreements": reverse("api-disagreements", args=(slug,)),
        "gold_versions": versions,
        "gold_make": versions,
        "gold_dry_run": reverse("api-gold-dry-run", args=(slug,)),
        "gold_pairs": reverse("api-gold-pairs", args=(slug, 0)),
        "gold_compare": reverse("api-gold-compare", args=(slug,)),
        "gold_draft_open": reverse("api-gold-draft", args=(slug,)),
        "gold_draft_close": reverse("api-gold-draft-close", args=(slug,)),
        "gold_job": job_address,
        "gold_job_act": job_address,
        "pair_excluded": reverse("api-pair-excluded", args=(slug, pair)),
        "documents": reverse("api-documents", args=(slug,)),
        "documents_excluded": reverse("api-documents-excluded", args=(slug,)),
    }


def decided(at: Site) -> Iterator[tuple[str, Any]]:
    """A report, what people disagree on, and gold by rules, tried, made, compared and read."""
    for name in ("report", "disagreements", "gold_versions", "gold_job", "gold_pairs"):
        yield name, at.ask(name)
    yield "report", at.ask("report", body={"phase": "nonsense"})
    for name in ("disagreements", "gold_versions", "gold_pairs", "gold_compare"):
        yield name, at.ask(name, body={"page": "x"})
    yield "report_retry", at.ask("report_retry", body={"phase": "trial"})
    yield "gold_dry_run", at.ask("gold_dry_run", body=RULE)
    yield "gold_draft_open", at.ask("gold_draft_open", body={"rule": "agreed"})
    yield "gold_make", at.ask("gold_make", body=RULE)
    yield "gold_make", at.ask("gold_make", body={**RULE, "rule": "union"})
    yield "gold_versions", at.ask("gold_versions")
    newest, before = (each["version"] for each in at.ask("gold_versions").json()["versions"][:2])
    yield "gold_compare", at.ask("gold_compare", body={"one": before, "other": newest})
    address = at.address("gold_pairs").replace("/0/", f"/{newest}/")
    yield "gold_pairs", at.ask("gold_pairs", address=address)
    named = at.home.assignment.pair
    named.metadata = {**named.metadata, "document": "opening-hours"}
    named.save()
    yield "documents", at.ask("documents")
    yield "documents", at.ask("documents", body={"page": "x"})
    for excluded in (True, False):
        body = {"documents": ["opening-hours"], "excluded": excluded, "reason": "a copy"}
        yield "documents_excluded", at.ask("documents_excluded", body=body)
    for excluded in (True, False):
        yield "pair_excluded", at.ask("pair_excluded", body={"excluded": excluded, "reason": "a copy"})
    Exclusion.objects.create(pair=named, reason="a list")
    yield "pair_excluded", at.ask("pair_excluded", body={"excluded": True, "reason": "a copy"})
    pair_include(pair=named)
    yield "gold_dry_run", at.ask("gold_dry_run", body=RULE)
    yield "gold_draft_close", at.ask("gold_draft_close")
    GoldJob.objects.filter(pk=at.job).update(status=JobStatus.QUEUED)
    for action in ("retry", "cancel"):
        yield "gold_job_act", at.ask("gold_job_act", body={"action": action})
