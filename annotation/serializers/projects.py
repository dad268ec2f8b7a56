"""The shapes of projects, their pairs and their plan in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.forms.base import PAIR_FILTERS
from annotation.models import Phase, Role, Status
from annotation.serializers.base import Fields, PagedSerializer, PageSerializer
from annotation.text.schemes import PRESETS
from annotation.vocabulary import Verdict

PRESET_NAMES = tuple(sorted(PRESETS))


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
