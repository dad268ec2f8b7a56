"""The shapes of gold versions in the API: how they are made, what is in them, what differs between two."""

from __future__ import annotations

from rest_framework import serializers

from agreement.models import ComputationStatus, GoldJob
from annotation.models import JOB_CHOICES, Phase
from annotation.number_parsing import MAX_INTEGER
from annotation.serializers.base import Fields, PagedSerializer, PageSerializer
from annotation.serializers.fields import StrictSettings
from annotation.serializers.workspace import SpansSerializer

STATUSES = (ComputationStatus.DONE.value, ComputationStatus.COMPUTING.value)
PHASES = [each.value for each in Phase]


class RuleRequestSerializer(Fields):
    """A rule, the phase it decides, and its settings; those that are not given are the rule's own."""

    rule = serializers.CharField(max_length=40, help_text="Such as majority, xparade or pick.")
    phase = serializers.ChoiceField(required=False, default=Phase.MAIN.value, choices=PHASES)
    settings = StrictSettings(required=False, default=dict)


class CountsSerializer(Fields):
    """What a rule decided: pairs, and by label the tokens and spans that it gave."""

    pairs = serializers.IntegerField(help_text="With gold.")
    excluded = serializers.IntegerField()
    unsure = serializers.IntegerField(help_text="Of which the rule was unsure.")
    by_hand = serializers.IntegerField(help_text="Decided by a person.")
    tokens = serializers.DictField(child=serializers.IntegerField())
    spans = serializers.DictField(child=serializers.IntegerField())
    answers = serializers.DictField(help_text="Of the scheme's questions: how often each answer was given.")


class GoldVersionSerializer(Fields):
    """A version of the gold. 0 is gold that was imported, which has no rule."""

    version = serializers.IntegerField()
    rule = serializers.CharField(allow_blank=True)
    phase = serializers.CharField(allow_blank=True)
    settings = serializers.DictField()
    counts = CountsSerializer(allow_null=True)
    made = serializers.DateTimeField(allow_null=True)
    made_by = serializers.CharField(allow_null=True, help_text="The account that made it.")


class GoldJobSerializer(Fields):
    """Gold that a worker makes, and how far it is. `version`: what it made."""

    id = serializers.IntegerField()
    action = serializers.ChoiceField(choices=GoldJob.ACTIONS)
    rule = serializers.CharField()
    phase = serializers.CharField()
    status = serializers.ChoiceField(choices=JOB_CHOICES)
    done = serializers.IntegerField(help_text="pairs")
    total = serializers.IntegerField(help_text="pairs")
    problem = serializers.CharField(allow_blank=True)
    version = serializers.IntegerField(allow_null=True)


class GoldVersionsSerializer(PagedSerializer):
    """The versions of the gold, newest first; the draft that is open, and the job that is unfinished, if there are."""

    versions = GoldVersionSerializer(many=True)
    draft = serializers.IntegerField(allow_null=True, help_text="The number that the open draft will have.")
    job = GoldJobSerializer(allow_null=True)


class GoldMadeSerializer(Fields):
    """The version that was made, or the job that makes it."""

    version = GoldVersionSerializer(allow_null=True)
    job = GoldJobSerializer(allow_null=True)


class GoldChangesSerializer(Fields):
    """Compared with the newest version: pairs added, removed or changed, and tokens with another label."""

    version = serializers.IntegerField()
    added = serializers.IntegerField()
    removed = serializers.IntegerField()
    changed = serializers.IntegerField()
    tokens = serializers.IntegerField()


class UnsurePairSerializer(Fields):
    """A pair of which the rule was unsure."""

    pair = serializers.IntegerField()
    external_id = serializers.CharField()


class DryRunSerializer(Fields):
    """What a rule would decide. Nothing is written."""

    status = serializers.ChoiceField(choices=STATUSES)
    counts = CountsSerializer(allow_null=True, help_text="Null until a worker has decided.")
    changes = GoldChangesSerializer(allow_null=True, help_text="Null if there is no gold yet.")
    unsure = UnsurePairSerializer(many=True)
    excluded = serializers.DictField(child=serializers.CharField(), help_text="Why, by external id.")


class GoldPairSerializer(Fields):
    """The gold of a pair."""

    pair = serializers.IntegerField()
    external_id = serializers.CharField()
    spans = SpansSerializer()
    answers = serializers.DictField()
    comment = serializers.CharField(allow_blank=True)


class GoldPairsSerializer(PagedSerializer):
    """The pairs of a version, in their order."""

    pairs = GoldPairSerializer(many=True)


class GoldCompareQuerySerializer(PageSerializer):
    """The numbers of two versions; 0: imported gold."""

    one = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER)
    other = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER)


class GoldDifferenceSerializer(Fields):
    """A pair that differs: only one version has it, or some of its spans and answers differ, which are counted."""

    pair = serializers.IntegerField()
    external_id = serializers.CharField()
    kind = serializers.ChoiceField(choices=["added", "removed", "changed"])
    changes = serializers.IntegerField()


class GoldComparisonSerializer(PagedSerializer):
    """What differs from `one` to `other`."""

    one = serializers.IntegerField()
    other = serializers.IntegerField()
    added = serializers.IntegerField()
    removed = serializers.IntegerField()
    changed = serializers.IntegerField()
    pairs = GoldDifferenceSerializer(many=True)


class GoldJobActSerializer(Fields):
    """What to do with a job."""

    action = serializers.ChoiceField(choices=["cancel", "retry"])


class ExclusionSerializer(Fields):
    """Whether a pair is excluded from all gold made from now on, and why. A reason is needed to exclude one."""

    excluded = serializers.BooleanField()
    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=2000)
