"""Comparing encoders in the API: name candidates, ask for their figures. For leads."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import (
    ACT_REFUSALS,
    BODY_REFUSALS,
    REFUSALS,
    page_json,
    requested_page,
    validated_body,
    validated_query,
)
from annotation.api.imports import sent_file
from annotation.api_docs import documented
from annotation.permissions import lead_access
from annotation.serializers.base import ErrorSerializer, PageSerializer
from assist.encoder_comparisons.figures import figures_json
from assist.encoder_comparisons.jobs import (
    comparison_cancel,
    comparison_get,
    comparison_list,
    comparison_request,
    comparison_retry,
)
from assist.encoder_comparisons.serializers import (
    EncoderComparisonRequestSerializer,
    EncoderComparisonSerializer,
    EncoderComparisonsSerializer,
    ListedEncoderComparisonSerializer,
)
from assist.models import EncoderComparison

EXAMPLE = {"encoders": ["all-MiniLM-L6-v2"], "settings": {"gold": False}}


class ComparisonsView(APIView):
    @documented(
        operation_id="comparisons",
        parameters=[PageSerializer],
        responses={200: EncoderComparisonsSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["encoders"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The newest comparisons of encoders."""
        rows = comparison_list(lead_access(request.user, slug).project)
        query = validated_query(PageSerializer, request)
        page = requested_page(rows, query)
        return Response(
            {
                **page_json(page),
                "comparisons": [_summary_json(row) for row in page],
            }
        )

    @documented(
        operation_id="comparison_request",
        request=EncoderComparisonRequestSerializer,
        responses={200: ListedEncoderComparisonSerializer, **REFUSALS, **BODY_REFUSALS, 422: ErrorSerializer},
        tags=["encoders"],
        example=EXAMPLE,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Have a worker compare encoders; ask for their figures by GET. Requests have at most 2.5 MB."""
        access = lead_access(request.user, slug)
        data = validated_body(EncoderComparisonRequestSerializer, request, closed=True)
        files: dict[str, Any] = {task: sent_file(data[task]) for task in ("clsd", "compositionality") if task in data}
        row = comparison_request(
            project=access.project, encoders=data["encoders"], files=files, settings=data["settings"], by=access.user
        )
        return Response(_summary_json(row))


class ComparisonView(APIView):
    @documented(
        operation_id="comparison",
        responses={200: EncoderComparisonSerializer, **REFUSALS},
        tags=["encoders"],
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """How far a comparison is, then its figures."""
        row = comparison_get(lead_access(request.user, slug).project, pk)
        return Response(
            {**_summary_json(row), "found": figures_json(row.result) if row.result else None, "rows": row.rows}
        )


class ComparisonCancelView(APIView):
    @documented(
        operation_id="comparison_cancel",
        request=None,
        responses={200: ListedEncoderComparisonSerializer, **ACT_REFUSALS},
        tags=["encoders"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Cancel a comparison that waits or runs. 409: it has ended."""
        row = comparison_get(lead_access(request.user, slug).project, pk)
        comparison_cancel(row=row)
        return _updated_response(row)


class ComparisonRetryView(APIView):
    @documented(
        operation_id="comparison_retry",
        request=None,
        responses={200: ListedEncoderComparisonSerializer, **ACT_REFUSALS},
        tags=["encoders"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Retry a comparison that failed or was cancelled. 409: any other, or its files are no longer available."""
        row = comparison_get(lead_access(request.user, slug).project, pk)
        comparison_retry(row=row)
        return _updated_response(row)


def _updated_response(row: EncoderComparison) -> Response:
    row.refresh_from_db()
    return Response(_summary_json(row))


def _summary_json(row: EncoderComparison) -> dict[str, Any]:
    names = ("status", "done", "total", "encoders", "settings", "problem", "requested", "finished")
    return {"id": row.pk, "files": row.file_names, **{name: getattr(row, name) for name in names}}
