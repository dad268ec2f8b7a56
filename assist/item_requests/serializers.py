"""The shapes of items to be made in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.models import CANCELLABLE_JOB_CHOICES
from annotation.serializers.base import Fields, PagedSerializer
from annotation.serializers.fields import StrictSettings
from annotation.serializers.imports import ImportFileSerializer
from assist.item_generation.items import SCHEMES


class ItemMakingRequestSerializer(Fields):
    """What items are made of, and into which rating project; settings that are not given are those of the page."""

    task = serializers.ChoiceField(choices=[(name, name) for name in SCHEMES])
    file = ImportFileSerializer()
    into = serializers.SlugField(max_length=80, help_text="The slug of the rating project; created if there is none.")
    settings = StrictSettings(required=False, default=dict, help_text="Those of `make_items --set`, as JSON.")


class ListedItemMakingSerializer(Fields):
    """Items to be made, and how far they are. Nothing is asked before they are started."""

    id = serializers.IntegerField()
    status = serializers.ChoiceField(choices=CANCELLABLE_JOB_CHOICES)
    started = serializers.BooleanField()
    task = serializers.ChoiceField(choices=[(name, name) for name in SCHEMES])
    into = serializers.CharField()
    files = serializers.ListField(child=serializers.CharField())
    done = serializers.IntegerField(help_text="answers")
    total = serializers.IntegerField(help_text="answers")
    settings = serializers.DictField()
    problem = serializers.CharField(allow_blank=True)
    requested = serializers.DateTimeField()
    finished = serializers.DateTimeField(allow_null=True)


class ItemMakingsSerializer(PagedSerializer):
    """The newest items of a project."""

    makings = ListedItemMakingSerializer(many=True)


class ItemMessageSerializer(Fields):
    """A message to the model."""

    role = serializers.CharField()
    text = serializers.CharField()


class ItemPreviewSerializer(Fields):
    """What would be asked: how much, what it costs at most, and the messages about the first row."""

    rows = serializers.IntegerField()
    requests = serializers.IntegerField()
    tokens = serializers.IntegerField(help_text="of all requests, estimated")
    most = serializers.FloatField(help_text="in the currency of the prices")
    messages = ItemMessageSerializer(many=True)


class ItemsResultSerializer(Fields):
    """The items that were created."""

    rows = serializers.IntegerField()
    repeated = serializers.IntegerField(required=False, help_text="rows that are the same as an earlier one, excluded")
    unusable = serializers.IntegerField(help_text="rows without a usable answer")
    alike = serializers.IntegerField(help_text="rows whose neighbouring sentences are too similar for differences")
    items = serializers.IntegerField()
    jaccard = serializers.ListField(child=serializers.FloatField(), allow_null=True, help_text="mean, deviation")
    operators = serializers.DictField(child=serializers.IntegerField())


class ItemMakingSerializer(ListedItemMakingSerializer):
    """Items with what would be asked, until they are made or the sentences no longer kept, and what was made."""

    preview = ItemPreviewSerializer(allow_null=True)
    found = ItemsResultSerializer(allow_null=True)
