"""Versions of the gold in the API: what a rule would decide, making them, reading and comparing them.

As on the pages, adjudicators see versions, try rules, open drafts and exclude pairs; leads make and download gold.
Blind adjudicators are shown no names, and no settings of a rule that name annotators.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from agreement.blind import Redactor
from agreement.gold.forms import hidden_settings
from agreement.gold.reasons import reason_text
from agreement.gold.rule_previews import PreviewNotReady, RulePreview, rule_preview
from agreement.gold.services.exclusions import pair_exclude, pair_include
from agreement.gold.services.jobs import (
    VersionOrJob,
    draft_close_request,
    draft_open_request,
    gold_job_cancel,
    gold_job_retry,
    gold_request,
)
from agreement.gold.status import may_manage_job
from agreement.gold.version_diff import version_diff
from agreement.gold.version_serializers import (
    DryRunSerializer,
    ExclusionSerializer,
    GoldCompareQuerySerializer,
    GoldComparisonSerializer,
    GoldJobActSerializer,
    GoldJobSerializer,
    GoldMadeSerializer,
    GoldPairsSerializer,
    GoldVersionsSerializer,
    RuleRequestSerializer,
)
from agreement.models import ComputationStatus, GoldJob, GoldVersion
from agreement.selectors import (
    exclusions,
    gold_annotations,
    gold_draft,
    gold_job_get,
    gold_job_unfinished,
    gold_version_get,
    gold_versions,
)
from annotation.api.base import (
    ACT_REFUSALS,
    BODY_REFUSALS,
    REFUSALS,
    page_json,
    requested_page,
    validated_body,
    validated_query,
)
from annotation.api_docs import documented
from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Annotation, Project
from annotation.permissions import Access, adjudicator_access, lead_access
from annotation.person_names import NAMING
from annotation.selectors.annotations import IMPORTED
from annotation.selectors.pairs import pair_get
from annotation.serializers.base import ErrorSerializer, PageSerializer
from annotation.services.references import references_record

CHANGE_RESPONSES: dict[int, Any] = {**REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer}
LIST_RESPONSES: dict[int, Any] = {**REFUSALS, 422: ErrorSerializer}
RULE_EXAMPLE = {"rule": "majority", "phase": "main"}


class GoldVersionsView(APIView):
    @documented(
        operation_id="gold_versions",
        parameters=[PageSerializer],
        responses={200: GoldVersionsSerializer, **LIST_RESPONSES},
        tags=["gold"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The versions of the gold, the draft that is open, and the job that makes gold now."""
        access = adjudicator_access(request.user, slug)
        project = access.project
        rows: list[GoldVersion | None] = list(gold_versions(project))
        if gold_annotations(project, IMPORTED).exists():
            rows.append(None)
        page = requested_page(rows, validated_query(PageSerializer, request))
        draft, job = gold_draft(project), gold_job_unfinished(project)
        return Response(
            {
                **page_json(page),
                "versions": [version_json(each, access) for each in page],
                "draft": draft.number if draft else None,
                "job": job_json(job, access) if job else None,
            }
        )

    @documented(
        operation_id="gold_make",
        request=RuleRequestSerializer,
        responses={200: GoldMadeSerializer, **CHANGE_RESPONSES},
        tags=["gold"],
        example=RULE_EXAMPLE,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make the next version by a rule. If there is a lot of work, a worker does it: poll the job that is returned.
        The same gold is not made twice. 422: the rule can't decide this. 409: a worker is making gold already.
        """
        access = lead_access(request.user, slug)
        data = validated_body(RuleRequestSerializer, request, closed=True)
        return Response(_result_json(gold_request(project=access.project, by=access.user, **data), access))


class GoldDryRunView(APIView):
    @documented(
        operation_id="gold_dry_run",
        request=RuleRequestSerializer,
        responses={200: DryRunSerializer, **REFUSALS, **BODY_REFUSALS},
        tags=["gold"],
        example=RULE_EXAMPLE,
    )
    def post(self, request: Request, slug: str) -> Response:
        """What a rule would decide. If there is much work, a worker computes it: send the same request again."""
        access = adjudicator_access(request.user, slug)
        data = validated_body(RuleRequestSerializer, request, closed=True)
        _check_names_no_annotator(access, data["settings"])
        try:
            preview, _others = rule_preview(project=access.project, others=False, retry=True, **data)
        except PreviewNotReady:
            nothing: dict[str, Any] = {"counts": None, "changes": None, "unsure": [], "excluded": {}}
            return Response({"status": ComputationStatus.COMPUTING.value, **nothing})
        return Response({"status": ComputationStatus.DONE.value, **_preview(preview, access)})


class GoldPairsView(APIView):
    @documented(
        operation_id="gold_pairs",
        parameters=[PageSerializer],
        responses={200: GoldPairsSerializer, **LIST_RESPONSES},
        tags=["gold"],
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The gold of a version, pair by pair: what one downloads. A lead who sees it knows it as a reference."""
        access = lead_access(request.user, slug)
        if number != IMPORTED:
            gold_version_get(access.project, number)
        rows = gold_annotations(access.project, number)
        page = requested_page(rows, validated_query(PageSerializer, request))
        references_record(project=access.project, pairs=[row.pair_id for row in page], by=access.user)
        return Response({**page_json(page), "pairs": [_gold_pair(row) for row in page]})


class GoldCompareView(APIView):
    @documented(
        operation_id="gold_compare",
        parameters=[GoldCompareQuerySerializer],
        responses={200: GoldComparisonSerializer, **LIST_RESPONSES},
        tags=["gold"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The pairs whose gold differs between two versions."""
        access = adjudicator_access(request.user, slug)
        query = validated_query(GoldCompareQuerySerializer, request)
        before, after = (_gold(access.project, query[name]) for name in ("one", "other"))
        rows = version_diff(access.project, before, after, None)
        page = requested_page(rows, query)
        kinds = [row.kind for row in rows]
        return Response(
            {
                **page_json(page),
                "one": query["one"],
                "other": query["other"],
                **{kind: kinds.count(kind) for kind in ("added", "removed", "changed")},
                "pairs": [
                    {
                        "pair": row.pair.pk,
                        "external_id": row.pair.external_id,
                        "kind": row.kind,
                        "changes": len(row.rows),
                    }
                    for row in page
                ],
            }
        )


class GoldDraftView(APIView):
    @documented(
        operation_id="gold_draft_open",
        request=RuleRequestSerializer,
        responses={200: GoldMadeSerializer, **CHANGE_RESPONSES},
        tags=["gold"],
        example={"rule": "agreed", "phase": "main"},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Open a draft, in which people decide what the rule is not sure of; an open one continues with this rule."""
        access = adjudicator_access(request.user, slug)
        data = validated_body(RuleRequestSerializer, request, closed=True)
        _check_names_no_annotator(access, data["settings"])
        data["settings"] = {**hidden_settings(gold_draft(access.project), data["rule"], access), **data["settings"]}
        return Response(_result_json(draft_open_request(project=access.project, by=access.user, **data), access))


class GoldDraftCloseView(APIView):
    @documented(
        operation_id="gold_draft_close",
        request=None,
        responses={200: GoldMadeSerializer, **ACT_REFUSALS},
        tags=["gold"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make the open draft the next version. 409: none is open, or pairs in it are still to be decided."""
        access = lead_access(request.user, slug)
        draft = gold_draft(access.project)
        if draft is None:
            raise Conflict(_("No draft is open."), code="closed", hint=_("Open one on the Adjudication page."))
        return Response(_result_json(draft_close_request(draft=draft, by=access.user), access))


class GoldJobView(APIView):
    @documented(operation_id="gold_job", responses={200: GoldJobSerializer, **REFUSALS}, tags=["gold"])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Gold that a worker makes, and what became of it."""
        access = adjudicator_access(request.user, slug)
        return Response(job_json(gold_job_get(access.project, pk), access))

    @documented(
        operation_id="gold_job_act",
        request=GoldJobActSerializer,
        responses={200: GoldJobSerializer, **CHANGE_RESPONSES},
        tags=["gold"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Cancel a job, which deletes it, or retry one that failed. 409: it has ended, or has not failed.

        Adjudicators do so for drafts that are opened, leads for all gold.
        """
        access = adjudicator_access(request.user, slug)
        job = gold_job_get(access.project, pk)
        if not may_manage_job(access, job):
            lead_access(request.user, slug)
        if validated_body(GoldJobActSerializer, request, closed=True)["action"] == "retry":
            return Response(job_json(gold_job_retry(job=job, by=access.user), access))
        gold_job_cancel(job=job)
        return Response(job_json(job, access))


class ExclusionView(APIView):
    @documented(
        operation_id="pair_excluded",
        request=ExclusionSerializer,
        responses={200: ExclusionSerializer, **CHANGE_RESPONSES},
        tags=["gold"],
        example={"excluded": False},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Exclude a pair from all gold made from now on, or include it again. 409: someone else has excluded it."""
        access = adjudicator_access(request.user, slug)
        pair = pair_get(access.project, pk)
        data = validated_body(ExclusionSerializer, request, closed=True)
        if data["excluded"]:
            pair_exclude(pair=pair, reason=data["reason"], by=access.user)
        else:
            pair_include(pair=pair)
        reason = exclusions(access.project).get(pair.pk)
        redact = Redactor(access.project, hidden=access.blind, viewer=access.user)
        return Response({"excluded": reason is not None, "reason": redact(reason or "")})


def _check_names_no_annotator(access: Access, settings: Mapping[str, Any]) -> None:
    """Raises Invalid for settings that name annotators, whose effect would show a blind adjudicator who marked what."""
    named = [name for name in NAMING if name in settings]
    if access.blind and named:
        raise Invalid(
            _("This setting contains annotators' names, which are hidden from you in this project."),
            where=f"settings.{named[0]}",
            hint=_("Omit it: the value set by a lead is kept."),
        )


def version_json(row: GoldVersion | None, access: Access) -> dict[str, Any]:
    """A version as the API shows it to someone; None: imported gold."""
    if row is None:
        empty: dict[str, Any] = {"rule": "", "phase": "", "settings": {}, "counts": None, "made": None, "made_by": None}
        return {"version": IMPORTED, **empty}
    return {
        "version": row.number,
        "rule": row.rule,
        "phase": row.phase,
        "settings": {name: value for name, value in row.parameters.items() if not access.blind or name not in NAMING},
        "counts": _counts(row.counts),
        "made": row.made,
        "made_by": row.made_by.username if row.made_by and not access.blind else None,
    }


def job_json(job: GoldJob, access: Access) -> dict[str, Any]:
    """A job as the API shows it to someone."""
    names = ("action", "rule", "phase", "status", "done", "total", "version")
    redact = Redactor(access.project, hidden=access.blind, viewer=access.user)
    return {"id": job.pk, **{name: getattr(job, name) for name in names}, "problem": redact(job.problem)}


def _result_json(result: VersionOrJob, access: Access) -> dict[str, Any]:
    if isinstance(result, GoldJob):
        return {"version": None, "job": job_json(result, access)}
    return {"version": version_json(result, access), "job": None}


def _counts(counts: Mapping[str, Any]) -> dict[str, Any]:
    numbers = {name: counts.get(name, 0) for name in ("pairs", "excluded", "unsure", "by_hand")}
    return {**numbers, **{name: counts.get(name, {}) for name in ("tokens", "spans", "answers")}}


def _preview(preview: RulePreview, access: Access) -> dict[str, Any]:
    redact = Redactor(access.project, hidden=access.blind, viewer=access.user)
    now = preview.changes
    return {
        "counts": _counts(preview.counts),
        "changes": now
        and {
            "version": now.number,
            **{name: getattr(now, name) for name in ("added", "removed", "changed", "tokens")},
        },
        "unsure": [{"pair": pk, "external_id": name} for pk, name in preview.unsure],
        "excluded": {name: reason_text(why, redact) for name, why in preview.excluded.items()},
    }


def _gold(project: Project, number: int) -> dict[int, Annotation]:
    """The gold of a version, by pair. Raises NotFound."""
    if number != IMPORTED:
        gold_version_get(project, number)
    annotations = {row.pair_id: row for row in gold_annotations(project, number).select_related(None)}
    if number == IMPORTED and not annotations:
        raise NotFound(_("There is no gold version %(number)s.") % {"number": number}, where=project.name)
    return annotations


def _gold_pair(row: Annotation) -> dict[str, Any]:
    return {
        "pair": row.pair_id,
        "external_id": row.pair.external_id,
        "spans": row.spans,
        "answers": row.answers,
        "comment": row.comment,
    }
