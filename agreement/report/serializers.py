"""The shapes of agreement reports in the API."""

from __future__ import annotations

from rest_framework import serializers

from agreement.models import ComputationStatus
from annotation.models import Phase
from annotation.serializers.base import Fields, PagedSerializer, PageSerializer
from annotation.text.schemes import SIDES


class ScopeSerializer(Fields):
    """Which part of the work a report is about. What is not given is everything."""

    phase = serializers.ChoiceField(required=False, default=Phase.MAIN.value, choices=[each.value for each in Phase])
    languages = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=80, help_text="Of the pairs, such as EN-DE."
    )
    annotators = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=400, help_text="Names in the project, with commas."
    )
    split = serializers.CharField(required=False, default="", allow_blank=True, max_length=80)
    again = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=80, help_text="Whose re-tests are compared."
    )


class StatusSerializer(Fields):
    """Whether the figures are there: a worker computes those of much work; ask again then."""

    status = serializers.ChoiceField(choices=ComputationStatus.choices)
    problem = serializers.CharField(allow_blank=True, help_text="Why it failed.")


class ReportSerializer(StatusSerializer):
    """A report; annotators have the names under which they are published."""

    report = serializers.DictField(
        allow_null=True, help_text="As `manage.py agreement --format json` prints it; null until it is done."
    )


class ExampleSerializer(Fields):
    """Words of a pair as an example for the guidelines, with the label that they should have."""

    side = serializers.ChoiceField(choices=SIDES)
    start = serializers.IntegerField(min_value=0, help_text="The first character, as of disagreements.")
    end = serializers.IntegerField(min_value=0, help_text="After the last character.")
    label = serializers.CharField(  # type: ignore[assignment]
        allow_blank=True, max_length=80, help_text="A label's key; empty: unmarked."
    )
    remark = serializers.CharField(required=False, default="", allow_blank=True, max_length=2000)


class ExampleAddedSerializer(Fields):
    """The version of the guidelines that has the example."""

    version = serializers.IntegerField()


class DisagreementsQuerySerializer(ScopeSerializer, PageSerializer):
    """Which disagreements are wanted."""

    labels = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        help_text="Two keys with a comma: one against the other.",
    )
    label = serializers.CharField(  # type: ignore[assignment]
        required=False, default="", allow_blank=True, help_text="One of them has this label."
    )
    side = serializers.ChoiceField(required=False, choices=SIDES)
    annotator = serializers.CharField(required=False, default="", allow_blank=True, help_text="One of the two.")
    least = serializers.IntegerField(required=False, default=1, min_value=1, help_text="Words, at least.")


class GivenSerializer(Fields):
    """The label that one of the two gave to the words; null: they left them unmarked."""

    annotator = serializers.CharField()
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]


class DisagreementSerializer(Fields):
    """Words that two people labelled differently."""

    pair = serializers.IntegerField()
    external_id = serializers.CharField()
    side = serializers.ChoiceField(choices=SIDES)
    start = serializers.IntegerField(help_text="In code points.")
    end = serializers.IntegerField()
    text = serializers.CharField()
    labels = GivenSerializer(many=True)
    words = serializers.IntegerField()
    cost = serializers.FloatField(help_text="How much it weighs: words times the distance of the labels.")
    linked = serializers.BooleanField(help_text="Whether a span of either has words on both sides.")


class DisagreementsSerializer(PagedSerializer, StatusSerializer):
    """Disagreements, most costly first."""

    disagreements = DisagreementSerializer(many=True)
