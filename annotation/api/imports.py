"""Imports in the API: request a preview, read what was understood, start it, cancel it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import SuspiciousFileOperation
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import BODY_REFUSALS, REFUSALS, page_json, requested_page, validated_body, validated_query
from annotation.api_docs import documented
from annotation.errors import Invalid
from annotation.models import User
from annotation.models.imports import Import
from annotation.permissions import lead_access
from annotation.selectors.imports import import_get, import_list
from annotation.serializers.base import ErrorSerializer
from annotation.serializers.imports import (
    ImportRefusedSerializer,
    ImportRequestSerializer,
    ImportSerializer,
    ImportsQuerySerializer,
    ImportStartSerializer,
    ListedImportsSerializer,
)
from annotation.services.import_jobs import import_cancel, import_request, import_start
from annotation.strict_json import display_text

LISTED_FIELDS = ("status", "done", "total", "format", "rejected", "problem")
"""The fields of an import that the list has besides its id and whether it is a preview."""
ENDED: dict[int, Any] = {400: ErrorSerializer, 409: ErrorSerializer, 415: ErrorSerializer}


class ImportsView(APIView):
    @documented(
        operation_id="imports",
        parameters=[ImportsQuerySerializer],
        responses={200: ListedImportsSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["imports"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Imports and previews, the newest first."""
        rows = import_list(lead_access(request.user, slug).project).defer("preview", "report", "rejections")
        query = validated_query(ImportsQuerySerializer, request)
        if "status" in query:
            rows = rows.filter(status=query["status"])
        page = requested_page(rows, query)
        listed = [
            {"id": row.pk, "is_preview": row.dry_run, **{name: getattr(row, name) for name in LISTED_FIELDS}}
            for row in page
        ]
        return Response({**page_json(page), "imports": listed})

    @documented(
        operation_id="import_request",
        request=ImportRequestSerializer,
        responses={
            200: ImportSerializer,
            **REFUSALS,
            **BODY_REFUSALS,
            422: ImportRefusedSerializer,
            429: ErrorSerializer,
        },
        tags=["imports"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Have a worker import files, or say what was understood of them (`preview`). Ask for its state by GET.

        Requests have at most 2.5 MB; larger files are imported on the page or by the command.
        """
        access = lead_access(request.user, slug)
        data = validated_body(ImportRequestSerializer, request, closed=True)
        assert isinstance(request.user, User)
        row = import_request(
            project=access.project,
            files=[sent_file(each) for each in data["files"]],
            format=data.get("format", ""),
            options=data.get("options", {}),
            dry_run=data["preview"],
            by=request.user,
        )
        return Response(import_json(row))


class ImportView(APIView):
    @documented(operation_id="import", responses={200: ImportSerializer, **REFUSALS}, tags=["imports"])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The state of an import or preview, and its result."""
        return Response(import_json(import_get(lead_access(request.user, slug).project, pk)))


class ImportStartView(APIView):
    @documented(
        operation_id="import_start",
        request=ImportStartSerializer,
        responses={200: ImportSerializer, **REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer},
        tags=["imports"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Import what was previewed. 409: it was not previewed, or its files are gone after a day."""
        row = import_get(lead_access(request.user, slug).project, pk)
        data = validated_body(ImportStartSerializer, request, closed=True)
        return Response(import_json(import_start(row=row, scheme=data.get("scheme", ""))))


class ImportCancelView(APIView):
    @documented(
        operation_id="import_cancel",
        request=None,
        responses={200: ImportSerializer, **REFUSALS, **ENDED},
        tags=["imports"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Cancel a waiting or running import; nothing of it is kept. 409: it has ended."""
        row = import_get(lead_access(request.user, slug).project, pk)
        import_cancel(row=row)
        row.refresh_from_db()
        return Response(import_json(row))


def sent_file(data: Mapping[str, Any]) -> SimpleUploadedFile:
    """The file of a request. Raises Invalid without content, or with two."""
    if ("text" in data) == ("base64" in data):
        raise Invalid(_("A file needs its content as text or in Base64."), where=data["name"], hint="/api/docs/")
    try:
        content = data["text"].encode() if "text" in data else base64.b64decode(data["base64"], validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise Invalid(_("The content is not valid."), where=data["name"], hint="/api/docs/") from error
    try:
        return SimpleUploadedFile(data["name"], content)
    except SuspiciousFileOperation as error:
        message = _("“%(name)s” is not a valid file name.") % {"name": display_text(data["name"])}
        raise Invalid(message, where="name") from error


def import_json(row: Import) -> dict[str, Any]:
    """An import as the API shows it."""
    names = ("status", "done", "total", "format", "options", "preview", "report", "warnings", "better_scheme")
    rejections = [{"where": each["where"], "reason": each["reason"]} for each in row.rejections]
    return {
        "id": row.pk,
        "is_preview": row.dry_run,
        **{name: getattr(row, name) for name in names},
        "rejections": rejections,
        "rejected": row.rejected,
        "problem": row.problem,
    }
