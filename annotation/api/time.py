"""Hours, corrections, rates, costs and forecasts in the API."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import BODY_REFUSALS, REFUSALS, validated_body
from annotation.api_docs import documented
from annotation.costs import TimeCost, cents
from annotation.models.time import TimeCorrection
from annotation.permissions import lead_access, member_access, time_visible
from annotation.selectors.projects import annotator_get, options_of
from annotation.selectors.time import Forecast, months_worked, project_cost, rates_of, time_corrections
from annotation.serializers.time import (
    CorrectionRequestSerializer,
    CorrectionSerializer,
    RateSerializer,
    RatesSerializer,
    TimeSerializer,
)
from annotation.services.time import rate_set, time_correct


class TimeView(APIView):
    @documented(operation_id="time", responses={200: TimeSerializer, **REFUSALS}, tags=["time"])
    def get(self, request: Request, slug: str) -> Response:
        """Active time by person and month, what it has cost, and what is to be expected.

        Leads get everyone's; anyone else gets their own months and corrections, without a forecast.
        """
        access = member_access(request.user, slug)
        project, own = access.project, time_visible(access)
        months = months_worked(project, annotator=own)
        costs = project_cost(project) if own is None else None
        cost = costs.cost if costs else sum((each.as_cost for each in months), TimeCost())
        return Response(
            {
                "currency": options_of(project).currency,
                **_cost(cost),
                "forecast": _forecast(costs.forecast) if costs else None,
                "people": [
                    {
                        "person": each.annotator.pk,
                        **_cost(each.cost),
                        "hourly_rate": _money(each.rate),
                        "forecast": _forecast(each.forecast),
                    }
                    for each in (costs.people if costs else ())
                ],
                "months": [
                    {
                        "person": row.annotator,
                        "month": row.month,
                        "seconds": row.seconds,
                        "hourly_rate": _money(row.rate),
                        "cost": _money(row.cost),
                    }
                    for row in months
                ],
                "corrections": [_correction(row) for row in time_corrections(project, annotator=own)],
            }
        )


class CorrectionView(APIView):
    @documented(
        operation_id="person_time_correct",
        request=CorrectionRequestSerializer,
        responses={201: CorrectionSerializer, **REFUSALS, **BODY_REFUSALS},
        tags=["time"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Add seconds to a person's day, or take some from it. A correction stays; another one corrects it."""
        access = lead_access(request.user, slug)
        person = annotator_get(access.project, pk)
        data = validated_body(CorrectionRequestSerializer, request, closed=True)
        return Response(_correction(time_correct(annotator=person, by=access.user, **data)), status=201)


class RateView(APIView):
    @documented(
        operation_id="person_rate",
        request=RateSerializer,
        responses={200: RatesSerializer, **REFUSALS, **BODY_REFUSALS},
        tags=["time"],
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Set what an hour of someone's work costs from a day on, in the project's currency."""
        person = annotator_get(lead_access(request.user, slug).project, pk)
        data = validated_body(RateSerializer, request, closed=True)
        rate_set(annotator=person, amount=data["amount"], since=data["since"])
        rates = rates_of(person.project).get(person.pk, [])
        return Response({"rates": [{"amount": _money(each.amount), "since": each.since} for each in rates]})


def _correction(row: TimeCorrection) -> dict[str, Any]:
    return {
        "person": row.annotator_id,
        "day": row.day,
        "seconds": row.seconds,
        "reason": row.reason,
        "made": row.made,
    }


def _money(amount: Decimal | None) -> str | None:
    return None if amount is None else str(cents(amount))


def _cost(cost: TimeCost) -> dict[str, Any]:
    return {"seconds": cost.seconds, "cost": _money(cost.amount), "seconds_without_rate": cost.unpriced}


def _forecast(forecast: Forecast) -> dict[str, Any]:
    return {
        "remaining": forecast.remaining,
        "pace": forecast.pace,
        "seconds": forecast.seconds,
        "cost": _money(forecast.amount),
        "day": forecast.day,
    }
