"""Agreement reports in the API, and what people disagree on. For leads."""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import override
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from agreement.metrics.documents import Collection
from agreement.models import CachedReport, ComputationStatus
from agreement.report.compute.disputes import Dispute
from agreement.report.compute.matched_spans import filter_disputes
from agreement.report.name_lists import split_names
from agreement.report.page import body_of
from agreement.report.query_params import checked_scope
from agreement.report.scope import Scope
from agreement.report.serializers import (
    DisagreementsQuerySerializer,
    DisagreementsSerializer,
    ExampleAddedSerializer,
    ExampleSerializer,
    ReportSerializer,
    ScopeSerializer,
    StatusSerializer,
)
from agreement.report.services.examples import example_add
from agreement.report.services.reports import NotComputed, disputes_of_scope, report_files, report_request
from annotation.api.base import BODY_REFUSALS, REFUSALS, page_json, requested_page, validated_body, validated_query
from annotation.api_docs import documented
from annotation.models import Pair, Project
from annotation.permissions import lead_access
from annotation.selectors.pairs import pair_get, pair_list
from annotation.serializers.base import ErrorSerializer

READ_RESPONSES: dict[int, Any] = {**REFUSALS, 422: ErrorSerializer}


class ReportView(APIView):
    @documented(
        operation_id="report",
        parameters=[ScopeSerializer],
        responses={200: ReportSerializer, **READ_RESPONSES},
        tags=["agreement"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The agreement report of the current work. If there is much of it, a worker computes it first: ask again."""
        project = lead_access(request.user, slug).project
        scope = _scope(validated_query(ScopeSerializer, request), request)
        try:
            with override("en"):  # as downloads are
                report = json.loads(report_files(project, scope)["json"])
        except NotComputed as error:
            return Response({**_status(error.report), "report": None})
        return Response({"status": ComputationStatus.DONE.value, "problem": "", "report": report})

    @documented(
        operation_id="report_retry",
        request=ScopeSerializer,
        responses={200: StatusSerializer, **REFUSALS, **BODY_REFUSALS},
        tags=["agreement"],
        example={"phase": "main"},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ask for a report again that could not be computed; GET asks only once for the same work."""
        project = lead_access(request.user, slug).project
        scope = _scope(validated_body(ScopeSerializer, request, closed=True), request)
        with override("en"):
            cached, fresh = report_request(project=project, scope=scope, retry=True, body_of=body_of)
        return Response({"status": ComputationStatus.DONE.value, "problem": ""} if fresh else _status(cached))


class DisagreementsView(APIView):
    @documented(
        operation_id="disagreements",
        parameters=[DisagreementsQuerySerializer],
        responses={200: DisagreementsSerializer, **READ_RESPONSES},
        tags=["agreement"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The words that two people labelled differently, most costly first. Names are those in the project."""
        project = lead_access(request.user, slug).project
        query = validated_query(DisagreementsQuerySerializer, request)
        try:
            collection, everything = disputes_of_scope(project, _scope(query, request))
        except NotComputed as error:
            return Response({**_status(error.report), "count": 0, "page": 1, "pages": 1, "disagreements": []})
        page = requested_page(_filtered(collection, everything, query), query)
        pairs = {pair.pk: pair for pair in pair_list(project).filter(pk__in={each.pair for each in page})}
        return Response(
            {
                "status": ComputationStatus.DONE.value,
                "problem": "",
                **page_json(page),
                "disagreements": [_disagreement(pairs[each.pair], each, collection, project) for each in page],
            }
        )


class ExampleView(APIView):
    @documented(
        operation_id="example_add",
        request=ExampleSerializer,
        responses={200: ExampleAddedSerializer, **REFUSALS, **BODY_REFUSALS},
        tags=["agreement"],
        example={"side": "b", "start": 0, "end": 7, "label": "3", "remark": "Another building."},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Add words of a pair to the guidelines as an example: the tokens that these characters touch."""
        pair = pair_get(lead_access(request.user, slug).project, pk)
        data = validated_body(ExampleSerializer, request, closed=True)
        tokens = (pair.a if data["side"] == "a" else pair.b).tokens
        start, end = data["start"], data["end"]
        touched = [index for index, (low, high) in enumerate(tokens) if start < end and low < end and start < high]
        version = example_add(
            pair=pair,
            side=data["side"],
            first=touched[0] if touched else -1,
            last=touched[-1] + 1 if touched else -1,
            label=data["label"] or pair.project.labels.default,
            remark=data["remark"],
        )
        return Response({"version": version.version})


def _scope(query: dict[str, Any], request: Request) -> Scope:
    people = split_names(query["annotators"])
    return checked_scope(
        Scope(query["phase"], query["languages"], people, query["split"], query["again"]), request.path
    )


def _status(cached: CachedReport) -> dict[str, str]:
    if cached.failed and not cached.requested_fingerprint:
        return {"status": ComputationStatus.FAILED.value, "problem": cached.problem}
    return {"status": ComputationStatus.COMPUTING.value, "problem": ""}


def _filtered(collection: Collection, everything: list[Dispute], query: dict[str, Any]) -> list[Dispute]:
    """A name or label that does not occur matches nothing."""
    two = split_names(query["labels"])
    codes = [collection.labels.index(key) for key in two if key in collection.labels]
    unknown = (
        (two and len(codes) != 2)
        or (query["label"] and query["label"] not in collection.labels)
        or (query["annotator"] and query["annotator"] not in collection.annotators)
    )
    if unknown:
        return []
    return filter_disputes(
        everything,
        labels=(codes[0], codes[1]) if codes else None,
        label=collection.labels.index(query["label"]) if query["label"] else None,
        side="ab".index(query["side"]) if "side" in query else None,
        annotator=collection.annotators.index(query["annotator"]) if query["annotator"] else None,
        least=query["least"],
    )


def _disagreement(pair: Pair, dispute: Dispute, collection: Collection, project: Project) -> dict[str, Any]:
    text = pair.b if dispute.side else pair.a
    start, end = text.tokens[dispute.first][0], text.tokens[dispute.last - 1][1]
    known = {label.key for label in project.labels.labels}
    keys = [collection.labels[code] for code in dispute.labels]
    return {
        "pair": pair.pk,
        "external_id": dispute.name,
        "side": "ab"[dispute.side],
        "start": start,
        "end": end,
        "text": text.content[start:end],
        "labels": [
            {"annotator": collection.annotators[who], "label": key if key in known else None}
            for who, key in zip(dispute.annotators, keys, strict=True)
        ],
        "words": dispute.tokens,
        "cost": round(dispute.cost, 3),
        "linked": dispute.linked,
    }
