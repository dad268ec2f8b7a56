"""A project's glossary in the API: its entries, files of them, and what was deleted last. For leads."""

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
from annotation.selectors.glossary import (
    glossary_entries,
    glossary_entry_get,
    glossary_entry_json,
    glossary_list,
    glossary_revision,
)
from annotation.serializers.base import ErrorSerializer, PageSerializer
from annotation.serializers.glossary import (
    ChangedGlossaryEntrySerializer,
    GlossaryConflictSerializer,
    GlossaryEntrySerializer,
    GlossaryFileSerializer,
    GlossarySerializer,
    GlossaryUploadSerializer,
    NamedRevisionSerializer,
    RestoredGlossarySerializer,
    SavedGlossaryEntrySerializer,
)
from annotation.services.glossary import glossary_entry_delete, glossary_entry_save
from annotation.services.glossary_uploads import UploadReport, glossary_deletion_undo, glossary_upload

MAX_REJECTIONS_SHOWN = 100
"""The number of rejected rows that an answer lists."""


class GlossaryView(APIView):
    @documented(
        operation_id="glossary",
        parameters=[PageSerializer],
        responses={200: GlossarySerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["glossary"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The project's glossary. For leads."""
        project = lead_access(request.user, slug).project
        page = requested_page(glossary_list(project), validated_query(PageSerializer, request))
        revision = glossary_revision(glossary_entries(project))
        return Response(
            {**page_json(page), "revision": revision, "entries": [glossary_entry_json(row) for row in page]}
        )

    @documented(
        operation_id="glossary_add",
        request=GlossaryEntrySerializer,
        responses={200: SavedGlossaryEntrySerializer, **REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer},
        tags=["glossary"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add an entry. 409: the glossary already has this term."""
        access = lead_access(request.user, slug)
        data = validated_body(GlossaryEntrySerializer, request, closed=True)
        return Response(glossary_entry_json(glossary_entry_save(project=access.project, **data)))


class GlossaryEntryView(APIView):
    @documented(
        operation_id="glossary_change",
        request=ChangedGlossaryEntrySerializer,
        responses={200: SavedGlossaryEntrySerializer, **REFUSALS, **BODY_REFUSALS, 409: GlossaryConflictSerializer},
        tags=["glossary"],
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Replace an entry, on top of the revision that the client names.

        409 with the code `conflict`: someone changed the entry since; `entry` holds it as it is now. 409 with the code
        `term-exists`: another entry already has this term.
        """
        access = lead_access(request.user, slug)
        entry = glossary_entry_get(access.project, pk)
        data = validated_body(ChangedGlossaryEntrySerializer, request, closed=True)
        saved = glossary_entry_save(project=access.project, entry=entry, base=data.pop("revision"), **data)
        return Response(glossary_entry_json(saved))

    @documented(
        operation_id="glossary_delete",
        parameters=[NamedRevisionSerializer],
        responses={
            200: SavedGlossaryEntrySerializer,
            **REFUSALS,
            409: GlossaryConflictSerializer,
            422: ErrorSerializer,
        },
        tags=["glossary"],
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete an entry. Returns it as it was. 409: someone changed it since the revision that was named."""
        access = lead_access(request.user, slug)
        entry = glossary_entry_get(access.project, pk)
        deleted = glossary_entry_json(entry)
        glossary_entry_delete(entry=entry, base=validated_query(NamedRevisionSerializer, request).get("revision"))
        return Response(deleted)


class GlossaryUploadView(APIView):
    @documented(
        operation_id="glossary_upload",
        request=GlossaryFileSerializer,
        responses={200: GlossaryUploadSerializer, **REFUSALS, **BODY_REFUSALS},
        tags=["glossary"],
        example={
            "file": {"name": "terms.tsv", "text": "library\tBibliothek\n"},
            "term_language": "en",
            "translation_language": "de",
            "preview": True,
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add a file's entries, or only say what it would change (`preview`).

        With `replace`, entries of these languages that the file lacks are deleted, if `deletes` is their number.
        """
        access = lead_access(request.user, slug)
        data = validated_body(GlossaryFileSerializer, request, closed=True)
        file = sent_file(data["file"])
        report = glossary_upload(
            project=access.project,
            name=file.name or "",
            data=file.read(),
            term_language=data["term_language"],
            translation_language=data["translation_language"],
            replace=data["replace"],
            deletes=data["deletes"],
            dry_run=data["preview"],
            by=access.user,
        )
        return Response(_upload_json(report))


class GlossaryRestoreView(APIView):
    @documented(
        operation_id="glossary_restore",
        request=None,
        responses={200: RestoredGlossarySerializer, **ACT_REFUSALS},
        tags=["glossary"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Restore the entries that were deleted last. 404: there are none."""
        access = lead_access(request.user, slug)
        restored = glossary_deletion_undo(project=access.project, by=access.user)
        return Response({"restored": [glossary_entry_json(row) for row in restored]})


def _upload_json(report: UploadReport) -> dict[str, Any]:
    rejections = [{"line": each.line, "reason": each.reason.text()} for each in report.rejected[:MAX_REJECTIONS_SHOWN]]
    names = ("new", "changed", "same", "removed", "written")
    return {**{name: getattr(report, name) for name in names}, "rejected": report.rejections, "rejections": rejections}
