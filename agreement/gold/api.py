"""The JSON for adjudicating a pair in the workspace: the same shapes as an assignment's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from agreement.blind import Redactor
from agreement.gold.adjudication_payload import adjudication_workspace, draft_state, with_unredacted_comments
from agreement.gold.serializers import AdjudicationPairSerializer, DraftToSaveSerializer
from agreement.gold.services.drafts import draft_decide, draft_exclude, draft_reopen, draft_save
from agreement.gold.status import pair_status
from agreement.models import GoldVersion
from agreement.selectors import gold_draft
from annotation.api.base import ACT_REFUSALS, REFUSALS, validated_body
from annotation.api.workspace import WRITE_REFUSALS
from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Pair, Status, Verdict
from annotation.permissions import Access, adjudicator_access
from annotation.selectors.pairs import pair_get
from annotation.serializers.base import ErrorSerializer
from annotation.serializers.workspace import (
    ReopenedSerializer,
    SavedSerializer,
    SubmitSerializer,
    SubmittedSerializer,
)
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.references import references_record
from annotation.strict_json import display_text

SEEN_PARAMETER = OpenApiParameter(
    "seen",
    str,
    description="The submitted work that the response to GET shows; its `urls.submit` has it. If that has changed, the "
    "response is 409 with the code `stale`. Without `seen`, it is not checked.",
)


DRAFT_PARAMETER = OpenApiParameter(
    "draft",
    int,
    description="The number of the gold version of which the response to GET shows the draft; the addresses in `urls` "
    "there have it. If another draft is open by now, or none, the response is 409 with the code `closed`. Without "
    "`draft`, whichever draft is open is meant.",
)


def draft_pair(request: Request, slug: str, pk: int) -> tuple[GoldVersion, Pair, Access]:
    """The open draft and a pair, for those who may adjudicate.

    Raises NotFound, Forbidden; Conflict without a draft, or if the request belongs to another one.
    """
    access = adjudicator_access(request.user, slug)
    pair = pair_get(access.project, pk)
    draft = gold_draft(access.project)
    if draft is None:
        raise Conflict(_("No draft is open."), code="closed", hint=_("Open one on the Adjudication page."))
    _check_draft(request.query_params.get("draft"), draft)
    references_record(project=access.project, pairs=[pk], by=access.user)
    return draft, pair, access


def _check_draft(number: str | None, draft: GoldVersion) -> None:
    """A page may have been open since an earlier draft: what is done there is not meant for the next one."""
    if number is None:
        return
    if not (number.isascii() and number.isdigit()):
        raise Invalid(_("The number of a gold version is expected."), where="draft")
    if number.lstrip("0") != str(draft.number):
        raise Conflict(
            _("The draft of gold version %(number)s is no longer open.") % {"number": display_text(number)},
            code="closed",
            hint=_("Open the pair in the current draft."),
        )


@contextmanager
def redacted_conflicts(draft: GoldVersion, pair: Pair, access: Access) -> Iterator[None]:
    """Conflicts have the draft's state as GET shows it, without the names that this person must not see."""
    try:
        yield
    except Conflict as conflict:
        if conflict.payload.pop("annotation", None) and (status := pair_status(draft, pair)):
            redact = Redactor(access.project, hidden=access.blind, viewer=access.user)
            conflict.payload["annotation"] = draft_state(status, redact)
        raise


class ManualPairView(APIView):
    @extend_schema(
        operation_id="manual_adjudication_pair",
        parameters=[DRAFT_PARAMETER],
        responses={200: AdjudicationPairSerializer, **REFUSALS, 409: ErrorSerializer},
        tags=["adjudication"],
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A pair in the open draft, with everyone's annotations. For leads and adjudicators."""
        draft, pair, access = draft_pair(request, slug, pk)
        status = pair_status(draft, pair)
        if status is None:
            raise NotFound(_("Nobody has submitted this pair."), where=pair.external_id)
        return Response(adjudication_workspace(status, access))


class ManualAnnotationView(APIView):
    @extend_schema(
        operation_id="manual_adjudication_save",
        parameters=[DRAFT_PARAMETER],
        request=DraftToSaveSerializer,
        responses={200: SavedSerializer, **WRITE_REFUSALS},
        tags=["adjudication"],
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Save the draft gold of a pair, on top of the revision that the client names."""
        draft, pair, access = draft_pair(request, slug, pk)
        data = validated_body(DraftToSaveSerializer, request)
        base = data.pop("revision")
        sent = AnnotationInput(**data)
        if (status := pair_status(draft, pair)) is not None:
            sent = with_unredacted_comments(status, access, sent)
        with redacted_conflicts(draft, pair, access):
            annotation = draft_save(draft=draft, pair=pair, by=access.user, base=base, sent=sent)
        return Response({"revision": annotation.revision, "saved": annotation.changed.isoformat()})


class ManualSubmitView(APIView):
    @extend_schema(
        operation_id="manual_adjudication_submit",
        parameters=[DRAFT_PARAMETER, SEEN_PARAMETER],
        request=SubmitSerializer,
        responses={200: SubmittedSerializer, **WRITE_REFUSALS},
        tags=["adjudication"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Decide a pair ('submitted'), or exclude it from the gold with a reason ('rejected')."""
        draft, pair, access = draft_pair(request, slug, pk)
        data = validated_body(SubmitSerializer, request)
        fields: dict[str, Any] = {"draft": draft, "pair": pair, "by": access.user, "base": data["revision"]}
        fields["seen"] = request.query_params.get("seen")
        with redacted_conflicts(draft, pair, access):
            if data["verdict"] == Verdict.REJECTED:
                draft_exclude(**fields, reason=data.get("reason", ""))
            elif data["verdict"] == Verdict.SUBMITTED:
                draft_decide(**fields)
            else:
                raise Invalid(_("A pair must be either decided or excluded."), code="verdict", where="verdict")
        return Response({"status": Status.DONE.value, "next": None})


class ManualReopenView(APIView):
    @extend_schema(
        operation_id="manual_adjudication_reopen",
        parameters=[DRAFT_PARAMETER],
        request=None,
        responses={200: ReopenedSerializer, **ACT_REFUSALS},
        tags=["adjudication"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Reopen a decided pair, or include an excluded one again."""
        draft, pair, access = draft_pair(request, slug, pk)
        annotation = draft_reopen(draft=draft, pair=pair, by=access.user)
        return Response({"status": Status.STARTED.value, "revision": annotation.revision if annotation else 0})
