"""The shapes of the qualification in the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.models.qualification import StepKind
from annotation.qualification.results import STATUSES, Missing, State
from annotation.qualification.rule import MAX_PAIRS
from annotation.serializers.base import ErrorSerializer, Fields, PagedSerializer
from annotation.serializers.fields import StrictBoolean, StrictInteger, StrictText
from annotation.services.qualification import ACTIONS
from annotation.text.limits import MAX_COMMENT_LENGTH


class ShareField(serializers.FloatField):
    """A JSON number from 0 to 1: not a text that looks like one, and not true or false."""

    def __init__(self, **more: Any) -> None:
        super().__init__(min_value=0, max_value=1, **more)

    def to_internal_value(self, data: Any) -> float:
        if type(data) not in (int, float):
            self.fail("invalid")
        return super().to_internal_value(data)


class PassRuleSerializer(Fields):
    """When someone has passed; what is omitted has its default."""

    measure = StrictText(
        required=False, help_text="same-label, near-label, marked, every-word, same-answer or near-answer."
    )
    least = ShareField(help_text="The least mean over a person's pairs.", required=False)
    parts = serializers.DictField(
        child=ShareField(), required=False, help_text="Least values by the keys of labels, or of questions."
    )
    least_pairs = StrictInteger(required=False, min_value=1, max_value=MAX_PAIRS)
    both_directions = StrictBoolean(
        required=False, help_text="Whether a pair counts, once, when its mirror is submitted too."
    )
    release = serializers.ChoiceField(choices=["lead", "at-once"], required=False)
    automatic = StrictBoolean(required=False, help_text="Whether whoever passes is advanced.")


class ProjectRuleSerializer(Fields):
    """A project's pass rule, null for none; `revision` names its content ('' for none)."""

    revision = StrictText(allow_blank=True)
    rule = PassRuleSerializer(allow_null=True)


class RuleChangeSerializer(ProjectRuleSerializer):
    """A rule to set, or null to remove it. With `dry_run` nothing is saved: the answer says whom it would hold back."""

    dry_run = StrictBoolean(required=False)


class HeldSerializer(Fields):
    """Annotators who are not advanced, with the trial and main pairs that are assigned to them and not started."""

    people = serializers.IntegerField()
    pairs = serializers.IntegerField()


class RuleStateSerializer(ProjectRuleSerializer):
    """A rule, and whom it holds back."""

    held = HeldSerializer()


class PairResultSerializer(Fields):
    """A qualification pair; `value` is null if it is not compared, and `missing` says why."""

    assignment = serializers.IntegerField()
    pair = serializers.IntegerField()
    name = serializers.CharField()
    value = ShareField(allow_null=True)
    parts = serializers.DictField(child=ShareField())
    missing = serializers.ChoiceField(choices=["", *(each.value for each in Missing)])
    gold_version = serializers.IntegerField(allow_null=True, help_text="Of the reference; 0: imported.")


class QualificationStepSerializer(Fields):
    """What was said or decided; `by` is '' for the rule, and for accounts that were removed."""

    id = serializers.IntegerField()
    step = serializers.ChoiceField(choices=StepKind.values)
    words = serializers.CharField(allow_blank=True)
    value = ShareField(help_text="The agreement at that time.", allow_null=True)
    pairs = serializers.IntegerField(allow_null=True, help_text="Of a retry: how many were assigned.")
    automatic = serializers.BooleanField()
    by = serializers.CharField(allow_blank=True)
    made = serializers.DateTimeField()
    undone = serializers.DateTimeField(allow_null=True)


class MemberQualificationSerializer(Fields):
    """A person's status, by their first submissions since the last retry."""

    person = serializers.IntegerField()
    alias = serializers.CharField()
    status = serializers.ChoiceField(choices=STATUSES)
    by_rule = serializers.ChoiceField(choices=[state.value for state in State], help_text="By the rule alone.")
    assigned = serializers.IntegerField()
    submitted = serializers.IntegerField()
    counted = serializers.IntegerField(help_text="Pairs that count towards the least number.")
    value = ShareField(allow_null=True)
    parts = serializers.DictField(child=ShareField())
    released = serializers.BooleanField(help_text="Whether the person sees the result.")
    revision = serializers.CharField(help_text="Names the last words and decision; a decision states it.")
    words = serializers.CharField(allow_blank=True, help_text="The last words to the person.")
    pairs = PairResultSerializer(many=True)
    steps = QualificationStepSerializer(many=True)


class QualificationSerializer(ProjectRuleSerializer, PagedSerializer):
    """The rule, and people's status under it, in the order in which they joined; nobody without a rule."""

    people = MemberQualificationSerializer(many=True)


class PersonQualificationSerializer(MemberQualificationSerializer):
    """A person's qualification; `retry_pairs` is how many other pairs are left for a retry."""

    retry_pairs = serializers.IntegerField(help_text="A pair with its mirror counts as one.")


class DecisionConflictSerializer(ErrorSerializer):
    """`words` and `revision` are those of now if another lead said or decided something since. Nothing was changed."""

    words = serializers.CharField(required=False, allow_blank=True)
    revision = serializers.CharField(required=False)


class DecisionSerializer(Fields):
    """What a lead says or decides: `words` says `words`; `retry` assigns `pairs` others; `undo` undoes `step`.

    `words` may come with any of them but `undo`. `revision` is that of the qualification that it is based on.
    """

    action = serializers.ChoiceField(choices=ACTIONS)
    revision = StrictText()
    words = StrictText(required=False, allow_blank=True, max_length=MAX_COMMENT_LENGTH, trim_whitespace=False)
    pairs = StrictInteger(required=False, min_value=1, max_value=MAX_PAIRS)
    step = StrictInteger(required=False, min_value=1)
