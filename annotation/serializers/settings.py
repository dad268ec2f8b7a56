"""The shapes of a project's settings in the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.project_options import LATEST
from annotation.serializers.base import Fields
from annotation.vocabulary import FINAL_VERDICTS, Phase, ReadingLevel


class SettingsSerializer(Fields):
    """A project's name and settings, as the page *Settings* explains them."""

    name = serializers.CharField(max_length=200)
    highlights_run = serializers.CharField(
        max_length=100,
        allow_blank=True,
        help_text=f"The run whose pre-labels are shown; '{LATEST}': the newest finished one that has any; empty: none.",
    )
    highlights_share = serializers.IntegerField(
        min_value=0, max_value=100, help_text="Percentage of the assignments that show pre-labels."
    )
    metadata_shown = serializers.BooleanField()
    verdicts = serializers.ListField(
        child=serializers.ChoiceField(choices=[each.value for each in FINAL_VERDICTS]),
        help_text="Those that annotators may submit; 'submitted' is always one.",
    )
    skip_percent = serializers.IntegerField(
        min_value=0, max_value=100, allow_null=True, help_text="The largest share that may be skipped; null: any."
    )
    closed_phases = serializers.ListField(child=serializers.ChoiceField(choices=Phase.choices))
    adjudication_blind = serializers.BooleanField()
    gold_shown = serializers.BooleanField()
    reading_level = serializers.ChoiceField(choices=ReadingLevel.choices)
    currency = serializers.RegexField(r"^[A-Z]{3}$")


class SettingsChangeSerializer(SettingsSerializer):
    """What is to be changed; omitted fields stay as they are."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.required = False
