"""The shape of a pair being adjudicated in the workspace, for the API's documentation: an assignment's, and more."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from agreement.gold.status import PairState
from annotation.serializers.base import Fields
from annotation.serializers.workspace import AssignmentSerializer, SaveSerializer, SpanSerializer

STATES = [each.value for each in PairState]
REGION_STATES = ("agreed", "ruled", "disputed")
MAX_UNMARKED = 10_000


def names_field(help_text: str) -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(), help_text=help_text)


class DraftToSaveSerializer(SaveSerializer):
    """As for an annotation, and the regions left unmarked.

    Adjudication has no suggestions: `dismissed`, the former name of `unmarked`, is still accepted and means the same.
    """

    unmarked = serializers.ListField(
        child=serializers.CharField(max_length=64),
        max_length=MAX_UNMARKED,
        required=False,
        help_text="Keys of the pair's regions deliberately left unmarked; without the list, none is. Other keys, and "
        "those of regions in which a span is marked, are dropped.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Both lists as `unmarked`."""
        unmarked = list(dict.fromkeys([*attrs.pop("unmarked", ()), *attrs.pop("dismissed", ())]))
        if len(unmarked) > MAX_UNMARKED:
            reason = _("At most %(n)s regions can be left unmarked.") % {"n": MAX_UNMARKED}
            raise serializers.ValidationError({"unmarked": reason})
        return {**attrs, "unmarked": unmarked}


@extend_schema_serializer(component_name="Version")
class VariantSerializer(Fields):
    """What one or more annotators marked in a region of the texts; no spans: they marked nothing there."""

    people = names_field("Who marked this.")
    spans = SpanSerializer(many=True)


class RegionSerializer(Fields):
    """A region in which annotators marked something: what each marked, and what the rule proposes."""

    key = serializers.CharField(help_text="Changes when an annotator changes their work there.")
    state = serializers.ChoiceField(choices=REGION_STATES)
    why = serializers.CharField(allow_blank=True, help_text="Why the rule is unsure.")
    versions = VariantSerializer(many=True)
    proposed = SpanSerializer(many=True)


@extend_schema_serializer(component_name="AnswerVersion")
class AnswerVariantSerializer(Fields):
    """An answer, and who gave it."""

    answer = serializers.CharField()
    people = names_field("Who gave this answer.")


class DisputedQuestionSerializer(Fields):
    """A question of the scheme: what annotators answered, and what the rule proposes."""

    key = serializers.CharField()
    state = serializers.ChoiceField(choices=REGION_STATES)
    why = serializers.CharField(allow_blank=True, help_text="Why the rule is unsure.")
    versions = AnswerVariantSerializer(many=True)
    proposed = serializers.CharField(allow_blank=True, help_text="The rule's answer; empty if it has none.")


class RemarkSerializer(Fields):
    """What an annotator said about the whole pair."""

    name = serializers.CharField()
    verdict = serializers.CharField(allow_blank=True)
    words = serializers.CharField(allow_blank=True)


class AdjudicationSerializer(Fields):
    """The status of a pair in the open draft of the gold."""

    blind = serializers.BooleanField(help_text="Whether `people` are letters instead of names.")
    rule = serializers.CharField(help_text="The automatic rule of the draft.")
    state = serializers.ChoiceField(choices=STATES)
    by = serializers.CharField(help_text="Who decided or excluded it.")
    reason = serializers.CharField(allow_blank=True, help_text="Why it is excluded.")
    suggested = serializers.CharField(allow_blank=True, help_text="Reasons for excluding it.")
    people = names_field("Everyone who submitted the pair, in display order.")
    regions = RegionSerializer(many=True)
    questions = DisputedQuestionSerializer(many=True)
    comments = RemarkSerializer(many=True)


class AdjudicationPairSerializer(AssignmentSerializer):
    """A pair of the open draft, in the shape of an assignment; `id` is a string."""

    id = serializers.CharField()  # type: ignore[assignment]
    adjudication = AdjudicationSerializer()
