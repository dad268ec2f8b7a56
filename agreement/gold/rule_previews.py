"""What a rule would decide, for the page of rules: computed at once, or by a worker if there is much work.

What a worker computes is stored without names and in no language; a page adds both for who looks.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language

from agreement.adjudication.reasons import Reason
from agreement.data.adjudication_inputs import cases_of
from agreement.gold.rule_comparison import RuleRow, VersionChanges, changes, compare_rules
from agreement.gold.services.versions import GoldResult, gold_create, inputs_digest, provenance_of, rule_with_settings
from agreement.models import DryRun, GoldVersion
from agreement.report.services.reports import is_small
from agreement.selectors import gold_newest
from annotation.errors import Invalid
from annotation.job_notifications import notify
from annotation.models import ACTIVE_JOB, Annotation, JobStatus, Project, Source
from annotation.services.claims import Heartbeat, claim_finish, claim_renew
from annotation.services.jobs import JobKind
from annotation.text.spans import spans_document

VERSION = "3"
UNSURE_LISTED = 200
"""How many pairs are named of which a rule was unsure."""
DRY_RUNS_KEPT = 20
"""Dry runs that a project keeps, so that going back to a rule shows its decisions at once."""


@dataclass(frozen=True, slots=True)
class RulePreview:
    """A rule's decisions: `counts` as `GoldResult.to_json` has them, why pairs are excluded by name, the keys and names
    of the first pairs of which it was unsure, the number of these, and what it would change in the newest gold.
    """

    counts: dict[str, Any]
    excluded: dict[str, Reason]
    unsure: list[tuple[int, str]]
    unsure_count: int
    changes: VersionChanges | None

    @classmethod
    def of(cls, project: Project, outcome: GoldResult) -> RulePreview:
        unsure = [(item.pair.pk, item.pair.external_id) for item in outcome.included if item.unsure and not item.by]
        counts = {key: value for key, value in outcome.to_json().items() if key != "reasons"}
        return cls(counts, outcome.excluded, unsure[:UNSURE_LISTED], len(unsure), changes(project, outcome))

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"excluded": {name: why.to_json() for name, why in self.excluded.items()}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RulePreview:
        """The preview that `to_json` wrote."""
        return cls(
            data["counts"],
            {name: Reason.from_json(why) for name, why in data["excluded"].items()},
            [(pk, name) for pk, name in data["unsure"]],
            data["unsure_count"],
            VersionChanges(**data["changes"]) if data["changes"] else None,
        )


class PreviewNotReady(Exception):
    """A worker has not decided yet what is asked for."""


def rule_preview(
    *, project: Project, rule: str, phase: str, settings: Mapping[str, object], others: bool, retry: bool = False
) -> tuple[RulePreview, list[RuleRow] | None]:
    """What a rule would decide in a phase, and with `others` how every other rule differs from it (otherwise None).

    Raises PreviewNotReady if there is much work and no worker has decided it yet, which is requested; Invalid as
    `gold_create` does, and if the worker could not decide it. Only `retry` requests that again.
    """
    if is_small(project, phase):
        cases = cases_of(project, phase)
        outcome = gold_create(project=project, rule=rule, phase=phase, settings=settings, dry_run=True, cases=cases)
        return RulePreview.of(project, outcome), compare_rules(project, outcome, cases) if others else None
    row = _request(project, rule, phase, settings, retry=retry)
    if not row.result or (others and not row.others):
        raise PreviewNotReady
    preview = RulePreview.from_json(json.loads(row.result))
    return preview, [_row(each) for each in json.loads(row.others)] if others else None


def draft_as_gold(draft: GoldVersion) -> dict[int, Annotation]:
    """The gold that an open draft would become if it were closed now, by pair; nothing is written.

    A pair in progress is shown as it was saved. Raises PreviewNotReady and Invalid as `rule_preview` does.
    """
    project = draft.project
    if is_small(project, draft.phase):
        outcome = gold_create(
            project=project, rule=draft.rule, phase=draft.phase, settings=draft.parameters, dry_run=True
        )
        decided = _gold_fields(outcome, draft.rule)
    else:
        row = _request(project, draft.rule, draft.phase, draft.parameters)
        if not row.decided:
            raise PreviewNotReady
        decided = json.loads(row.decided)
    saved = {row.pair_id: row for row in Annotation.objects.filter(gold_version=draft.number, pair__project=project)}
    return {
        each["pair_id"]: saved.get(each["pair_id"]) or Annotation(source=Source.GOLD, gold_version=draft.number, **each)
        for each in decided
    }


def _gold_fields(outcome: GoldResult, rule: str) -> list[dict[str, Any]]:
    """The gold that a rule makes, as fields of annotations."""
    return [
        {
            "pair_id": item.pair.pk,
            "spans": spans_document(gold.span for gold in item.decision.spans),
            "answers": item.decision.given_answers,
            "provenance": provenance_of(item, rule),
        }
        for item in outcome.included
    ]


def _request(project: Project, rule: str, phase: str, settings: Mapping[str, object], *, retry: bool = False) -> DryRun:
    """The dry run of the current work, requested from the workers unless it was before. Raises Invalid if it failed."""
    chosen, complete = rule_with_settings(rule, settings)
    state = [VERSION, inputs_digest(project, chosen, complete, phase), gold_newest(project)]
    key = {"project": project, "inputs": hashlib.sha256(repr(state).encode()).hexdigest()}
    fields = {
        "rule": chosen.name,
        "parameters": complete.model_dump(),
        "phase": phase,
        "language": get_language() or "en",
        "requested": timezone.now(),
    }
    row, created = DryRun.objects.get_or_create(**key, defaults=fields)
    if row.status == JobStatus.FAILED and retry:
        fields |= {"status": JobStatus.QUEUED, "attempts": 0, "problem": ""}
        created = bool(DryRun.objects.filter(pk=row.pk, status=JobStatus.FAILED).update(**fields))
        row.refresh_from_db()
    if created:
        ended = DryRun.objects.filter(project=project, status__in=(JobStatus.DONE, JobStatus.FAILED))
        DryRun.objects.filter(pk__in=list(ended.values_list("pk", flat=True)[DRY_RUNS_KEPT:])).delete()
        transaction.on_commit(lambda: notify(DRY_RUNS.name))
    if row.status == JobStatus.FAILED:
        raise Invalid(row.problem, code="rule")
    return row


def _perform(row: DryRun, heartbeat: Heartbeat) -> None:
    """Decide; the rule's own decisions are shown while the other rules are compared with them."""
    cases = cases_of(row.project, row.phase)
    outcome = gold_create(
        project=row.project, rule=row.rule, phase=row.phase, settings=row.parameters, dry_run=True, cases=cases
    )
    decided = json.dumps(_gold_fields(outcome, row.rule))
    claim_renew(row, result=json.dumps(RulePreview.of(row.project, outcome).to_json()), decided=decided)
    heartbeat.check()
    others = [
        asdict(each) | {"reasons": [reason.to_json() for reason in each.reasons]}
        for each in compare_rules(row.project, outcome, cases)
    ]
    claim_finish(row, status=JobStatus.DONE, others=json.dumps(others))


def _row(data: Mapping[str, Any]) -> RuleRow:
    reasons = tuple(Reason.from_json(each) for each in data["reasons"])
    return RuleRow(**{**data, "reasons": reasons, "pairs": tuple((pk, name, n) for pk, name, n in data["pairs"])})


DRY_RUNS = JobKind(
    name="dry runs",
    unfinished=lambda: DryRun.objects.filter(status__in=ACTIVE_JOB).select_related("project").order_by("pk"),
    perform=_perform,
    failed=lambda row, problem: {"status": JobStatus.FAILED, "problem": problem},
    claimed={"status": JobStatus.RUNNING},
    released={"status": JobStatus.QUEUED},
    language=lambda row: row.language,
)
