"""The shapes of hours, rates, costs and forecasts in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.serializers.base import Fields
from annotation.serializers.fields import StrictInteger, StrictText
from annotation.services.time import DAY_SECONDS, MAX_REASON_LENGTH


def money(help_text: str = "") -> serializers.DecimalField:
    """An amount in the project's currency, as a string; null if it is unknown."""
    return serializers.DecimalField(max_digits=14, decimal_places=2, allow_null=True, help_text=help_text)


class MonthSerializer(Fields):
    """A person's work in a month at one hourly rate."""

    person = serializers.IntegerField()
    month = serializers.CharField(help_text="Such as 2026-11.")
    seconds = serializers.IntegerField(help_text="Active time, without idle time.")
    hourly_rate = money("null: no rate.")
    cost = money()


class ForecastSerializer(Fields):
    """What is to be expected for the remaining pairs."""

    remaining = serializers.IntegerField()
    pace = serializers.FloatField(help_text="Pairs finished a day, over the last two weeks.")
    seconds = serializers.FloatField(allow_null=True, help_text="null: nobody has finished a pair.")
    cost = money("null: unknown, or nobody with remaining pairs has a rate.")
    day = serializers.DateField(allow_null=True, help_text="When the last pair is finished at this pace.")


class PersonCostSerializer(Fields):
    """A person's cost so far, and what is to be expected."""

    person = serializers.IntegerField()
    seconds = serializers.IntegerField()
    cost = money("So far, each hour at the rate of its day.")
    seconds_without_rate = serializers.IntegerField()
    hourly_rate = money("The one today.")
    forecast = ForecastSerializer()


class CorrectionSerializer(Fields):
    """Seconds that a lead added to a person's day, or took from it."""

    person = serializers.IntegerField()
    day = serializers.DateField()
    seconds = serializers.IntegerField(help_text="Negative: taken from the day.")
    reason = serializers.CharField()
    made = serializers.DateTimeField()


class CorrectionRequestSerializer(Fields):
    """A correction of a person's time on a day."""

    day = serializers.DateField()
    seconds = StrictInteger(min_value=-DAY_SECONDS, max_value=DAY_SECONDS)
    reason = StrictText(max_length=MAX_REASON_LENGTH)


class TimeSerializer(Fields):
    """Hours by month, and cost and forecast by person and in all. Whoever is no lead gets their own hours alone."""

    currency = serializers.CharField()
    seconds = serializers.IntegerField()
    cost = money()
    seconds_without_rate = serializers.IntegerField()
    forecast = ForecastSerializer(allow_null=True, help_text="null for whoever is no lead.")
    people = PersonCostSerializer(many=True)
    months = MonthSerializer(many=True, help_text="The newest first.")
    corrections = CorrectionSerializer(many=True, help_text="The last one first.")


class RateSerializer(Fields):
    """What an hour of a person's work costs from a day on; a null amount removes the rate that begins on that day."""

    amount = serializers.DecimalField(max_digits=8, decimal_places=2, min_value=0, allow_null=True)
    since = serializers.DateField()


class RatesSerializer(Fields):
    """A person's hourly rates, the first one first."""

    rates = RateSerializer(many=True)
