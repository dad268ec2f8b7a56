"""The shapes of mining in the API: articles in, matches out."""

from __future__ import annotations

from rest_framework import serializers

from annotation.models import CANCELLABLE_JOB_CHOICES
from annotation.number_parsing import MAX_INTEGER
from annotation.serializers.base import Fields, PagedSerializer, PageSerializer
from annotation.serializers.fields import StrictSettings
from annotation.serializers.imports import ImportFileSerializer
from assist.mining.filters import REASONS


class MiningRequestSerializer(Fields):
    """Articles in two languages, and how they are compared; settings that are not given are those of the page."""

    files = ImportFileSerializer(many=True, allow_empty=False)
    settings = StrictSettings(required=False, default=dict, help_text="Those of `mine_pairs --set`, as JSON.")


class BoundsSerializer(Fields):
    """Which matches become pairs. What is not given is as it was requested.

    Null, and an empty value in an address (`per_article=`), mean none.
    """

    least_similar = serializers.FloatField(required=False, allow_null=True, min_value=0, max_value=1)
    most_similar = serializers.FloatField(required=False, allow_null=True, min_value=0, max_value=1)
    shortest = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MAX_INTEGER, help_text="In characters."
    )
    longest = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=100_000)
    most_copied = serializers.FloatField(required=False, min_value=0, max_value=1)
    per_article = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=MAX_INTEGER)
    sample = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=MAX_INTEGER)
    seed = serializers.IntegerField(required=False, min_value=0, max_value=MAX_INTEGER)


class MiningQuerySerializer(BoundsSerializer, PageSerializer):
    """Bounds, and which part of the matches is wanted: those that are kept, or those that are not."""

    only = serializers.ChoiceField(required=False, default="kept", choices=["kept", "dropped"])


class MiningImportSerializer(BoundsSerializer):
    """The import of what is kept under these bounds."""

    leave_out = serializers.ListField(
        required=False, default=list, child=serializers.CharField(max_length=300), max_length=10_000,
        help_text="Ids of matches that are not imported.",
    )  # fmt: skip


class ListedMiningSerializer(Fields):
    """A search for pairs, and how far it is."""

    id = serializers.IntegerField()
    status = serializers.ChoiceField(choices=CANCELLABLE_JOB_CHOICES)
    done = serializers.IntegerField(help_text="paragraphs")
    total = serializers.IntegerField(help_text="paragraphs")
    files = serializers.ListField(child=serializers.CharField())
    settings = serializers.DictField()
    problem = serializers.CharField(allow_blank=True)
    requested = serializers.DateTimeField()
    finished = serializers.DateTimeField(allow_null=True)


class MiningsSerializer(PagedSerializer):
    """The newest searches for pairs of a project."""

    searches = ListedMiningSerializer(many=True)


class MatchSerializer(Fields):
    """Two paragraphs that prefer each other; `a` and `b` count the paragraphs of their article from 1."""

    id = serializers.CharField()
    article = serializers.CharField()
    a = serializers.IntegerField()
    b = serializers.IntegerField()
    text_a = serializers.CharField()
    text_b = serializers.CharField()
    similarity = serializers.FloatField()
    copied = serializers.FloatField(help_text="The share of words in common.")
    dropped = serializers.ChoiceField(choices=["", *REASONS], allow_blank=True, help_text="Why it is not kept.")


class MiningSerializer(ListedMiningSerializer, PagedSerializer):
    """A search with what it found under the bounds; there are no matches, and no languages, until it is done."""

    languages = serializers.ListField(child=serializers.CharField())
    kept = serializers.IntegerField()
    dropped = serializers.IntegerField()
    matches = MatchSerializer(many=True)
