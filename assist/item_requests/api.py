"""Generating items in the API: send sentences, see what would be asked and what it costs, start it. For leads."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
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
from annotation.errors import Invalid
from annotation.permissions import lead_access
from annotation.serializers.base import ErrorSerializer, PageSerializer
from assist.item_requests.jobs import (
    generation_cancel,
    generation_get,
    generation_list,
    generation_preview,
    generation_request,
    generation_retry,
    generation_start,
)
from assist.item_requests.serializers import (
    ItemMakingRequestSerializer,
    ItemMakingSerializer,
    ItemMakingsSerializer,
    ListedItemMakingSerializer,
)
from assist.models import ItemMaking

EXAMPLE = {
    "task": "clsd",
    "file": {"name": "rows.csv", "text": "Source,Target\nEin Bus.,A bus was late.\n"},
    "into": "distractors",
    "settings": {"address": "https://llm.example.org/v1", "model": "small"},
}


class GenerationJobsView(APIView):
    @documented(
        operation_id="item_makings",
        parameters=[PageSerializer],
        responses={200: ItemMakingsSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["items"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The newest items that were made, or are to be."""
        rows = generation_list(lead_access(request.user, slug).project)
        page = requested_page(rows, validated_query(PageSerializer, request))
        return Response({**page_json(page), "makings": [_summary_json(row) for row in page]})

    @documented(
        operation_id="item_making_request",
        request=ItemMakingRequestSerializer,
        responses={200: ItemMakingSerializer, **REFUSALS, **BODY_REFUSALS, 422: ErrorSerializer},
        tags=["items"],
        example=EXAMPLE,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Send sentences, and learn what would be asked. Nothing is asked before it is started. At most 2.5 MB."""
        access = lead_access(request.user, slug)
        data = validated_body(ItemMakingRequestSerializer, request, closed=True)
        row = generation_request(
            project=access.project,
            task=data["task"],
            file=sent_file(data["file"]),
            into=data["into"],
            settings=data["settings"],
            by=access.user,
        )
        return Response(_detail_json(row))


class GenerationJobView(APIView):
    @documented(operation_id="item_making", responses={200: ItemMakingSerializer, **REFUSALS}, tags=["items"])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """What would be asked, how far a worker is, then what was made."""
        return Response(_detail_json(generation_get(lead_access(request.user, slug).project, pk)))


class StartView(APIView):
    @documented(
        operation_id="item_making_start",
        request=None,
        responses={200: ListedItemMakingSerializer, **ACT_REFUSALS, 422: ErrorSerializer},
        tags=["items"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Have a worker make the items. 409: they were started before, or cancelled."""
        return _act(request, slug, pk, generation_start)


class CancelView(APIView):
    @documented(
        operation_id="item_making_cancel",
        request=None,
        responses={200: ListedItemMakingSerializer, **ACT_REFUSALS},
        tags=["items"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Cancel a job that is not started, waiting or running. 409: it has ended."""
        row = generation_get(lead_access(request.user, slug).project, pk)
        generation_cancel(row=row)
        return _updated_response(row)


class RetryView(APIView):
    @documented(
        operation_id="item_making_retry",
        request=None,
        responses={200: ListedItemMakingSerializer, **ACT_REFUSALS, 422: ErrorSerializer},
        tags=["items"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Go on with what failed or was cancelled. 409: anything else, or the sentences are no longer available."""
        return _act(request, slug, pk, generation_retry)


def _act(request: Request, slug: str, pk: int, act: Callable[..., object]) -> Response:
    access = lead_access(request.user, slug)
    row = generation_get(access.project, pk)
    act(row=row, by=access.user)
    return _updated_response(row)


def _updated_response(row: ItemMaking) -> Response:
    row.refresh_from_db()
    return Response(_summary_json(row))


def _summary_json(row: ItemMaking) -> dict[str, Any]:
    names = ("status", "started", "task", "into", "done", "total", "settings", "problem", "requested", "finished")
    return {"id": row.pk, "files": row.file_names, **{name: getattr(row, name) for name in names}}


def _detail_json(row: ItemMaking) -> dict[str, Any]:
    preview = None
    with suppress(Invalid):  # the server or the model that was chosen is no longer there
        preview = generation_preview(row)
    estimate = preview and {
        **{name: getattr(preview.estimate, name) for name in ("rows", "requests", "tokens")},
        "most": preview.estimate.max_cost,
        "messages": [{"role": role, "text": text} for role, text in preview.messages],
    }
    return {**_summary_json(row), "preview": estimate, "found": row.result}
