"""Parallel documents in the API: pages in several languages, with their pairs, exclusions and statistics. For leads."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from agreement.blind import Redactor
from agreement.gold.parallel_document_serializers import (
    DocumentsChangedSerializer,
    DocumentsExcludedSerializer,
    DocumentsQuerySerializer,
    DocumentsSerializer,
)
from agreement.gold.parallel_documents import ParallelDocumentRow, parallel_document_rows, parallel_documents_matching
from agreement.gold.services.document_exclusions import parallel_documents_exclude, parallel_documents_include
from annotation.api.base import BODY_REFUSALS, REFUSALS, page_json, requested_page, validated_body, validated_query
from annotation.api_docs import documented
from annotation.permissions import lead_access
from annotation.selectors.parallel_documents import text_sizes
from annotation.serializers.base import ErrorSerializer


class DocumentsView(APIView):
    @documented(
        operation_id="documents",
        parameters=[DocumentsQuerySerializer],
        responses={200: DocumentsSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["gold"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Documents with their pairs, flags and exclusions, and how long the texts of all pairs are."""
        access = lead_access(request.user, slug)
        project = access.project
        query = validated_query(DocumentsQuerySerializer, request)
        names = parallel_documents_matching(project, text=query["q"], only=query["only"])
        page = requested_page(names, query)
        redact = Redactor(project, hidden=access.blind, viewer=access.user)
        return Response(
            {
                **page_json(page),
                "statistics": [row.to_json() for row in text_sizes(project)],
                "documents": [_document(row, redact) for row in parallel_document_rows(project, list(page))],
            }
        )


class DocumentsExcludedView(APIView):
    @documented(
        operation_id="documents_excluded",
        request=DocumentsExcludedSerializer,
        responses={200: DocumentsChangedSerializer, **REFUSALS, **BODY_REFUSALS},
        tags=["gold"],
        example={"documents": ["library/opening-hours"], "excluded": False},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Exclude documents from the gold in all their pairs, or include them again. All or nothing.

        Pairs that are excluded already keep their reason. 404: the project lacks one of the documents.
        """
        access = lead_access(request.user, slug)
        data = validated_body(DocumentsExcludedSerializer, request, closed=True)
        project, names = access.project, data["documents"]
        if data["excluded"]:
            result = parallel_documents_exclude(project=project, documents=names, reason=data["reason"], by=access.user)
        else:
            result = parallel_documents_include(project=project, documents=names, by=access.user)
        return Response({"documents": result.documents, "pairs": result.pairs})


def _document(row: ParallelDocumentRow, redact: Redactor) -> dict[str, Any]:
    return {
        "document": row.name,
        "subdomain": row.subdomain,
        "flags": row.flags,
        "pairs": [
            {
                "id": pair.pk,
                "external_id": pair.external_id,
                "languages": "-".join(pair.languages),
                "flags": pair.flags,
                "rejections": pair.rejections,
                "excluded": bool(reason),
                "reason": redact(reason),
            }
            for pair, reason in row.pairs
        ],
    }
