"""The monitor in the API. For leads."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import BODY_REFUSALS, REFUSALS, page_json, requested_page, validated_body, validated_query
from annotation.api_docs import documented
from annotation.models import Annotation, User
from annotation.permissions import lead_access
from annotation.selectors.monitor import review_get, review_queue, unusual_annotations
from annotation.serializers.base import ErrorSerializer, PageSerializer
from annotation.serializers.monitor import MonitorSerializer, ReviewSerializer, WaitingSerializer
from annotation.services.reviews import review_remove, review_set

MAX_LISTED = 10
"""How many slow pairs, long days, and fast pairs of a person are named."""


class MonitorView(APIView):
    @documented(
        operation_id="monitor",
        parameters=[PageSerializer],
        responses={200: MonitorSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["monitor"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """What needs a lead: flags, rejections, skips and comments to answer, and work that is worth a look."""
        project = lead_access(request.user, slug).project
        page = requested_page(review_queue(project), validated_query(PageSerializer, request))
        unusual = unusual_annotations(project, limit=MAX_LISTED)
        return Response(
            {
                **page_json(page),
                "waiting": page.paginator.count,
                "queue": [_entry(row) for row in page],
                "fast": [
                    {
                        "person": who,
                        "number": len(submissions),
                        "pairs": [unusual.pairs[each.pair] for each in submissions[:MAX_LISTED]],
                    }
                    for who, submissions in sorted(unusual.fast.items())
                ],
                "slow": [
                    {"pair": unusual.pairs[each.pair], "seconds": each.seconds, "times": each.times}
                    for each in unusual.slow
                ],
                "labels": [
                    {"person": each.annotator, "label": each.label, "own": each.own, "others": each.others}
                    for each in unusual.labels
                ],
                "long_days": [
                    {"person": each.annotator, "day": each.day, "seconds": each.seconds} for each in unusual.days
                ],
            }
        )


class ReviewView(APIView):
    @documented(
        operation_id="monitor_review",
        request=ReviewSerializer,
        responses={200: WaitingSerializer, **REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer},
        tags=["monitor"],
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Take an annotation off the queue until its annotator changes it, or put it back.

        409: it was changed since the revision that is named.
        """
        project = lead_access(request.user, slug).project
        annotation = review_get(project, pk)
        data = validated_body(ReviewSerializer, request, closed=True)
        assert isinstance(request.user, User)
        if data["dealt_with"]:
            review_set(annotation=annotation, revision=data["revision"], by=request.user)
        else:
            review_remove(annotation=annotation)
        return Response({"waiting": review_queue(project).count()})


def _entry(row: Annotation) -> dict[str, Any]:
    assert row.assignment is not None
    return {
        "id": row.pk,
        "revision": row.revision,
        "pair": row.pair.external_id,
        "person": row.assignment.annotator_id,
        "verdict": row.verdict,
        "reason": row.reason,
        "comment": row.comment,
        "changed": row.changed,
    }
