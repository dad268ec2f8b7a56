"""The shapes of projects, their pairs and their plan in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.forms.base import PAIR_FILTERS
from annotation.forms.plan import KNOWN_PLANS
from annotation.models import Phase, Role, Status
from annotation.numbers import LARGEST
from annotation.serializers import Fields
from annotation.text.schemes import PRESETS
from annotation.vocabulary import Verdict

LARGEST_PAGE = 200
FIRST_PAGE = {"page": 1, "size": 100}
"""What `PageSerializer` makes of a request that names neither."""
PRESET_NAMES = tuple(sorted(PRESETS))
PLAN_NAMES = tuple(sorted(KNOWN_PLANS))


class PageSerializer(Fields):
    """Which part of a list is wanted."""

    page = serializers.IntegerField(
        required=False, default=FIRST_PAGE["page"], min_value=1, max_value=LARGEST, help_text="From 1."
    )
    size = serializers.IntegerField(required=False, default=FIRST_PAGE["size"], min_value=1, max_value=LARGEST_PAGE)


class PagedSerializer(Fields):
    """Which part of a list this is."""

    count = serializers.IntegerField(help_text="Of the whole list.")
    page = serializers.IntegerField()
    pages = serializers.IntegerField(help_text="Empty lists have one.")


class ListedProjectSerializer(Fields):
    """A project as lists show it, and one's role in it."""

    slug = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    created = serializers.DateTimeField()


class ProjectsSerializer(PagedSerializer):
    """Projects that one is in, by name."""

    projects = ListedProjectSerializer(many=True)


class NewProjectSerializer(Fields):
    """A new project: with a built-in scheme, or one of its own."""

    name = serializers.CharField(max_length=200)
    slug = serializers.CharField(max_length=80, required=False, default="", help_text="Derived from the name if empty.")
    preset = serializers.ChoiceField(choices=PRESET_NAMES, required=False)
    scheme = serializers.DictField(required=False, help_text="As docs/formats.md describes custom schemes.")


class ProgressSerializer(Fields):
    """Assignments of one phase over all people."""

    phase = serializers.ChoiceField(choices=[(each.value, each.value) for each in Phase])
    assigned = serializers.IntegerField()
    done = serializers.IntegerField(help_text="Submitted, rejected or flagged.")
    skipped = serializers.IntegerField()
    started = serializers.IntegerField()
    flagged = serializers.IntegerField()
    rejected = serializers.IntegerField()
    seconds = serializers.IntegerField(help_text="Active time, without idle time.")


class OwnProjectSerializer(ListedProjectSerializer):
    """A project; what only its leads may know is null for others."""

    pairs = serializers.IntegerField(allow_null=True)
    unassigned = serializers.IntegerField(allow_null=True)
    gold = serializers.IntegerField(allow_null=True, help_text="Pairs with gold.")
    progress = ProgressSerializer(many=True, allow_null=True)


class PairsQuerySerializer(PageSerializer):
    """Which pairs are wanted."""

    q = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=200, help_text="Part of an id or of a text."
    )
    only = serializers.ChoiceField(required=False, choices=[name for name, _title in PAIR_FILTERS])


class ListedPairSerializer(Fields):
    """A pair as lists show it."""

    id = serializers.IntegerField()
    external_id = serializers.CharField(help_text="Its id in the data.")
    split = serializers.CharField(allow_blank=True)
    language_a = serializers.CharField()
    language_b = serializers.CharField()
    assigned = serializers.IntegerField()
    finished = serializers.IntegerField()
    flags = serializers.IntegerField()
    rejections = serializers.IntegerField()
    gold = serializers.BooleanField()
    document = serializers.CharField(allow_blank=True, help_text="The one that it shares with other pairs, or ''.")
    document_flags = serializers.IntegerField(help_text="Flags on the document's other pairs.")


class PairsSerializer(PagedSerializer):
    """Pairs of a project, in their order."""

    pairs = ListedPairSerializer(many=True)


class PairAssignmentSerializer(Fields):
    """Whom a pair is assigned to."""

    person = serializers.IntegerField(help_text="The id of the person in the project.")
    alias = serializers.CharField()
    phase = serializers.ChoiceField(choices=[(each.value, each.value) for each in Phase])
    round = serializers.IntegerField(help_text="0, or the number of the re-test.")
    status = serializers.ChoiceField(choices=Status.choices)


class PairAnnotationSerializer(PairAssignmentSerializer):
    """One person's annotation of a pair, as it was last saved."""

    revision = serializers.IntegerField()
    verdict = serializers.ChoiceField(choices=[each.value for each in Verdict], allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    comment = serializers.CharField(allow_blank=True)
    seconds = serializers.IntegerField()
    spans = serializers.ListField(child=serializers.DictField(), help_text="As docs/formats.md describes them.")
    answers = serializers.DictField()


class WholePairSerializer(Fields):
    """A pair with its texts, and what everyone assigned to it has done so far."""

    id = serializers.IntegerField()
    external_id = serializers.CharField()
    split = serializers.CharField(allow_blank=True)
    language_a = serializers.CharField()
    text_a = serializers.CharField(allow_blank=True)
    language_b = serializers.CharField()
    text_b = serializers.CharField(allow_blank=True)
    metadata = serializers.DictField()
    assignments = PairAssignmentSerializer(many=True, help_text="Also those that nobody has started.")
    annotations = PairAnnotationSerializer(many=True)


class PlanChangeRequestSerializer(Fields):
    """Who is to have which pair from now on. Numbers count a pair with its mirror as one."""

    people = serializers.ListField(child=serializers.IntegerField(min_value=1), help_text="Ids of annotators.")
    trial = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    overlap = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    overlap_people = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST, help_text="For each overlapping pair; 0: everyone."
    )
    readers_only = serializers.BooleanField(required=False, default=False)
    seed = serializers.IntegerField(required=False, default=1, min_value=0, max_value=LARGEST)
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
    qualification = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    both_directions = serializers.BooleanField(
        required=False, help_text="Only pairs with a mirror are for the qualification. False if not given."
    )


class RetestRequestSerializer(Fields):
    """Who annotates how many of their own pairs a second time."""

    people = serializers.ListField(child=serializers.IntegerField(min_value=1), help_text="Ids of annotators.")
    phase = serializers.ChoiceField(required=False, default=Phase.MAIN.value, choices=[each.value for each in Phase])
    pairs = serializers.IntegerField(required=False, default=5, min_value=1, max_value=LARGEST, help_text="Of each.")
    days = serializers.IntegerField(
        required=False, default=14, min_value=0, max_value=LARGEST, help_text="Since their submission, at least."
    )
    seed = serializers.IntegerField(required=False, default=1, min_value=0, max_value=LARGEST)
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
        help_text="Pairs that stay unassigned because nobody chosen may annotate them.",
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
