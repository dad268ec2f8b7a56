"""How good a run's highlights are, in the API. For leads."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from agreement.prelabel_eval.scores import prelabel_scores
from annotation.api.base import REFUSALS
from annotation.api_docs import documented
from annotation.permissions import lead_access
from annotation.serializers.base import ErrorSerializer, Fields


class QualitySerializer(Fields):
    """A run's highlights against the newest gold."""

    quality = serializers.DictField(help_text="As `manage.py evaluate_prelabels --format json` prints it.")


class QualityView(APIView):
    @documented(
        operation_id="run_quality",
        responses={200: QualitySerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["pre-labels"],
    )
    def get(self, request: Request, slug: str, run: str) -> Response:
        """A run's highlights against the newest gold. 404: it has none; 422: there is no gold."""
        (score,) = prelabel_scores(lead_access(request.user, slug).project, run=run)
        return Response({"quality": score.to_json()})
