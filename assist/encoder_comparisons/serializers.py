"""The shapes of comparisons of encoders in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.models import CANCELLABLE_JOB_CHOICES
from annotation.serializers.base import Fields, PagedSerializer
from annotation.serializers.fields import StrictSettings
from annotation.serializers.imports import ImportFileSerializer


class EncoderComparisonRequestSerializer(Fields):
    """Encoders, and what they are compared on; settings that are not given are those of the page.

    Without a file for a task, the English rows or samples that come with Diptych are taken.
    """

    encoders = serializers.ListField(child=serializers.CharField(max_length=200), allow_empty=False, max_length=8)
    clsd = ImportFileSerializer(required=False)
    compositionality = ImportFileSerializer(required=False)
    settings = StrictSettings(required=False, default=dict, help_text="By name, as the page has them.")


class ListedEncoderComparisonSerializer(Fields):
    """A comparison of encoders, and how far it is."""

    id = serializers.IntegerField()
    status = serializers.ChoiceField(choices=CANCELLABLE_JOB_CHOICES)
    done = serializers.IntegerField(help_text="sentences and pairs")
    total = serializers.IntegerField(help_text="sentences and pairs, as far as they are counted")
    encoders = serializers.ListField(child=serializers.CharField())
    files = serializers.ListField(child=serializers.CharField())
    settings = serializers.DictField()
    problem = serializers.CharField(allow_blank=True)
    requested = serializers.DateTimeField()
    finished = serializers.DateTimeField(allow_null=True)


class EncoderComparisonsSerializer(PagedSerializer):
    """The newest comparisons of a project."""

    comparisons = ListedEncoderComparisonSerializer(many=True)


class EncoderComparisonResultSerializer(Fields):
    """The figures by task, as `evaluate_encoder --format json` prints them; null for a task that was not chosen.

    `gold` has for each encoder what `evaluate_prelabels` says of DiffAlign with it. `problems` says why encoders are
    missing, by name.
    """

    clsd = serializers.DictField(allow_null=True)
    compositionality = serializers.DictField(allow_null=True)
    gold = serializers.DictField(allow_null=True)
    problems = serializers.DictField(child=serializers.CharField())


class EncoderComparisonSerializer(ListedEncoderComparisonSerializer):
    """A comparison with its figures: null until it is done.

    `rows` are those that some encoder gets right only directly or only through the pivot, with their sentences; null
    if they are no longer available.
    """

    found = EncoderComparisonResultSerializer(allow_null=True)
    rows = serializers.ListField(child=serializers.DictField(), allow_null=True)
