"""The shapes of the monitor in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.serializers.base import Fields, PagedSerializer
from annotation.vocabulary import FINAL_VERDICTS


class QueueEntrySerializer(Fields):
    """A flag, rejection, skip or comment that no lead has dealt with."""

    id = serializers.IntegerField(help_text="Of the annotation.")
    revision = serializers.IntegerField()
    pair = serializers.CharField(help_text="Its id in the data.")
    person = serializers.IntegerField()
    verdict = serializers.ChoiceField(choices=FINAL_VERDICTS, allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    comment = serializers.CharField(allow_blank=True)
    changed = serializers.DateTimeField()


class FastSerializer(Fields):
    """Submissions of a person that were faster than anyone reads."""

    person = serializers.IntegerField()
    number = serializers.IntegerField()
    pairs = serializers.ListField(child=serializers.CharField(), help_text="The fastest of them.")


class SlowSerializer(Fields):
    """A pair that takes long."""

    pair = serializers.CharField()
    seconds = serializers.FloatField(help_text="The median over people.")
    times = serializers.FloatField(help_text="How many times the usual time per word.")


class LabelUseSerializer(Fields):
    """A label that a person uses unlike the others: shares of spans, from 0 to 1."""

    person = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]
    own = serializers.FloatField()
    others = serializers.FloatField()


class LongDaySerializer(Fields):
    """A day on which a person has more than 12 hours of active time."""

    person = serializers.IntegerField()
    day = serializers.DateField()
    seconds = serializers.IntegerField()


class MonitorSerializer(PagedSerializer):
    """What needs a lead: a page of the queue, the oldest first, and work that is worth a look, on every page whole."""

    waiting = serializers.IntegerField(help_text="How many are in the queue, as `count`.")
    queue = QueueEntrySerializer(many=True)
    fast = FastSerializer(many=True)
    slow = SlowSerializer(many=True)
    labels = LabelUseSerializer(many=True)
    long_days = LongDaySerializer(many=True)


class ReviewSerializer(Fields):
    """Whether an annotation was dealt with, as it is at `revision`."""

    revision = serializers.IntegerField(min_value=0)
    dealt_with = serializers.BooleanField()


class WaitingSerializer(Fields):
    """How many are in the queue now."""

    waiting = serializers.IntegerField()
