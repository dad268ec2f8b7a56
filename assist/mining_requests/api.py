"""Mining in the API: send articles, look through the matches, import them. For leads."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
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
from annotation.api.imports import import_json, sent_file
from annotation.api_docs import documented
from annotation.models import JobStatus
from annotation.permissions import lead_access
from annotation.serializers.base import ErrorSerializer, PageSerializer
from annotation.serializers.imports import ImportRefusedSerializer, ImportSerializer
from assist.mining.filters import Match
from assist.mining.records import pair_id
from assist.mining_requests.jobs import (
    mining_cancel,
    mining_get,
    mining_import,
    mining_list,
    mining_preview,
    mining_request,
)
from assist.mining_requests.serializers import (
    ListedMiningSerializer,
    MiningImportSerializer,
    MiningQuerySerializer,
    MiningRequestSerializer,
    MiningSerializer,
    MiningsSerializer,
)
from assist.models import Mining

EXAMPLE = {
    "files": [
        {"name": "town.en.txt", "text": "The library is open on Sundays, from ten to four."},
        {"name": "town.de.txt", "text": "Die Bibliothek ist sonntags von zehn bis vier Uhr offen."},
    ],
    "settings": {"shortest": 20},
}


class MiningJobsView(APIView):
    @documented(
        operation_id="minings",
        parameters=[PageSerializer],
        responses={200: MiningsSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["mining"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The newest searches for pairs."""
        rows = mining_list(lead_access(request.user, slug).project)
        query = validated_query(PageSerializer, request)
        page = requested_page(rows, query)
        return Response(
            {
                **page_json(page),
                "searches": [_summary_json(row) for row in page],
            }
        )

    @documented(
        operation_id="mining_request",
        request=MiningRequestSerializer,
        responses={200: ListedMiningSerializer, **REFUSALS, **BODY_REFUSALS, 422: ImportRefusedSerializer},
        tags=["mining"],
        example=EXAMPLE,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Have a worker search articles for pairs; ask for what it found by GET. Requests have at most 2.5 MB."""
        access = lead_access(request.user, slug)
        data = validated_body(MiningRequestSerializer, request, closed=True)
        files = [sent_file(each) for each in data["files"]]
        row = mining_request(project=access.project, files=files, settings=data["settings"], by=access.user)
        return Response(_summary_json(row))


class MiningView(APIView):
    @documented(
        operation_id="mining",
        parameters=[MiningQuerySerializer],
        responses={200: MiningSerializer, **REFUSALS, 409: ErrorSerializer, 422: ErrorSerializer},
        tags=["mining"],
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """How far a search is, then its matches under these bounds. 409: its matches have been deleted."""
        row = mining_get(lead_access(request.user, slug).project, pk)
        query = validated_query(MiningQuerySerializer, request)
        number, size, only = query.pop("page"), query.pop("size"), query.pop("only")
        by_kind: dict[str, list[Match]] = {"kept": [], "dropped": []}
        languages: list[str] = []
        if row.status == JobStatus.DONE:
            mined, _chosen = mining_preview(row, query)
            languages = list(mined.languages)
            by_kind = {"kept": mined.kept_matches, "dropped": [match for match in mined.matches if match.dropped]}
        page = Paginator(by_kind[only], size).get_page(number)
        return Response(
            {
                **_summary_json(row),
                "languages": languages,
                **{name: len(matches) for name, matches in by_kind.items()},
                **page_json(page),
                "matches": [_match_json(each) for each in page],
            }
        )


class MiningImportView(APIView):
    @documented(
        operation_id="mining_import",
        request=MiningImportSerializer,
        responses={200: ImportSerializer, **REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer},
        tags=["mining"],
        example={"least_similar": 0.1, "leave_out": []},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Have a worker import the pairs that are kept. 409: it is not done. 422: none is left."""
        access = lead_access(request.user, slug)
        row = mining_get(access.project, pk)
        bounds = validated_body(MiningImportSerializer, request, closed=True)
        left_out = set(bounds.pop("leave_out"))
        return Response(import_json(mining_import(row=row, bounds=bounds, left_out=left_out, by=access.user)))


class MiningCancelView(APIView):
    @documented(
        operation_id="mining_cancel",
        request=None,
        responses={200: ListedMiningSerializer, **ACT_REFUSALS},
        tags=["mining"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Cancel a search that waits or runs; its articles are removed. 409: it has ended."""
        row = mining_get(lead_access(request.user, slug).project, pk)
        mining_cancel(row=row)
        row.refresh_from_db()
        return Response(_summary_json(row))


def _summary_json(row: Mining) -> dict[str, Any]:
    names = ("status", "done", "total", "settings", "problem", "requested", "finished")
    return {"id": row.pk, "files": row.file_names, **{name: getattr(row, name) for name in names}}


def _match_json(match: Match) -> dict[str, Any]:
    names = ("article", "text_a", "text_b", "similarity", "copied", "dropped")
    own = {name: getattr(match, name) for name in names}
    return {"id": pair_id(match), **own, "a": match.a + 1, "b": match.b + 1}
