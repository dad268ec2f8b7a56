"""The shapes of plans and re-tests in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.forms.plan import KNOWN_PLANS
from annotation.models import Phase
from annotation.number_parsing import MAX_INTEGER
from annotation.serializers.base import Fields

PLAN_NAMES = tuple(sorted(KNOWN_PLANS))


class PlanChangeRequestSerializer(Fields):
    """Who is to have which pair from now on. Numbers count a pair with its mirror as one."""

    people = serializers.ListField(child=serializers.IntegerField(min_value=1), help_text="Ids of annotators.")
    trial = serializers.IntegerField(required=False, min_value=0, max_value=MAX_INTEGER)
    overlap = serializers.IntegerField(required=False, min_value=0, max_value=MAX_INTEGER)
    overlap_people = serializers.IntegerField(
        required=False, min_value=0, max_value=MAX_INTEGER, help_text="For each overlapping pair; 0: everyone."
    )
    readers_only = serializers.BooleanField(required=False, default=False)
    seed = serializers.IntegerField(required=False, default=1, min_value=0, max_value=MAX_INTEGER)
    minutes = serializers.FloatField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=10_000,
        help_text="Expected for a pair, for `seconds`, until a pace is measured.",
    )
    digest = serializers.CharField(
        required=False, default="", max_length=64, help_text="Of a plan that was shown: applies it, if it is the same."
    )


class PlanRequestSerializer(PlanChangeRequestSerializer):
    """A plan for the unassigned pairs. Numbers count a pair with its mirror as one; any that is not given is that of
    the `preset`, or 0.
    """

    preset = serializers.ChoiceField(
        required=False, choices=PLAN_NAMES, help_text="A published plan, as far as there are pairs for it."
    )
    qualification = serializers.IntegerField(required=False, min_value=0, max_value=MAX_INTEGER)
    both_directions = serializers.BooleanField(
        required=False, help_text="Only pairs with a mirror are for the qualification. False if not given."
    )


class RetestRequestSerializer(Fields):
    """Who annotates how many of their own pairs a second time."""

    people = serializers.ListField(child=serializers.IntegerField(min_value=1), help_text="Ids of annotators.")
    phase = serializers.ChoiceField(required=False, default=Phase.MAIN.value, choices=[each.value for each in Phase])
    pairs = serializers.IntegerField(
        required=False, default=5, min_value=1, max_value=MAX_INTEGER, help_text="Of each."
    )
    days = serializers.IntegerField(
        required=False, default=14, min_value=0, max_value=MAX_INTEGER, help_text="Since their submission, at least."
    )
    seed = serializers.IntegerField(required=False, default=1, min_value=0, max_value=MAX_INTEGER)
    digest = serializers.CharField(
        required=False, default="", max_length=64, help_text="Of re-tests that were shown: creates them."
    )


class RetestSerializer(Fields):
    """One person's re-tests."""

    person = serializers.IntegerField()
    pairs = serializers.IntegerField()
    available = serializers.IntegerField()


class RetestsSerializer(Fields):
    """Re-tests; nothing is assigned until they are created under their digest."""

    applied = serializers.BooleanField()
    digest = serializers.CharField()
    assignments = serializers.IntegerField()
    people = RetestSerializer(many=True)


class PlannedSerializer(Fields):
    """One person's share, in pairs."""

    person = serializers.IntegerField()
    phases = serializers.DictField(child=serializers.IntegerField(), help_text="New ones, by phase.")
    to_do = serializers.DictField(
        child=serializers.IntegerField(), help_text="Not finished once the plan is applied, by phase."
    )
    shared = serializers.IntegerField(help_text="Of the main ones to do, those that someone else annotates too.")
    finished = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    seconds = serializers.FloatField(
        allow_null=True, help_text="Expected active time for what is to do; null: no pair is finished yet."
    )


class CommonSerializer(Fields):
    """How many trial and main pairs two people both annotate."""

    people = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    pairs = serializers.IntegerField()


class UnreadSerializer(Fields):
    """Someone who would get pairs in languages that they don't read."""

    person = serializers.IntegerField()
    pairs = serializers.IntegerField()
    languages = serializers.ListField(child=serializers.CharField())


class PlanPresetSerializer(Fields):
    """A published plan, with the numbers it has for the pairs that are unassigned now."""

    preset = serializers.ChoiceField(choices=PLAN_NAMES)
    title = serializers.CharField()
    qualification = serializers.IntegerField()
    both_directions = serializers.BooleanField()
    trial = serializers.IntegerField()
    overlap = serializers.IntegerField()
    overlap_people = serializers.IntegerField()


class PlanNowSerializer(Fields):
    """What is assigned now, as a plan: numbers count a pair with its mirror as one."""

    trial = serializers.IntegerField()
    overlap = serializers.IntegerField()
    overlap_people = serializers.IntegerField(help_text="0: everyone.")
    unassigned = serializers.IntegerField()
    people = PlannedSerializer(many=True)
    common = CommonSerializer(many=True)
    presets = PlanPresetSerializer(many=True)


class PlanSerializer(Fields):
    """A plan; nothing is assigned until it is applied under its digest."""

    applied = serializers.BooleanField()
    digest = serializers.CharField()
    assignments = serializers.IntegerField(help_text="How many are new.")
    withdrawn = serializers.IntegerField(help_text="How many, which nobody has started, end.")
    people = PlannedSerializer(many=True)
    common = CommonSerializer(many=True)
    unread = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Pairs that stay unassigned because none of the selected people may annotate them.",
    )
    unread_by = UnreadSerializer(many=True)
    without_retry = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="People who could not qualify again if they failed: too few pairs with gold are left.",
    )
    too_few_to_pass = serializers.IntegerField(
        allow_null=True,
        help_text="How many qualification pairs whoever gets the fewest has, if the pass rule needs more; else null.",
    )
